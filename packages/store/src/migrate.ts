import { ForgeError } from '@cua-forge/spec/errors';
import type { Database } from 'better-sqlite3';
import { DEFAULT_MIGRATION_TABLE, Kysely, Migrator, SqliteDialect } from 'kysely';
import { migrations } from './migrations.ts';

/**
 * Brings the schema up to date. The caller holds the write lock, so that of several processes one migrates and the
 * others find it done.
 * @throws ForgeError `input.invalid` when a newer version of the product has migrated it further
 */
export async function migrateToLatest(sqlite: Database): Promise<void> {
  const newer = appliedMigrations(sqlite).filter((name) => !(name in migrations));
  if (newer.length > 0) {
    throw new ForgeError(
      'input.invalid',
      `The store was written by a newer version of the product: its schema has ${newer.join(', ')}.`,
      { fix: 'Use that version, or another folder.' },
    );
  }
  const migrator = new Migrator({
    // Never destroyed, since that would close the caller's connection; it holds nothing else.
    db: new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) }),
    provider: { getMigrations: async () => migrations },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

function appliedMigrations(sqlite: Database): string[] {
  const table = sqlite.prepare<[string]>(`select 1 from sqlite_master where type = 'table' and name = ?`);
  if (table.get(DEFAULT_MIGRATION_TABLE) === undefined) return [];
  return sqlite.prepare<[], string>(`select name from ${DEFAULT_MIGRATION_TABLE} order by name`).pluck().all();
}
