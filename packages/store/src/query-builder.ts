import {
  type CompiledQuery,
  createQueryId,
  DummyDriver,
  Kysely,
  type QueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Query } from './steps.ts';
import type { Tables } from './tables.ts';

/** Builds queries and runs none: connections compile them for their database. */
export const build = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

class NamedParameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A named parameter, bound when a prepared query runs. */
export const named = <T>(name: string): RawBuilder<T> => sql<T>`${new NamedParameter(name)}`;

/** Least upper bound of the keys that start with a prefix, in the order of their bytes. */
export const endOfPrefix = (prefix: string): string => `${prefix}\u{10FFFF}`;

export const compileWith = (compiler: QueryCompiler, query: Query): CompiledQuery =>
  compiler.compileQuery(query.toOperationNode() as Parameters<QueryCompiler['compileQuery']>[0], createQueryId());

/** The parameters of a compiled query with the values of the named ones in their places. */
export const bind = ({ parameters }: CompiledQuery, values: object): unknown[] =>
  parameters.map((parameter) =>
    parameter instanceof NamedParameter ? Reflect.get(values, parameter.name) : parameter,
  );

/** A query that was written as SQL. */
export const raw = <T>(query: RawBuilder<T>): Query<T> => ({
  toOperationNode: () => query.toOperationNode(),
  compile: () => query.compile(build),
});
