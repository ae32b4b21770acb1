import { createHash } from 'node:crypto';
import { ForgeError } from '@cua-forge/spec/errors';
import { sessionScript } from '@cua-forge/spec/session-script';
import { HiddenAnswers, SetupOperation } from '@cua-forge/spec/task';
import { z } from 'zod';
import type { LoadedPackage } from './package-files.ts';
import { type CellCheck, changedCells } from './workbook-cells.ts';

export interface OsworldTask {
  id: string;
  snapshot: string;
  instruction: string;
  source: string;
  config: { type: string; parameters: Record<string, unknown> }[];
  trajectory: string;
  related_apps: string[];
  evaluator: Record<string, unknown> | null;
  proxy: boolean;
  fixed_ip: boolean;
  possibility_of_env_change: string;
}

export interface OsworldExport {
  task: OsworldTask;
  /** What OSWorld has no word for, so that a person can decide whether the task is still whole. */
  unmapped: string[];
}

const SetupJson = z.object({ operations: z.array(SetupOperation) });
const saved = (path: string): Record<string, unknown> => ({
  type: 'vm_file',
  path,
  dest: path.slice(path.lastIndexOf('/') + 1),
});

/**
 * A package as an OSWorld task. Setup operations become `config` steps; files are downloaded from `filesUrl`. The end state that a correct solution has becomes a
 * `compare_table` evaluator over the cells that change; for other files there is none, and `unmapped` says so.
 */
export async function osworldOfPackage(
  { package: { manifest, files }, bytes }: LoadedPackage,
  filesUrl: string,
): Promise<OsworldExport> {
  const read = (path: string): Uint8Array => {
    const part = files.find((one) => one.path === path);
    const content = part && bytes.get(part.file.hash);
    if (content === undefined)
      throw new ForgeError('artifact.missing', `The file ${path} of the package is not at hand.`);
    return content;
  };
  const textOf = (path: string): string => Buffer.from(read(path)).toString('utf8');
  const { operations } = SetupJson.parse(JSON.parse(textOf('setup/setup.json')));
  const unmapped: string[] = [];
  const config = operations.flatMap((operation) => configStep(operation, manifest, filesUrl));
  const expected = files.some(({ path }) => path === 'hidden/expected.json')
    ? HiddenAnswers.parse(JSON.parse(textOf('hidden/expected.json')))
    : null;
  const books: { path: string; checks: CellCheck[] }[] = [];
  for (const file of expected?.expected ?? []) {
    const placed = manifest.files.find(({ sandboxPath }) => sandboxPath === file.path);
    if (file.type === 'xlsx' && placed)
      books.push({ path: file.path, checks: await changedCells(read(placed.path), file.content) });
    else unmapped.push(`expected ${file.type} file ${file.path}`);
  }
  const evaluated = books.filter(({ checks }) => checks.length > 0);
  if (evaluated.length === 0) unmapped.push('evaluator: no cell of a workbook tells a solution from the start');
  return {
    task: {
      id: uuidOf(manifest.id),
      snapshot: snapshotOf(manifest.applications[0] ?? 'os'),
      instruction: textOf('instruction.md').trim(),
      source: `cua-forge:${manifest.id}`,
      config,
      trajectory: `trajectories/${uuidOf(manifest.id)}`,
      related_apps: manifest.applications.map(snapshotOf),
      evaluator: evaluated.length === 0 ? null : evaluatorOf(evaluated),
      proxy: false,
      fixed_ip: false,
      possibility_of_env_change: 'low',
    },
    unmapped,
  };
}

function configStep(
  operation: SetupOperation,
  manifest: LoadedPackage['package']['manifest'],
  filesUrl: string,
): OsworldTask['config'] {
  switch (operation.op) {
    case 'place-file': {
      const placed = manifest.files.find(({ sandboxPath }) => sandboxPath === operation.path);
      const url = `${filesUrl.replace(/\/+$/, '')}/${(placed?.path ?? operation.file.name).split('/').map(encodeURIComponent).join('/')}`;
      return [{ type: 'download', parameters: { files: [{ url, path: operation.path }] } }];
    }
    case 'open':
      return operation.path === undefined
        ? [{ type: 'launch', parameters: { command: [operation.application] } }]
        : [{ type: 'open', parameters: { path: operation.path } }];
    case 'run':
      return [{ type: 'execute', parameters: { command: operation.command } }];
    case 'env':
    case 'window':
    case 'wait-window':
    case 'desktop':
    case 'service':
    case 'mail':
      return [{ type: 'execute', parameters: { command: ['bash', '-c', sessionScript(operation)] } }];
  }
}

function evaluatorOf(books: readonly { path: string; checks: CellCheck[] }[]): Record<string, unknown> {
  const rules = ({ checks }: { checks: CellCheck[] }) =>
    checks.map(({ sheet, cell, value }) => ({
      type: 'check_cell',
      sheet_idx: `RN${sheet}`,
      coordinate: cell,
      props: {
        value: typeof value === 'number' ? { method: 'approx:0.01', ref: value } : { method: 'eq', ref: value },
      },
    }));
  const first = books[0];
  return {
    postconfig: [
      {
        type: 'execute',
        parameters: { command: ['python', '-c', 'import pyautogui; pyautogui.hotkey("ctrl", "s");'] },
      },
      { type: 'sleep', parameters: { seconds: 1 } },
    ],
    ...(books.length === 1 && first !== undefined
      ? { func: 'compare_table', result: saved(first.path), options: { rules: rules(first) } }
      : {
          func: books.map(() => 'compare_table'),
          conj: 'and',
          result: books.map(({ path }) => saved(path)),
          options: books.map((book) => ({ rules: rules(book) })),
        }),
  };
}

/** OSWorld writes its application names with underscores. */
const snapshotOf = (application: string): string => application.replaceAll('-', '_');

/** A stable UUID of the package's id, in the form of version 8. */
function uuidOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
