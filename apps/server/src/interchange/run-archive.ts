import { filesOfTar } from '@cua-forge/package-folder/package-files';
import { packFiles } from '@cua-forge/package-folder/package-folder';
import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { ModelCall, NodeView, Outcome, RunRecord, type Store } from '@cua-forge/spec/store-port';
import { z } from 'zod';
import { findRun, isOpen } from '../runs/find-run.ts';

const Manifest = z.strictObject({ schema: z.literal(1), kind: z.literal('cua-forge-run'), run: RunRecord });
const text = new TextEncoder();
const lines = (rows: readonly unknown[]): Uint8Array =>
  text.encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

/**
 * A closed run as a .tar: `run.json`, its document, `outcomes.jsonl`, `nodes.jsonl`, `calls.jsonl`, and every artifact that these reach, by hash. Whoever reads it can look at
 * the run, and retry it.
 * @throws ForgeError `run.not-found`, `run.state` while it is open
 */
export async function archiveOfRun({ meta, artifacts }: Store, id: string): Promise<Uint8Array> {
  const run = await findRun(meta, id);
  if (isOpen(run.state))
    throw new ForgeError('run.state', `Run ${id} is ${run.state}: an archive of it would be half a run.`, {
      fix: 'Wait for its end, or cancel it.',
    });
  const document = await meta.getDocumentVersion(run.documentHash);
  const outcomes = await meta.listOutcomes(id);
  const nodes = await meta.listNodeViews(id);
  const calls = await meta.listModelCalls(id);
  const reached = await reachedFrom(artifacts, [run, outcomes, calls]);
  return packFiles(`run-${id}`, [
    { path: 'run.json', bytes: text.encode(JSON.stringify(Manifest.parse({ schema: 1, kind: 'cua-forge-run', run }))) },
    ...(document === null ? [] : [{ path: 'document.yaml', bytes: text.encode(document.source) }]),
    { path: 'outcomes.jsonl', bytes: lines(outcomes) },
    { path: 'nodes.jsonl', bytes: lines(nodes) },
    { path: 'calls.jsonl', bytes: lines(calls) },
    ...[...reached].map(([hash, bytes]) => ({ path: `artifacts/${hash}`, bytes })),
  ]);
}

/** Artifacts named anywhere in these values, and in those artifacts that are JSON themselves. What is gone is left out: the run shows it as gone, too. */
async function reachedFrom(artifacts: Store['artifacts'], roots: readonly unknown[]): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const seen = new Set<string>();
  const waiting = roots.flatMap((root) => hashesIn(JSON.stringify(root)));
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
    if (seen.has(hash)) continue;
    seen.add(hash);
    if (!(await artifacts.has(hash))) continue;
    const bytes = await artifacts.get(hash);
    found.set(hash, bytes);
    if (looksLikeJson(bytes)) waiting.push(...hashesIn(new TextDecoder().decode(bytes)));
  }
  return found;
}

const looksLikeJson = (bytes: Uint8Array): boolean => bytes[0] === 0x7b || bytes[0] === 0x5b;
const hashesIn = (json: string): string[] => [...json.matchAll(/"([0-9a-f]{64})"/g)].map(([, hash = '']) => hash);

/**
 * Takes up a run from its archive, with everything it needs. A run of that id that is here already stays as it is.
 * @throws ForgeError `input.invalid` when the archive is damaged or is of something else; nothing is kept then but artifacts that nobody names
 */
export async function runOfArchive({ meta, artifacts }: Store, archive: Uint8Array, now: number): Promise<RunRecord> {
  const files = new Map((await filesOfTar(archive)).map(({ path, bytes }) => [path, bytes]));
  const json = <S extends z.ZodType>(name: string, schema: S, value: unknown): z.output<S> => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new ForgeError('input.invalid', `${name} of the archive is not right: ${z.prettifyError(parsed.error)}`);
  };
  const textOf = (name: string): string => {
    const bytes = files.get(name);
    if (bytes === undefined)
      throw new ForgeError('input.invalid', `This is no archive of a run: it has no ${name}.`, {
        fix: 'Give a file that `forge runs export` wrote.',
      });
    return new TextDecoder().decode(bytes);
  };
  const parse = (name: string, line: string): Json => {
    try {
      return Json.parse(JSON.parse(line));
    } catch (cause) {
      throw new ForgeError('input.invalid', `${name} of the archive is not JSON.`, { cause });
    }
  };
  const rows = <S extends z.ZodType>(name: string, schema: S): z.output<S>[] =>
    textOf(name)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => json(name, schema, parse(name, line)));

  const { run } = json('run.json', Manifest, parse('run.json', textOf('run.json')));
  const outcomes = rows('outcomes.jsonl', Outcome);
  const nodes = rows('nodes.jsonl', NodeView);
  const calls = rows('calls.jsonl', ModelCall);
  const stranger = [...outcomes, ...nodes, ...calls].find(({ runId }) => runId !== run.id);
  if (stranger !== undefined)
    throw new ForgeError('input.invalid', `The archive of run ${run.id} holds rows of run ${stranger.runId}.`);
  const known = await meta.getRun(run.id);
  if (known !== null) return known;

  for (const [path, bytes] of files) {
    if (!path.startsWith('artifacts/')) continue;
    const { hash } = await artifacts.put(bytes);
    if (path !== `artifacts/${hash}`)
      throw new ForgeError('input.invalid', `${path} of the archive is damaged: its bytes have the hash ${hash}.`);
  }
  const source = files.get('document.yaml');
  if (source !== undefined && (await meta.getDocumentVersion(run.documentHash)) === null) {
    const taken = (await meta.listDocuments()).some(({ id }) => id === run.documentId);
    const id = taken ? `${run.documentId}-${run.documentHash.slice(0, 8)}` : run.documentId;
    await meta.saveDocument(id, run.title, new TextDecoder().decode(source), run.documentHash, null, now);
  }
  for (const call of calls) await meta.addModelCall(call);
  for (const outcome of outcomes) await meta.commitOutcome(outcome, []);
  await meta.saveNodeViews(nodes);
  await meta.createRun({ ...run, batchId: null });
  return { ...run, batchId: null };
}
