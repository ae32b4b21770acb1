import type { PackageVerdict } from '@cua-forge/spec/review';
import { PackageRecord, type TimeMark } from '@cua-forge/spec/store-port';
import type { Insertable } from 'kysely';
import { build } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import { all, first, modify, type Steps } from '../steps.ts';
import type { PackageRow } from '../tables.ts';

export class PackageRows {
  /** A package that is made again under its id replaces the older one, and what people think of it stays. */
  *add(record: PackageRecord): Steps<void> {
    const valid = parseRow(PackageRecord, 'packages', record);
    const row: Insertable<PackageRow> = {
      id: valid.id,
      run_id: valid.runId,
      batch_id: valid.batchId,
      skill: valid.skill,
      rehearsed: valid.rehearsed ? 1 : 0,
      created_at: valid.createdAt,
      body: JSON.stringify(valid),
    };
    const { id: _, ...rest } = row;
    yield* modify(
      build
        .insertInto('packages')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(rest)),
    );
  }

  *get(id: string): Steps<PackageRecord | null> {
    const row = yield* first(build.selectFrom('packages').select('body').where('id', '=', id));
    return row === undefined ? null : toRecord(row);
  }

  /** Newest first. */
  *list(filter: {
    batchId?: string;
    runId?: string;
    skill?: string;
    verdicts?: readonly PackageVerdict[];
    limit: number;
    before?: TimeMark;
  }): Steps<PackageRecord[]> {
    const { batchId, runId, skill, verdicts, limit, before } = filter;
    let query = build
      .selectFrom('packages')
      .select('body')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (batchId !== undefined) query = query.where('batch_id', '=', batchId);
    if (runId !== undefined) query = query.where('run_id', '=', runId);
    if (skill !== undefined) query = query.where('skill', '=', skill);
    if (verdicts !== undefined) query = query.where('verdict', 'in', [...verdicts]);
    if (before !== undefined) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(before.createdAt, before.id)),
      );
    }
    return (yield* all(query)).map(toRecord);
  }
}

const toRecord = ({ body }: { body: string }): PackageRecord => parseBody(PackageRecord, 'packages', body);
