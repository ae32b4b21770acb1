import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../hash.ts';
import { openStore } from '../open-store.ts';

const child = fileURLToPath(new URL('../testing/write-loop.child.ts', import.meta.url));
const runId = 'killed';
const killAfter = [5, 20, 45, 80, 130];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-store-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('holds only whole commits and whole artifacts after kill -9', { timeout: 60_000 }, async () => {
  let acknowledged = 0;
  for (const milliseconds of killAfter) {
    acknowledged = await writeAndKill(acknowledged + 1, milliseconds);
    await checkWhole(acknowledged);
  }
});

/** Returns the last token that the child had been told is committed. */
async function writeAndKill(firstToken: number, milliseconds: number): Promise<number> {
  const writer = spawn(process.execPath, ['--import', 'tsx', child, folder, runId, String(firstToken)], {
    stdio: ['ignore', 'pipe', 'inherit'],
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
  writer.kill('SIGKILL');
  expect((await exited)[1]).toBe('SIGKILL');
  await drained;
  return last;
}

async function checkWhole(acknowledged: number): Promise<void> {
  const store = await openStore({ folder });
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
  await store.meta.close();
  for (const shard of await readdir(join(folder, 'artifacts'))) {
    if (shard === 'tmp') continue;
    for (const name of await readdir(join(folder, 'artifacts', shard))) expect(name).toMatch(/^[0-9a-f]{64}$/);
  }
  const sqlite = new Sqlite(join(folder, 'forge.sqlite'), { readonly: true });
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
  sqlite.close();
}
