import { type ScheduleLog, ScheduleRecord } from '@cua-forge/spec/schedule';
import { batchOfSchedule } from '@cua-forge/spec/schedule-batch';
import type { BatchRecord } from '@cua-forge/spec/store-port';
import { build } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import { all, first, modify, type Steps } from '../steps.ts';
import type { BatchRows } from './batch-rows.ts';

export class ScheduleRows {
  readonly #batches: BatchRows;

  constructor(batches: BatchRows) {
    this.#batches = batches;
  }

  *create(record: ScheduleRecord): Steps<void> {
    const { id, createdAt } = record;
    const body = JSON.stringify(parseRow(ScheduleRecord, 'schedules', record));
    const row = { id, created_at: createdAt, body };
    yield* modify(
      build
        .insertInto('schedules')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing()),
    );
  }

  *update(id: string, change: Parameters<ScheduleLog<BatchRecord>['updateSchedule']>[1]): Steps<ScheduleRecord | null> {
    const record = yield* this.get(id);
    if (record === null) return null;
    const changed = parseRow(ScheduleRecord, 'schedules', { ...record, ...change });
    yield* modify(
      build
        .updateTable('schedules')
        .set({ body: JSON.stringify(changed) })
        .where('id', '=', id),
    );
    return changed;
  }

  *get(id: string): Steps<ScheduleRecord | null> {
    const row = yield* first(build.selectFrom('schedules').select('body').where('id', '=', id));
    return row === undefined ? null : toRecord(row);
  }

  *list(limit: number): Steps<ScheduleRecord[]> {
    const query = build.selectFrom('schedules').select('body').orderBy('created_at', 'desc').orderBy('id', 'desc');
    return (yield* all(query.limit(limit))).map(toRecord);
  }

  *remove(id: string): Steps<void> {
    yield* modify(build.deleteFrom('schedules').where('id', '=', id));
  }

  *fire(id: string, turn: Parameters<ScheduleLog<BatchRecord>['fireSchedule']>[1]): Steps<BatchRecord | null> {
    const known = yield* this.#batches.get(turn.id);
    if (known !== null) return known;
    const record = yield* this.get(id);
    if (record === null) return null;
    const batch = batchOfSchedule(record, turn);
    yield* this.#batches.create(batch);
    const body = JSON.stringify({ ...record, fired: record.fired + 1 });
    yield* modify(build.updateTable('schedules').set({ body }).where('id', '=', id));
    return batch;
  }
}

const toRecord = ({ body }: { body: string }): ScheduleRecord => parseBody(ScheduleRecord, 'schedules', body);
