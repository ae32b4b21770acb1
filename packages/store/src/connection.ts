import { toForgeError } from '@cua-forge/spec/errors';
import type { Database, Statement } from 'better-sqlite3';
import type { Compilable } from 'kysely';
import { ChangeWatch } from './change-watch.ts';
import { GroupCommit } from './group-commit.ts';

/**
 * One SQLite connection. All statements are synchronous and no transaction outlives a tick, so that two connections in
 * one process never wait for each other.
 */
export class Connection {
  readonly changes: ChangeWatch;
  readonly #sqlite: Database;
  readonly #writes: GroupCommit;

  constructor(sqlite: Database) {
    this.#sqlite = sqlite;
    const dataVersion = sqlite.prepare<[], number>('PRAGMA data_version').pluck();
    this.changes = new ChangeWatch(() => dataVersion.get() ?? 0);
    const inTransaction = sqlite.transaction((work: () => void) => work());
    this.#writes = new GroupCommit(
      (work) => inTransaction.immediate(work),
      () => this.changes.signal(),
    );
  }

  /** Runs reading statements; several see the same state. */
  async read<T>(work: () => T): Promise<T> {
    try {
      return work();
    } catch (thrown) {
      throw toForgeError(thrown);
    }
  }

  /** Runs writing statements in a transaction that it may share with others of the same tick. */
  write<T>(work: () => T): Promise<T> {
    return this.#writes.run(work);
  }

  /** Compiles a query once; all its parameters are named ones. */
  prepare<Parameters extends object, Row>(query: Compilable<Row>): Statement<[Parameters], Row> {
    return this.#sqlite.prepare<[Parameters], Row>(query.compile().sql);
  }

  all<Row>(query: Compilable<Row>): Row[] {
    const { sql, parameters } = query.compile();
    return this.#sqlite.prepare<unknown[], Row>(sql).all(...parameters);
  }

  first<Row>(query: Compilable<Row>): Row | undefined {
    const { sql, parameters } = query.compile();
    return this.#sqlite.prepare<unknown[], Row>(sql).get(...parameters);
  }

  /** Runs an insert, update or delete; returns the number of rows it changed. */
  change(query: Compilable): number {
    const { sql, parameters } = query.compile();
    return this.#sqlite.prepare<unknown[]>(sql).run(...parameters).changes;
  }

  close(): void {
    if (!this.#sqlite.open) return;
    this.#writes.close();
    this.changes.close();
    this.#sqlite.close();
  }
}
