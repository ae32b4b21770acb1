import { type MetaStore, type NewEvent, RunEvent } from '@cua-forge/spec/store-port';
import { sql } from 'kysely';
import { build, named } from '../query-builder.ts';
import { parseJson, parseRow } from '../rows.ts';
import { all, first, PreparedQuery, type Steps } from '../steps.ts';
import type { EventRow } from '../tables.ts';

type Filter = Parameters<MetaStore['listEvents']>[0];

export class EventRows {
  readonly #insert;

  constructor() {
    this.#insert = new PreparedQuery<EventRow, unknown>(
      build
        .insertInto('events')
        .values({
          run_id: named('run_id'),
          type: named('type'),
          data: named('data'),
          at: named('at'),
          dedupe: named('dedupe'),
        })
        .onConflict((conflict) =>
          conflict.columns(['run_id', 'dedupe']).where('dedupe', 'is not', sql.lit(null)).doNothing(),
        ),
    );
  }

  *add(events: NewEvent[]): Steps<void> {
    for (const { runId, type, data, at, dedupe } of events) {
      yield* this.#insert.modify({
        run_id: runId,
        type,
        data: JSON.stringify(data ?? null),
        at,
        dedupe: dedupe ?? null,
      });
    }
  }

  *list(filter: Filter): Steps<RunEvent[]> {
    const { after, runId, batchId, key, types, limit } = filter;
    let query = build
      .selectFrom('events')
      .select(['id', 'run_id', 'type', 'data', 'at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit);
    if (types !== undefined) query = query.where('type', 'in', [...types]);
    if (runId !== undefined) query = query.where('run_id', '=', runId);
    // Every event of a node has its path as a member `key`; paths have no character that JSON or LIKE takes for another.
    if (key !== undefined) query = query.where('data', 'like', `%"key":"${key}"%`);
    if (batchId !== undefined) {
      // As an expression it keeps the order of ids: by the index on runs, every event of the batch would be sorted first.
      const runOfEvent = sql<string>`(${sql.ref('run_id')} || '')`;
      query = query.where((where) =>
        where.or([
          where(runOfEvent, '=', batchId),
          where(runOfEvent, 'in', build.selectFrom('runs').select('runs.id').where('batch_id', '=', batchId)),
        ]),
      );
    }
    return (yield* all(query)).map((row) =>
      parseRow(RunEvent, 'events', {
        id: row.id,
        runId: row.run_id,
        type: row.type,
        data: parseJson(row.data),
        at: row.at,
      }),
    );
  }

  *lastId(): Steps<number> {
    const row = yield* first(build.selectFrom('events').select((select) => select.fn.max('id').as('last')));
    return row?.last ?? 0;
  }
}
