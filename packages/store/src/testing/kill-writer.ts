import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Store } from '@cua-forge/spec/store-port';
import { expect } from 'vitest';
import { sha256 } from '../hash.ts';

const child = fileURLToPath(new URL('./write-loop.child.ts', import.meta.url));

/** Where a writing process finds its store. */
export interface WriterPlace {
  folder: string;
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts a process that commits outcomes with growing tokens, and ends it with `kill` (a KILL to the process by default)
 * some time after its first commit. Returns the last token that it had been told is committed.
 */
export async function writeAndKill(
  { folder, env }: WriterPlace,
  runId: string,
  firstToken: number,
  milliseconds: number,
  kill?: () => Promise<void>,
): Promise<number> {
  const writer = spawn(process.execPath, ['--import', 'tsx', child, folder, runId, String(firstToken)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', kill === undefined ? 'inherit' : 'ignore'],
  });
  const exited = once(writer, 'exit');
  const lines = createInterface(writer.stdout);
  let last = firstToken;
  lines.on('line', (line) => {
    last = Number(line);
  });
  const drained = once(lines, 'close');
  await once(lines, 'line');
  await setTimeout(milliseconds);
  if (kill === undefined) writer.kill('SIGKILL');
  else await kill();
  const [code, signal] = await exited;
  if (kill === undefined) expect(signal).toBe('SIGKILL');
  else expect(code).toBe(1);
  await drained;
  return last;
}

/** Everything that was acknowledged is there, and everything that is there is whole. */
export async function expectWhole(store: Store, runId: string, acknowledged: number): Promise<void> {
  const outcomes = await store.meta.listOutcomes(runId);
  const tokens = new Set(outcomes.map(({ token }) => token));
  for (let token = 1; token <= acknowledged; token++) expect(tokens.has(token)).toBe(true);
  for (const { outputs } of outcomes) {
    for (const { hash, size } of Object.values(outputs)) {
      const bytes = await store.artifacts.get(hash);
      expect(sha256(bytes)).toBe(hash);
      expect(bytes.byteLength).toBe(size);
    }
  }
  expect(await store.meta.listEvents({ after: 0, runId, limit: 1e6 })).toHaveLength(outcomes.length);
  expect((await store.meta.listModelCalls(runId)).map(({ token }) => token)).toEqual([...tokens]);
}
