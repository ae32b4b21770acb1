import { mkdtemp, readFile, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll } from 'vitest';
import { openStore } from '../open-store.ts';
import type { Damage } from '../testing/conformance-context.ts';
import { storeConformance } from '../testing/store-conformance.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-store-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const damage: Damage = async (hash, how) => {
  const path = join(folder, 'artifacts', hash.slice(0, 2), hash);
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) damageRow(hash, how);
  else if (how === 'remove') await unlink(path);
  else if (how === 'truncate') await truncate(path, bytes.byteLength - 1);
  else await writeFile(path, bytes.fill(255, 100, 101));
};

function damageRow(hash: string, how: Parameters<Damage>[1]): void {
  const sqlite = new Sqlite(join(folder, 'forge.sqlite'));
  const statements = {
    remove: 'delete from artifacts where hash = ?',
    truncate: 'update artifacts set bytes = substr(bytes, 1, length(bytes) - 1) where hash = ?',
    flip: `update artifacts set bytes = cast(x'ff' || substr(bytes, 2) as blob) where hash = ?`,
  };
  const { changes } = sqlite.prepare(statements[how]).run(hash);
  sqlite.close();
  if (changes !== 1) throw new Error(`artifact ${hash} is not stored`);
}

storeConformance('SQLite store', () => openStore({ folder }), damage);
