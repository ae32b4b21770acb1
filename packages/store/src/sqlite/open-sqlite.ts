import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import Sqlite, { type Database } from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { Connection } from '../connection.ts';
import { migrateToLatest } from '../migrate.ts';
import type { Migrations } from '../migrations.ts';
import { SqliteConnection } from './sqlite-connection.ts';

/** The database's file in its folder. */
export const databaseName = 'forge.sqlite';

const busyTimeout = 10_000;
const retryAfter = 20;

/**
 * Opens the database in a folder, which is made when it is not there. Any number of processes may have it open; the folder
 * must be on a local disk. What was committed survives the death of every process; a power cut may take the newest commits
 * with it, whole ones.
 * @throws ForgeError `input.invalid` (folder or database cannot be used), `store.busy`, `store.full`
 */
export async function openSqlite(folder: string, migrations?: Migrations): Promise<Connection> {
  try {
    await mkdir(folder, { recursive: true });
    return new SqliteConnection(await openDatabase(join(folder, databaseName), migrations));
  } catch (thrown) {
    throw unusable(folder, thrown);
  }
}

/** Opens with no waiting inside SQLite, which would stop the event loop and with it an opener in the same process. */
async function openDatabase(file: string, migrations: Migrations | undefined): Promise<Database> {
  const sqlite = new Sqlite(file, { timeout: 0 });
  try {
    await whileBusy(() => sqlite.pragma('journal_mode = WAL'));
    sqlite.pragma('synchronous = NORMAL');
    // Pages that many commits touch are copied to the database once: 32 MB of log at most before that, and as much memory.
    sqlite.pragma('wal_autocheckpoint = 8000');
    sqlite.pragma('cache_size = -32000');
    sqlite.pragma('foreign_keys = ON');
    await whileBusy(() => sqlite.exec('begin immediate'));
    try {
      // Never destroyed, since that would close this connection; it holds nothing else.
      await migrateToLatest(new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) }), migrations);
      sqlite.exec('commit');
    } catch (thrown) {
      if (sqlite.inTransaction) sqlite.exec('rollback');
      throw thrown;
    }
    sqlite.pragma(`busy_timeout = ${busyTimeout}`);
    return sqlite;
  } catch (thrown) {
    sqlite.close();
    throw thrown;
  }
}

async function whileBusy(work: () => void): Promise<void> {
  const deadline = Date.now() + busyTimeout;
  for (;;) {
    try {
      return work();
    } catch (thrown) {
      const error = toForgeError(thrown);
      if (error.code !== 'store.busy' || Date.now() > deadline) throw error;
      await setTimeout(retryAfter);
    }
  }
}

export function unusable(folder: string, thrown: unknown): ForgeError {
  const error = toForgeError(thrown);
  if (error.code !== 'internal') return error;
  return new ForgeError('input.invalid', `The store folder "${folder}" cannot be used: ${error.message}`, {
    fix: 'Choose a folder on a local disk that you may write to, or move the damaged database file away.',
    cause: thrown,
  });
}
