import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../open-store.ts';
import { expectWhole, writeAndKill } from '../testing/kill-writer.ts';

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
    acknowledged = await writeAndKill({ folder }, runId, acknowledged + 1, milliseconds);
    const store = await openStore({ folder });
    await expectWhole(store, runId, acknowledged);
    await store.meta.close();
    await expectCleanFolder();
  }
});

async function expectCleanFolder(): Promise<void> {
  for (const shard of await readdir(join(folder, 'artifacts'))) {
    if (shard === 'tmp') continue;
    for (const name of await readdir(join(folder, 'artifacts', shard))) expect(name).toMatch(/^[0-9a-f]{64}$/);
  }
  const sqlite = new Sqlite(join(folder, 'forge.sqlite'), { readonly: true });
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
  sqlite.close();
}
