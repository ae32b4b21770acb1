import { ForgeError } from '@cua-forge/spec/errors';
import { type MetaStore, RunRecord, RunState, type SkillCount } from '@cua-forge/spec/store-port';
import { sql } from 'kysely';
import { build, named } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import { all, first, PreparedQuery, type Steps } from '../steps.ts';
import type { RunRow } from '../tables.ts';

type Change = Parameters<MetaStore['updateRun']>[1];
type Count = Awaited<ReturnType<MetaStore['countRuns']>>[number];
type Filter = Parameters<MetaStore['listRuns']>[0];

export class RunRows {
  readonly #insert;
  readonly #select;
  readonly #update;

  constructor() {
    const columns = {
      document_id: named<string>('document_id'),
      batch_id: named<string | null>('batch_id'),
      state: named<RunRow['state']>('state'),
      failure_code: named<string | null>('failure_code'),
      skill: named<string>('skill'),
      document_hash: named<string>('document_hash'),
      created_at: named<number>('created_at'),
      ended_at: named<number | null>('ended_at'),
      body: named<string>('body'),
    };
    this.#insert = new PreparedQuery<RunRow, unknown>(
      build
        .insertInto('runs')
        .values({ id: named('id'), ...columns })
        .onConflict((conflict) => conflict.column('id').doNothing()),
    );
    this.#select = new PreparedQuery<{ id: string }, { body: string }>(
      build.selectFrom('runs').select('body').where('id', '=', named<string>('id')),
    );
    this.#update = new PreparedQuery<RunRow, unknown>(
      build.updateTable('runs').set(columns).where('id', '=', named<string>('id')),
    );
  }

  *create(run: RunRecord): Steps<void> {
    yield* this.#insert.modify(toRow(parseRow(RunRecord, 'runs', run)));
  }

  *get(id: string): Steps<RunRecord | null> {
    const row = yield* this.#select.first({ id });
    return row === undefined ? null : toRecord(row);
  }

  /** @throws ForgeError `run.not-found` */
  *update(id: string, change: Change, from?: readonly RunState[]): Steps<boolean> {
    const run = yield* this.get(id);
    if (run === null) {
      throw new ForgeError('run.not-found', `There is no run "${id}" in the store.`, {
        fix: 'List the runs to see their ids.',
      });
    }
    if (from && !from.includes(run.state)) return false;
    yield* this.#update.modify(toRow(parseRow(RunRecord, 'runs', { ...run, ...change })));
    return true;
  }

  *list(filter: Filter): Steps<RunRecord[]> {
    const { documentId, batchId, state, failureCode, before, limit } = filter;
    let query = build
      .selectFrom('runs')
      .select('body')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (documentId !== undefined) query = query.where('document_id', '=', documentId);
    if (batchId !== undefined) query = query.where('batch_id', '=', batchId);
    if (state !== undefined) query = query.where('state', '=', state);
    if (failureCode !== undefined) {
      query = query.where('failure_code', '=', failureCode);
    }
    if (before !== undefined) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(before.createdAt, before.id)),
      );
    }
    return (yield* all(query)).map(toRecord);
  }

  *count(batchId: string | undefined): Steps<Count[]> {
    const query = build
      .selectFrom('runs')
      .select(['state', 'failure_code', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy(['state', 'failure_code']);
    return (yield* all(batchId === undefined ? query : query.where('batch_id', '=', batchId))).map(
      ({ state, failure_code: failureCode, count }) => ({
        state: RunState.parse(state),
        failureCode,
        count,
      }),
    );
  }

  *countBySkill(): Steps<SkillCount[]> {
    const rehearsed = sql<number>`case when exists (
      select 1 from model_calls where model_calls.run_id = runs.id and model_calls.provider = 'rehearsal'
    ) then 1 else 0 end`;
    const each = build
      .selectFrom('runs')
      .select(['skill', 'document_id', 'document_hash', 'state', 'failure_code', rehearsed.as('rehearsed')]);
    const query = build
      .selectFrom(each.as('each'))
      .select([
        'each.skill',
        'each.document_id',
        'each.document_hash',
        'each.state',
        'each.failure_code',
        'each.rehearsed',
        sql<number>`count(*)`.as('count'),
      ])
      .groupBy([
        'each.skill',
        'each.document_id',
        'each.document_hash',
        'each.state',
        'each.failure_code',
        'each.rehearsed',
      ]);
    return (yield* all(query)).map((row) => ({
      skill: row.skill,
      documentId: row.document_id,
      documentHash: row.document_hash,
      state: RunState.parse(row.state),
      failureCode: row.failure_code,
      rehearsed: Number(row.rehearsed) === 1,
      count: Number(row.count),
    }));
  }

  *countEnded(batchId: string, since: number): Steps<number> {
    const query = build
      .selectFrom('runs')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('batch_id', '=', batchId)
      .where('ended_at', '>=', since);
    return (yield* first(query))?.count ?? 0;
  }

  *idsOf(batchId: string): Steps<string[]> {
    return (yield* all(build.selectFrom('runs').select('id').where('batch_id', '=', batchId))).map(({ id }) => id);
  }
}

const toRow = (run: RunRecord): RunRow => ({
  id: run.id,
  document_id: run.documentId,
  batch_id: run.batchId,
  state: run.state,
  failure_code: run.failure?.code ?? null,
  skill: run.skill,
  document_hash: run.documentHash,
  created_at: run.createdAt,
  ended_at: run.endedAt,
  body: JSON.stringify(run),
});

const toRecord = ({ body }: { body: string }): RunRecord => parseBody(RunRecord, 'runs', body);
