import { toForgeError } from '@cua-forge/spec/errors';
import Sqlite, { type Database } from 'better-sqlite3';
import type { Connection, Snapshot } from '../connection.ts';
import type { CarryOut, Steps } from '../steps.ts';
import { ChangeWatch } from './change-watch.ts';
import { GroupCommit } from './group-commit.ts';
import { SqliteStatements } from './sqlite-statements.ts';

/**
 * One SQLite connection. All statements are synchronous and no transaction outlives a tick, so that two connections in
 * one process never wait for each other; work that takes longer has a handle of its own.
 */
export class SqliteConnection implements Connection {
  readonly #sqlite: Database;
  readonly #statements: SqliteStatements;
  readonly #changes: ChangeWatch;
  readonly #writes: GroupCommit;

  constructor(sqlite: Database) {
    this.#sqlite = sqlite;
    this.#statements = new SqliteStatements(sqlite);
    const dataVersion = sqlite.prepare<[], number>('PRAGMA data_version').pluck();
    this.#changes = new ChangeWatch(() => dataVersion.get() ?? 0);
    const inTransaction = sqlite.transaction((work: () => void) => work());
    this.#writes = new GroupCommit(
      (work) => inTransaction.immediate(work),
      () => this.#changes.signal(),
    );
  }

  async read<T>(steps: () => Steps<T>): Promise<T> {
    return readWith(this.#statements, steps);
  }

  write<T>(steps: () => Steps<T>, patience?: number): Promise<T> {
    return this.#writes.run(() => this.#statements.carryOut(steps()), patience);
  }

  async snapshot(): Promise<Snapshot> {
    const sqlite = new Sqlite(this.#sqlite.name, { readonly: true });
    // The snapshot is taken by the first statement that reads.
    sqlite.exec('begin; select 1 from sqlite_master limit 1');
    const statements = new SqliteStatements(sqlite);
    return {
      read: async (steps) => readWith(statements, steps),
      close: async () => {
        sqlite.close();
      },
    };
  }

  async exclusively<T>(work: (carryOut: CarryOut) => Promise<T>): Promise<T> {
    const sqlite = new Sqlite(this.#sqlite.name);
    try {
      sqlite.pragma('foreign_keys = ON');
      sqlite.exec('begin immediate');
      const statements = new SqliteStatements(sqlite);
      const result = await work(async (steps) => statements.carryOut(steps));
      sqlite.exec('commit');
      return result;
    } catch (thrown) {
      throw toForgeError(thrown);
    } finally {
      // Rolls back what is not committed.
      sqlite.close();
    }
  }

  /** SQLite counts on by itself. */
  *countOn(): Steps<void> {}

  watch(wake: () => void): () => void {
    return this.#changes.watch(wake);
  }

  async close(): Promise<void> {
    if (!this.#sqlite.open) return;
    this.#writes.close();
    this.#changes.close();
    this.#sqlite.close();
  }
}

function readWith<T>(statements: SqliteStatements, steps: () => Steps<T>): T {
  try {
    return statements.carryOut(steps());
  } catch (thrown) {
    throw toForgeError(thrown);
  }
}
