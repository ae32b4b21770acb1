import { toForgeError } from '@cua-forge/spec/errors';
import type { Database, Statement as SqliteStatement } from 'better-sqlite3';
import { type CompiledQuery, SqliteQueryCompiler } from 'kysely';
import type { Connection } from '../connection.ts';
import { bind, compileWith } from '../query-builder.ts';
import type { PreparedQuery, Statement, StatementResult, Steps } from '../steps.ts';
import { ChangeWatch } from './change-watch.ts';
import { GroupCommit } from './group-commit.ts';

interface Compiled {
  query: CompiledQuery;
  statement: SqliteStatement<unknown[], unknown>;
}

/**
 * One SQLite connection. All statements are synchronous and no transaction outlives a tick, so that two connections in
 * one process never wait for each other.
 */
export class SqliteConnection implements Connection {
  readonly #sqlite: Database;
  readonly #changes: ChangeWatch;
  readonly #writes: GroupCommit;
  readonly #compiler = new SqliteQueryCompiler();
  readonly #prepared = new Map<PreparedQuery<object>, Compiled>();

  constructor(sqlite: Database) {
    this.#sqlite = sqlite;
    const dataVersion = sqlite.prepare<[], number>('PRAGMA data_version').pluck();
    this.#changes = new ChangeWatch(() => dataVersion.get() ?? 0);
    const inTransaction = sqlite.transaction((work: () => void) => work());
    this.#writes = new GroupCommit(
      (work) => inTransaction.immediate(work),
      () => this.#changes.signal(),
    );
  }

  async read<T>(steps: () => Steps<T>): Promise<T> {
    try {
      return this.#carryOut(steps());
    } catch (thrown) {
      throw toForgeError(thrown);
    }
  }

  write<T>(steps: () => Steps<T>): Promise<T> {
    return this.#writes.run(() => this.#carryOut(steps()));
  }

  watch(wake: () => void): () => void {
    return this.#changes.watch(wake);
  }

  async close(): Promise<void> {
    if (!this.#sqlite.open) return;
    this.#writes.close();
    this.#changes.close();
    this.#sqlite.close();
  }

  #carryOut<T>(steps: Steps<T>): T {
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

  #compile(query: PreparedQuery<object>['query']): Compiled {
    const compiled = compileWith(this.#compiler, query);
    return { query: compiled, statement: this.#sqlite.prepare<unknown[]>(compiled.sql) };
  }
}
