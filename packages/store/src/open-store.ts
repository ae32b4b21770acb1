import { join } from 'node:path';
import type { Store } from '@cua-forge/spec/store-port';
import { ArtifactFolder } from './artifact-folder.ts';
import { sqlStore } from './sql-store.ts';
import { openSqlite, unusable } from './sqlite/open-sqlite.ts';

/**
 * Opens the store in a folder, which is made when it is not there: `forge.sqlite` and `artifacts/`. Any number of
 * processes may have it open; the folder must be on a local disk.
 * @throws ForgeError `input.invalid` (folder or database cannot be used), `store.busy`, `store.full`
 */
export async function openStore({ folder }: { folder: string }): Promise<Store> {
  const blobs = new ArtifactFolder(join(folder, 'artifacts'));
  try {
    await blobs.prepare();
  } catch (thrown) {
    throw unusable(folder, thrown);
  }
  return sqlStore(await openSqlite(folder), blobs);
}
