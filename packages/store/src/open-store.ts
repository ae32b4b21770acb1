import { join } from 'node:path';
import type { Store } from '@cua-forge/spec/store-port';
import { ArtifactFolder } from './artifact-folder.ts';
import type { BlobStore } from './blob-store.ts';
import type { Connection } from './connection.ts';
import type { Migrations } from './migrations.ts';
import { sqlStore } from './sql-store.ts';
import { openSqlite, unusable } from './sqlite/open-sqlite.ts';
import type { StoreSettings } from './store-settings.ts';

/**
 * Opens the store, and makes what is not there: in a folder on a local disk `forge.sqlite` and `artifacts/`, or instead of
 * these a Postgres database and a bucket. Any number of processes may have it open.
 * @throws ForgeError `input.invalid` (what the settings name cannot be used), `store.busy`, `store.full`, `store.unreachable`
 */
export async function openStore(settings: StoreSettings): Promise<Store> {
  const { connection, blobs } = await openParts(settings);
  return sqlStore(connection, blobs);
}

export interface StoreParts {
  connection: Connection;
  blobs: BlobStore;
}

/** The two parts that a store is made of, ready for use. `migrations` are those that it gets; all by default. */
export async function openParts(settings: StoreSettings, migrations?: Migrations): Promise<StoreParts> {
  const blobs = await openBlobs(settings);
  const { folder, database } = settings;
  return {
    blobs,
    connection: await (database === undefined ? openSqlite(folder, migrations) : openDatabase(database, migrations)),
  };
}

/** What most installations do not use takes its time to load. */
async function openDatabase(url: string, migrations?: Migrations): Promise<Connection> {
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  return openPostgres(url, migrations);
}

async function openBlobs({ folder, bucket }: StoreSettings): Promise<BlobStore> {
  if (bucket !== undefined) {
    const { S3Blobs } = await import('./s3/s3-blobs.ts');
    const blobs = new S3Blobs(bucket);
    await blobs.prepare();
    return blobs;
  }
  const blobs = new ArtifactFolder(join(folder, 'artifacts'));
  try {
    await blobs.prepare();
  } catch (thrown) {
    throw unusable(folder, thrown);
  }
  return blobs;
}
