import { ForgeError } from '@cua-forge/spec/errors';
import { BatchRecord, type BatchState, type TimeMark } from '@cua-forge/spec/store-port';
import { build } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import { all, first, modify, type Steps } from '../steps.ts';

export class BatchRows {
  /** Does nothing when the batch exists already. */
  *create(batch: BatchRecord): Steps<void> {
    const valid = parseRow(BatchRecord, 'batches', batch);
    yield* modify(
      build
        .insertInto('batches')
        .values({ id: valid.id, created_at: valid.createdAt, body: JSON.stringify(valid) })
        .onConflict((conflict) => conflict.column('id').doNothing()),
    );
  }

  /** @throws ForgeError `not-found` */
  *update(
    id: string,
    change: Partial<Pick<BatchRecord, 'state' | 'endedAt' | 'window' | 'budget' | 'complete'>>,
    from?: readonly BatchState[],
  ): Steps<boolean> {
    const batch = yield* this.get(id);
    if (batch === null) {
      throw new ForgeError('not-found', `There is no batch "${id}" in the store.`, {
        fix: 'List the batches to see their ids.',
      });
    }
    if (from && !from.includes(batch.state)) return false;
    const body = JSON.stringify(parseRow(BatchRecord, 'batches', { ...batch, ...change }));
    yield* modify(build.updateTable('batches').set({ body }).where('id', '=', id));
    return true;
  }

  *get(id: string): Steps<BatchRecord | null> {
    const row = yield* first(build.selectFrom('batches').select('body').where('id', '=', id));
    return row === undefined ? null : toRecord(row);
  }

  /** Newest first. */
  *list(limit: number, before?: TimeMark): Steps<BatchRecord[]> {
    let query = build
      .selectFrom('batches')
      .select('body')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (before !== undefined) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(before.createdAt, before.id)),
      );
    }
    return (yield* all(query)).map(toRecord);
  }
}

const toRecord = ({ body }: { body: string }): BatchRecord => parseBody(BatchRecord, 'batches', body);
