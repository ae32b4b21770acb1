import { ForgeError } from '@cua-forge/spec/errors';
import { BatchRecord } from '@cua-forge/spec/store-port';
import type { Connection } from '../connection.ts';
import { build } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';

export class BatchRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Does nothing when the batch exists already. */
  create(batch: BatchRecord): void {
    const valid = parseRow(BatchRecord, 'batches', batch);
    this.#connection.change(
      build
        .insertInto('batches')
        .values({ id: valid.id, created_at: valid.createdAt, body: JSON.stringify(valid) })
        .onConflict((conflict) => conflict.column('id').doNothing()),
    );
  }

  /** @throws ForgeError `not-found` */
  update(id: string, change: Partial<Pick<BatchRecord, 'state' | 'endedAt'>>): void {
    const batch = this.get(id);
    if (batch === null) {
      throw new ForgeError('not-found', `There is no batch "${id}" in the store.`, {
        fix: 'List the batches to see their ids.',
      });
    }
    const body = JSON.stringify(parseRow(BatchRecord, 'batches', { ...batch, ...change }));
    this.#connection.change(build.updateTable('batches').set({ body }).where('id', '=', id));
  }

  get(id: string): BatchRecord | null {
    const row = this.#connection.first(build.selectFrom('batches').select('body').where('id', '=', id));
    return row === undefined ? null : toRecord(row);
  }

  /** Newest first. */
  list(limit: number): BatchRecord[] {
    const query = build.selectFrom('batches').select('body').orderBy('created_at', 'desc').orderBy('id', 'desc');
    return this.#connection.all(query.limit(limit)).map(toRecord);
  }
}

const toRecord = ({ body }: { body: string }): BatchRecord => parseBody(BatchRecord, 'batches', body);
