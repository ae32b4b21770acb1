import { join, resolve } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import {
  type BackupProgress,
  type BackupReport,
  type CollectProgress,
  type CollectReport,
  UpkeepLine,
  type UpkeepRequest,
} from '@cua-forge/spec/upkeep';
import type { Environment } from '../bootstrap/environment.ts';
import { startProcess } from '../bootstrap/managed-process.ts';
import type { Reporter } from '../bootstrap/progress.ts';
import type { Settings } from '../bootstrap/settings.ts';
import { type Output, printResult } from './output.ts';

export interface UpkeepContext {
  settings: Settings;
  output: Output;
  signal: AbortSignal;
}

export async function gcCommand(
  { dryRun, grace }: { dryRun: boolean; grace?: number | undefined },
  context: UpkeepContext,
): Promise<void> {
  const request = { task: 'gc' as const, dryRun, ...(grace === undefined ? {} : { graceHours: grace }) };
  const report = await upkeep(request, environmentOf(context.settings), context);
  if (!('collected' in report)) throw unfinished();
  printResult(context.output, report.collected, collectText);
}

export async function backupCommand(file: string, context: UpkeepContext): Promise<void> {
  const report = await upkeep({ task: 'backup', file: resolve(file) }, environmentOf(context.settings), context);
  if (!('copied' in report)) throw unfinished();
  printResult(context.output, report.copied, (copied) => copyText(`Backed up into ${file}`, copied));
}

/** `into` is a folder for a new store or the address of a Postgres database; without it, the store of the settings. */
export async function restoreCommand(file: string, into: string | undefined, context: UpkeepContext): Promise<void> {
  const env = environmentOf(context.settings, into);
  const report = await upkeep({ task: 'restore', file: resolve(file) }, env, context);
  if (!('copied' in report)) throw unfinished();
  printResult(context.output, report.copied, (copied) => copyText(`Restored ${file}`, copied));
}

function environmentOf(settings: Settings, into?: string): Environment {
  const env = { ...settings.env, FORGE_DATA: settings.data, FORGE_STORE: join(settings.data, 'store') };
  if (into === undefined) return env;
  if (/^postgres(ql)?:\/\//.test(into)) return { ...env, DATABASE_URL: into };
  return { ...env, FORGE_STORE: resolve(into), DATABASE_URL: '', FORGE_ARTIFACTS: '' };
}

type Final = Extract<UpkeepLine, { collected: unknown } | { copied: unknown }>;

async function upkeep(request: UpkeepRequest, env: Environment, context: UpkeepContext): Promise<Final> {
  const { settings, output, signal } = context;
  const show = progressOf(output.reporter);
  let final: UpkeepLine | null = null;
  const said: string[] = [];
  const child = await startProcess({
    command: process.execPath,
    args: ['--import', 'tsx', join(settings.root, 'apps/server/src/upkeep/main.ts'), JSON.stringify(request)],
    cwd: settings.root,
    env,
    onLine(line, stream) {
      const parsed = stream === 'out' ? UpkeepLine.safeParse(parseJson(line)) : null;
      if (!parsed?.success) said.push(line);
      else if ('collecting' in parsed.data) show(parsed.data.collecting);
      else if ('copying' in parsed.data) show(parsed.data.copying);
      else final = parsed.data;
    },
  });
  const stop = (): void => void child.stop();
  signal.addEventListener('abort', stop, { once: true });
  await child.exited;
  await child.stop();
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return finalOf(final, said);
}

function finalOf(line: UpkeepLine | null, said: readonly string[]): Final {
  if (line !== null && ('collected' in line || 'copied' in line)) return line;
  if (line !== null && 'failure' in line) {
    const { code, message, fix } = line.failure;
    throw new ForgeError(code, message, { fix });
  }
  throw unfinished(said);
}

const unfinished = (said: readonly string[] = []): ForgeError =>
  new ForgeError('internal', `The work on the store ended without a result. ${said.slice(-5).join(' ')}`.trim());

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const phases: Readonly<Record<CollectProgress['phase'] | BackupProgress['phase'], string>> = {
  prune: 'Pruned',
  mark: 'Looked at',
  condemn: 'Judged artifacts',
  delete: 'Deleted artifacts',
  rows: 'Rows',
  artifacts: 'Artifacts',
};

/** Shows how much of a phase is done, how fast, and how long the rest takes where that is known. */
function progressOf(reporter: Reporter): (progress: CollectProgress | BackupProgress) => void {
  let phase = '';
  let began = 0;
  return (progress) => {
    if (progress.phase !== phase) {
      phase = progress.phase;
      began = Date.now();
    }
    const rate = progress.done / Math.max(0.001, (Date.now() - began) / 1_000);
    const size = 'bytes' in progress ? `, ${megabytes(progress.bytes)}` : '';
    const total = progress.total === null ? '' : ` of ${progress.total}`;
    const left =
      progress.total === null || rate === 0 ? '' : `, ${Math.ceil((progress.total - progress.done) / rate)} s left`;
    reporter.update(`${phases[progress.phase]}: ${progress.done}${total}${size}, ${Math.round(rate)}/s${left}`);
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export function collectText(report: CollectReport): string {
  const { dryRun, pruned, reachable, condemned, waiting, rescued, deleted, deletedBytes } = report;
  const does = dryRun ? 'Would delete' : 'Deleted';
  return [
    `${does} ${pruned.runs} runs, ${pruned.events} events, ${pruned.nodeViews} node states, texts of ${pruned.modelTexts} model calls`,
    `${does} ${deleted} artifacts (${megabytes(deletedBytes)})`,
    `${reachable} artifacts are referred to; ${condemned} newly are not, ${waiting} wait for their grace period, ${rescued} are referred to again`,
  ].join('\n');
}

function copyText(what: string, { rows, artifacts, bytes, damaged }: BackupReport): string {
  const lines = [`${what}: ${rows} rows, ${artifacts} artifacts, ${megabytes(bytes)}`];
  if (damaged.length > 0) lines.push(`Left out, since their bytes are damaged: ${damaged.join(', ')}`);
  return lines.join('\n');
}
