import { ForgeError } from '@cua-forge/spec/errors';
import { DEFAULT_MIGRATION_TABLE, type Kysely, Migrator, sql } from 'kysely';
import { type Migrations, migrations as released } from './migrations.ts';

/**
 * Brings the schema up to date. The caller holds a lock, so that of several processes one migrates and the others find it
 * done.
 * @throws ForgeError `input.invalid` when a newer version of the product has migrated it further
 */
export async function migrateToLatest(db: Kysely<unknown>, migrations: Migrations = released): Promise<void> {
  const newer = (await appliedMigrations(db)).filter((name) => !(name in migrations));
  if (newer.length > 0) {
    throw new ForgeError(
      'input.invalid',
      `The store was written by a newer version of the product: its schema has ${newer.join(', ')}.`,
      { fix: 'Use that version, or another store.' },
    );
  }
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    // Parts of the product number their migrations on their own.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** Names of the migrations that a store has, in order; none where it is new. */
export async function appliedMigrations(db: Kysely<unknown>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
