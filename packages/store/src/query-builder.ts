import {
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Tables } from './tables.ts';

/** Builds queries and runs none: `Connection` runs what it compiles. */
export const build = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** A named parameter, bound when a prepared statement runs. */
export const named = <T>(name: string): RawBuilder<T> => sql.raw<T>(`@${name}`);

/** Least upper bound of the keys that start with a prefix, in SQLite's byte order. */
export const endOfPrefix = (prefix: string): string => `${prefix}\u{10FFFF}`;
