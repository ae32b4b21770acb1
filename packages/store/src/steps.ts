import type { Compilable, OperationNodeSource } from 'kysely';

/** A query of the builder; every database compiles it in its own way. */
export type Query<Row = unknown> = Compilable<Row> & OperationNodeSource;

/** What a connection is asked to run next. `values` are those of the prepared query's named parameters. */
export type Statement = { query: Query } | { prepared: PreparedQuery<object, unknown>; values: object };

export interface StatementResult {
  rows: readonly unknown[];
  /** Rows that an insert, update or delete changed. */
  changes: number;
}

/**
 * Work on the database: yields statements, gets their results, returns a value. One that writes is a transaction. SQLite
 * carries it out within one tick, Postgres takes its time, and neither shows in the work itself.
 * It does nothing but statements, since it may be rolled back and run again.
 */
export type Steps<T> = Generator<Statement, T, StatementResult>;

/** Runs steps on a connection or in a transaction that is open. */
export type CarryOut = <T>(steps: Steps<T>) => Promise<T>;

/** The rows of a query. */
export function* all<Row>(query: Query<Row>): Steps<Row[]> {
  return rowsOf<Row>(yield { query });
}

/** The first row of a query. */
export function* first<Row>(query: Query<Row>): Steps<Row | undefined> {
  return rowsOf<Row>(yield { query })[0];
}

/** Runs an insert, update or delete; returns the number of rows it changed. */
export function* modify(query: Query): Steps<number> {
  return (yield { query }).changes;
}

/** A query that is compiled and planned once for each connection; its parameters are `named` ones. */
export class PreparedQuery<Parameters extends object, Row = unknown> {
  readonly query: Query<Row>;

  constructor(query: Query<Row>) {
    this.query = query;
  }

  *all(values: Parameters): Steps<Row[]> {
    return rowsOf<Row>(yield { prepared: this, values });
  }

  *first(values: Parameters): Steps<Row | undefined> {
    return rowsOf<Row>(yield { prepared: this, values })[0];
  }

  /** Returns the number of rows that were changed. */
  *modify(values: Parameters): Steps<number> {
    return (yield { prepared: this, values }).changes;
  }
}

/** The builder knows which columns a query selects, and a connection hands back just these. */
const rowsOf = <Row>({ rows }: StatementResult): Row[] => rows as Row[];
