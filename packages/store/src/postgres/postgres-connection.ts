import { ForgeError } from '@cua-forge/spec/errors';
import { type CompiledQuery, PostgresQueryCompiler, sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import type { Connection, Snapshot } from '../connection.ts';
import { bind, compileWith, raw } from '../query-builder.ts';
import { all, type CarryOut, type PreparedQuery, type Statement, type StatementResult, type Steps } from '../steps.ts';
import type { NotifyWatch } from './notify-watch.ts';
import { toPostgresError } from './postgres-faults.ts';
import { QueuedCommit } from './queued-commit.ts';

/**
 * Begins a transaction as the only writer of the schema. Events get growing ids in the order in which they become
 * visible only because their writers take turns, and what a transaction reads stays true until it commits.
 */
export const beginAsOnlyWriter = `begin; select pg_advisory_xact_lock(hashtext('cua-forge ' || current_schema()))`;

/** For transactions that wait for files or a bucket between their statements. */
const unhurried = 'set local idle_in_transaction_session_timeout = 0';

/** Reads go to the pool's connections, writes one transaction after the other to one of them. */
export class PostgresConnection implements Connection {
  readonly #pool: Pool;
  readonly #changes: NotifyWatch;
  readonly #writes: QueuedCommit;
  readonly #compiler = new PostgresQueryCompiler();
  readonly #prepared = new Map<PreparedQuery<object>, { name: string; query: CompiledQuery }>();
  #closing: Promise<void> | null = null;

  constructor(pool: Pool, changes: NotifyWatch) {
    this.#pool = pool;
    this.#changes = changes;
    this.#writes = new QueuedCommit(
      (work) => this.#transaction((client) => work((steps) => this.#carryOut(client, steps))),
      () => changes.signal(),
    );
  }

  /** Every statement sees what is committed when it starts. */
  async read<T>(steps: () => Steps<T>): Promise<T> {
    if (this.#closing !== null) throw new ForgeError('internal', 'The store is closed: nothing can be read.');
    try {
      return await this.#carryOut(this.#pool, steps());
    } catch (thrown) {
      throw toPostgresError(thrown);
    }
  }

  write<T>(steps: () => Steps<T>): Promise<T> {
    return this.#writes.run(steps);
  }

  async snapshot(): Promise<Snapshot> {
    const client = await this.#pool.connect().catch((thrown: unknown) => Promise.reject(toPostgresError(thrown)));
    try {
      await client.query(
        `begin isolation level repeatable read read only; ${unhurried}; select 1 from pg_class limit 1`,
      );
    } catch (thrown) {
      client.release(true);
      throw toPostgresError(thrown);
    }
    return {
      read: async (steps) => {
        try {
          return await this.#carryOut(client, steps());
        } catch (thrown) {
          throw toPostgresError(thrown);
        }
      },
      close: async () => {
        const broken = await client.query('commit').then(
          () => undefined,
          () => true,
        );
        client.release(broken);
      },
    };
  }

  async exclusively<T>(work: (carryOut: CarryOut) => Promise<T>): Promise<T> {
    try {
      const result = await this.#transaction(async (client) => {
        await client.query(unhurried);
        return work((steps) => this.#carryOut(client, steps));
      });
      this.#changes.signal();
      return result;
    } catch (thrown) {
      throw toPostgresError(thrown);
    }
  }

  *countOn(table: string, column: string): Steps<void> {
    const sequence = sql`pg_get_serial_sequence(${table}, ${column})`;
    const next = sql`coalesce(max(${sql.ref(column)}), 0) + 1`;
    yield* all(raw(sql`select setval(${sequence}, ${next}, false) from ${sql.table(table)}`));
  }

  watch(wake: () => void): () => void {
    return this.#changes.watch(wake);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#writes.close();
    await this.#changes.close();
    await this.#pool.end();
  }

  async #transaction<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      await client.query(beginAsOnlyWriter);
      const result = await work(client);
      await client.query(`${this.#changes.statement}; commit`);
      client.release();
      return result;
    } catch (thrown) {
      // A connection that cannot even roll back is not used again; the server rolls back when it is gone.
      const broken = await client.query('rollback').then(
        () => undefined,
        () => true,
      );
      client.release(broken);
      throw thrown;
    }
  }

  async #carryOut<T>(queryable: Pick<ClientBase, 'query'> | Pool, steps: Steps<T>): Promise<T> {
    let step = steps.next();
    while (!step.done) step = steps.next(await this.#run(queryable, step.value));
    return step.value;
  }

  async #run(queryable: Pick<ClientBase, 'query'> | Pool, wanted: Statement): Promise<StatementResult> {
    const { rows, rowCount } = await queryable.query(this.#compiled(wanted));
    return { rows, changes: rowCount ?? 0 };
  }

  #compiled(wanted: Statement): { text: string; values: unknown[]; name?: string } {
    if ('query' in wanted) {
      const { sql, parameters } = compileWith(this.#compiler, wanted.query);
      return { text: sql, values: [...parameters] };
    }
    const { name, query } = this.#preparedOf(wanted.prepared);
    return { name, text: query.sql, values: bind(query, wanted.values) };
  }

  #preparedOf(prepared: PreparedQuery<object>): { name: string; query: CompiledQuery } {
    const known = this.#prepared.get(prepared);
    if (known !== undefined) return known;
    const fresh = { name: `forge-${this.#prepared.size}`, query: compileWith(this.#compiler, prepared.query) };
    this.#prepared.set(prepared, fresh);
    return fresh;
  }
}
