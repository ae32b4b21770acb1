import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openParts } from '../open-store.ts';
import { sqlStore } from '../sql-store.ts';
import { collectConformance } from '../testing/collect-conformance.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-collect-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

collectConformance('collection on SQLite and a folder', async () => {
  const store = await mkdtemp(join(folder, 'store-'));
  return async (wrap = (blobs) => blobs) => {
    const { connection, blobs } = await openParts({ folder: store });
    return sqlStore(connection, wrap(blobs));
  };
});
