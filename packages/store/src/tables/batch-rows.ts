import { ForgeError } from '@cua-forge/spec/errors';
import { BatchRecord } from '@cua-forge/spec/store-port';
import type { Connection } from '../connection.ts';
import { build } from '../query-builder.ts';
import { parseRow } from '../rows.ts';
import type { BatchRow } from '../tables.ts';

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
        .values({
          id: valid.id,
          document_id: valid.documentId,
          document_hash: valid.documentHash,
          count: valid.count,
          seed: valid.seed,
          state: valid.state,
          workflow_id: valid.workflowId,
          created_at: valid.createdAt,
          ended_at: valid.endedAt,
        })
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
    const { state, endedAt } = parseRow(BatchRecord, 'batches', { ...batch, ...change });
    this.#connection.change(build.updateTable('batches').set({ state, ended_at: endedAt }).where('id', '=', id));
  }

  get(id: string): BatchRecord | null {
    const row = this.#connection.first(build.selectFrom('batches').selectAll().where('id', '=', id));
    return row === undefined ? null : toRecord(row);
  }

  /** Newest first. */
  list(limit: number): BatchRecord[] {
    const query = build.selectFrom('batches').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
    return this.#connection.all(query.limit(limit)).map(toRecord);
  }
}

const toRecord = (row: BatchRow): BatchRecord =>
  parseRow(BatchRecord, 'batches', {
    id: row.id,
    documentId: row.document_id,
    documentHash: row.document_hash,
    count: row.count,
    seed: row.seed,
    state: row.state,
    workflowId: row.workflow_id,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  });
