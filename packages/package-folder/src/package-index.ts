import { Rubric } from '@cua-forge/spec/task';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { LoadedPackage } from './package-files.ts';

/** One package as a row of an index: what one filters and counts by. */
export interface IndexRow {
  id: string;
  title: string;
  domain: string;
  skills: string[];
  applications: string[];
  seed: number;
  outcome: string;
  instruction: string;
  /** Names of its input files. */
  files: string[];
  bytes: number;
  criteria: number;
  must: number;
  checks: number;
  /** `rehearsal` where no model wrote it. */
  models: string[];
  /** Claims by how they stand. */
  proven: number;
  failed: number;
  unproven: number;
  workflow: string;
  version: string;
  run: string;
  traits: Record<string, unknown>;
  /** SHA-256 of task.json: two rows with the same one are the same package. */
  hash: string;
}

export function indexRowOf({ package: { manifest, files }, bytes }: LoadedPackage): IndexRow {
  const textAt = (path: string): string => {
    const part = files.find((one) => one.path === path);
    return part === undefined ? '' : Buffer.from(bytes.get(part.file.hash) ?? []).toString('utf8');
  };
  const { criteria } = Rubric.parse(JSON.parse(textAt('rubric.json')));
  const claims = (status: string): number => manifest.proofs.filter((proof) => proof.status === status).length;
  return {
    id: manifest.id,
    title: manifest.title,
    domain: manifest.domain,
    skills: manifest.skills,
    applications: manifest.applications,
    seed: manifest.seed,
    outcome: manifest.outcome.kind,
    instruction: textAt('instruction.md').trim(),
    files: manifest.files.map(({ sandboxPath }) => sandboxPath),
    bytes: files.reduce((sum, { file }) => sum + file.size, 0),
    criteria: criteria.length,
    must: criteria.filter(({ must }) => must).length,
    checks: criteria.filter(({ judge }) => judge === 'check').length,
    models: manifest.models,
    proven: claims('proven'),
    failed: claims('failed'),
    unproven: claims('not-proven'),
    workflow: manifest.workflow.id,
    version: manifest.workflow.version,
    run: manifest.run,
    traits: manifest.traits,
    hash: files.find(({ path }) => path === 'task.json')?.file.hash ?? '',
  };
}

/** One JSON object a line. */
export const jsonLinesOf = (rows: readonly IndexRow[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** A Parquet file; lists and traits are JSON columns. */
export function parquetOf(rows: readonly IndexRow[]): Uint8Array {
  const text = (name: keyof IndexRow) => ({ name, data: rows.map((row) => row[name]), type: 'STRING' as const });
  const whole = (name: keyof IndexRow) => ({
    name,
    data: rows.map((row) => BigInt(Number(row[name]))),
    type: 'INT64' as const,
  });
  const json = (name: keyof IndexRow) => ({ name, data: rows.map((row) => row[name]), type: 'JSON' as const });
  const buffer = parquetWriteBuffer({
    columnData: [
      text('id'),
      text('title'),
      text('domain'),
      json('skills'),
      json('applications'),
      whole('seed'),
      text('outcome'),
      text('instruction'),
      json('files'),
      whole('bytes'),
      whole('criteria'),
      whole('must'),
      whole('checks'),
      json('models'),
      whole('proven'),
      whole('failed'),
      whole('unproven'),
      text('workflow'),
      text('version'),
      text('run'),
      json('traits'),
      text('hash'),
    ],
  });
  return new Uint8Array(buffer);
}
