import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../open-store.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-open-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('openStore', () => {
  it('migrates once when many open an empty folder at once', async () => {
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore({ folder })));
    await Promise.all(stores.map((store, index) => store.meta.setPin('document', `node${index}`, {})));
    expect(Object.keys((await stores[0]?.meta.listPins('document')) ?? {})).toHaveLength(5);
    await Promise.all(stores.map((store) => store.meta.close()));
  });

  it('sets what concurrent processes and crashes need', async () => {
    const store = await openStore({ folder });
    const sqlite = new Sqlite(join(folder, 'forge.sqlite'), { readonly: true });
    expect(sqlite.pragma('journal_mode', { simple: true })).toBe('wal');
    sqlite.close();
    await store.meta.close();
    expect((await readdir(folder)).sort()).toEqual(['artifacts', 'forge.sqlite']);
  });

  it('waits for another process that holds the write lock', async () => {
    await (await openStore({ folder })).meta.close();
    const other = new Sqlite(join(folder, 'forge.sqlite'));
    other.exec('begin immediate');
    setTimeout(() => other.exec('commit'), 150);
    const began = Date.now();
    const store = await openStore({ folder });
    expect(Date.now() - began).toBeGreaterThanOrEqual(100);
    await store.meta.close();
    other.close();
  });

  it('refuses a store that a newer version has migrated', async () => {
    await (await openStore({ folder })).meta.close();
    const sqlite = new Sqlite(join(folder, 'forge.sqlite'));
    sqlite.exec(`insert into kysely_migration values ('9999-later', '2030-01-01')`);
    sqlite.close();
    await expect(openStore({ folder })).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining('9999-later'),
    });
  });

  it('names the folder when the file in it is no database, or the folder cannot be made', async () => {
    const database = join(folder, 'forge.sqlite');
    await writeFile(database, 'this is not a database, but text that is long enough to be looked at '.repeat(20));
    await expect(openStore({ folder })).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining(folder),
      fix: expect.any(String),
    });
    await expect(openStore({ folder: join(database, 'below') })).rejects.toMatchObject({ code: 'input.invalid' });
  });
});
