import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { migrateToLatest } from '../migrate.ts';
import { type Migrations, migrations as released } from '../migrations.ts';
import { raw } from '../query-builder.ts';
import { all, type Steps } from '../steps.ts';

export type Cell = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, Cell>>;

export interface TableInfo {
  name: string;
  columns: readonly { name: string; type: 'text' | 'integer' | 'real' | 'blob' }[];
  /** What its rows are read in the order of; no two rows have the same. */
  key: readonly string[];
  /** Tables that its rows refer to. */
  parents: readonly string[];
  /** Column whose values the database counts up by itself. */
  counted: string | null;
}

/** Of rows that are equal otherwise the later one counts, so these are kept in the order they came. */
const inOrderOfArrival: ReadonlySet<string> = new Set(['outcomes']);

/** Every table that the migrations make, those that others refer to first: the same on every database. */
export async function storeTables(migrations: Migrations = released): Promise<TableInfo[]> {
  const sqlite = new Sqlite(':memory:');
  try {
    await migrateToLatest(new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) }), migrations);
    const names = sqlite
      .prepare<[], string>(
        `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
         and name not like 'kysely\\_%' escape '\\' order by name`,
      )
      .pluck()
      .all();
    return parentsFirst(names.map((name) => describe(sqlite, name)));
  } finally {
    sqlite.close();
  }
}

function describe(sqlite: Sqlite.Database, name: string): TableInfo {
  const columns = sqlite
    .prepare<[string], { name: string; type: string; pk: number }>('select name, type, pk from pragma_table_info(?)')
    .all(name);
  const parents = sqlite.prepare<[string], string>('select "table" from pragma_foreign_key_list(?)').pluck().all(name);
  const definition = sqlite
    .prepare<[string], string>(`select sql from sqlite_master where type = 'table' and name = ?`)
    .pluck()
    .get(name);
  const key = columns
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map((column) => column.name);
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, type: typeOf(name, column) })),
    key: inOrderOfArrival.has(name) ? ['rowid'] : key,
    parents: [...new Set(parents)],
    counted: /autoincrement/i.test(definition ?? '') ? (key[0] ?? null) : null,
  };
}

function typeOf(table: string, { name, type }: { name: string; type: string }): TableInfo['columns'][number]['type'] {
  const known = type.toLowerCase();
  if (known === 'text' || known === 'integer' || known === 'real' || known === 'blob') return known;
  throw new Error(`Column ${table}.${name} has the type ${type}: migrations use text, integer, real and blob.`);
}

function parentsFirst(tables: readonly TableInfo[]): TableInfo[] {
  const sorted: TableInfo[] = [];
  const visit = (table: TableInfo): void => {
    if (sorted.includes(table)) return;
    for (const parent of tables) if (parent !== table && table.parents.includes(parent.name)) visit(parent);
    sorted.push(table);
  };
  for (const table of tables) visit(table);
  return sorted;
}

export interface Page {
  rows: Row[];
  /** Where the next one begins; null after the last. */
  next: readonly Cell[] | null;
}

/** Some rows of a table in the order of its key, after a place. The key's columns may be there in addition to the table's. */
export function* pageOf(table: TableInfo, after: readonly Cell[] | null, limit: number): Steps<Page> {
  const names = [...new Set([...table.columns.map(({ name }) => name), ...table.key])];
  const key = sql.join(table.key.map((name) => sql.ref(name)));
  const where = after === null ? sql`` : sql`where (${key}) > (${sql.join(after)})`;
  const query = sql<Row>`select ${sql.join(names.map((name) => sql.ref(name)))} from ${sql.table(table.name)} ${where}
    order by ${key} limit ${sql.lit(limit)}`;
  const rows = yield* all(raw(query));
  const last = rows.at(-1);
  const next = last === undefined || rows.length < limit ? null : table.key.map((name) => last[name] ?? null);
  return { rows, next };
}
