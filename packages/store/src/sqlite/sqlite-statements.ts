import type { Database, Statement as SqliteStatement } from 'better-sqlite3';
import { type CompiledQuery, SqliteQueryCompiler } from 'kysely';
import { bind, compileWith } from '../query-builder.ts';
import type { PreparedQuery, Query, Statement, StatementResult, Steps } from '../steps.ts';

interface Compiled {
  query: CompiledQuery;
  statement: SqliteStatement<unknown[], unknown>;
}

/** Carries steps out on a SQLite handle, all of them at once. */
export class SqliteStatements {
  readonly #sqlite: Database;
  readonly #compiler = new SqliteQueryCompiler();
  readonly #prepared = new Map<PreparedQuery<object>, Compiled>();

  constructor(sqlite: Database) {
    this.#sqlite = sqlite;
  }

  carryOut<T>(steps: Steps<T>): T {
    let step = steps.next();
    while (!step.done) step = steps.next(this.#run(step.value));
    return step.value;
  }

  #run(wanted: Statement): StatementResult {
    const { query, statement } = 'prepared' in wanted ? this.#preparedOf(wanted.prepared) : this.#compile(wanted.query);
    const parameters = 'prepared' in wanted ? bind(query, wanted.values) : query.parameters;
    return statement.reader
      ? { rows: statement.all(...parameters), changes: 0 }
      : { rows: [], changes: statement.run(...parameters).changes };
  }

  #preparedOf(prepared: PreparedQuery<object>): Compiled {
    const known = this.#prepared.get(prepared);
    if (known !== undefined) return known;
    const compiled = this.#compile(prepared.query);
    this.#prepared.set(prepared, compiled);
    return compiled;
  }

  #compile(query: Query): Compiled {
    const compiled = compileWith(this.#compiler, query);
    return { query: compiled, statement: this.#sqlite.prepare<unknown[]>(compiled.sql) };
  }
}
