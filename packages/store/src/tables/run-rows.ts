import { ForgeError } from '@cua-forge/spec/errors';
import { type MetaStore, RunRecord } from '@cua-forge/spec/store-port';
import { sql } from 'kysely';
import type { Connection } from '../connection.ts';
import { build } from '../query-builder.ts';
import { parseJson, parseRow } from '../rows.ts';
import type { RunRow } from '../tables.ts';

type Change = Parameters<MetaStore['updateRun']>[1];
type Filter = Parameters<MetaStore['listRuns']>[0];

export class RunRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  create(run: RunRecord): void {
    const row = toRow(parseRow(RunRecord, 'runs', run));
    this.#connection.change(
      build
        .insertInto('runs')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing()),
    );
  }

  get(id: string): RunRecord | null {
    const row = this.#connection.first(build.selectFrom('runs').selectAll().where('id', '=', id));
    return row === undefined ? null : toRecord(row);
  }

  /** @throws ForgeError `run.not-found` */
  update(id: string, change: Change): void {
    const run = this.get(id);
    if (run === null) {
      throw new ForgeError('run.not-found', `There is no run "${id}" in the store.`, {
        fix: 'List the runs to see their ids.',
      });
    }
    const { id: _, ...row } = toRow(parseRow(RunRecord, 'runs', { ...run, ...change }));
    this.#connection.change(build.updateTable('runs').set(row).where('id', '=', id));
  }

  list(filter: Filter): RunRecord[] {
    const { documentId, batchId, state, failureCode, before, limit } = filter;
    let query = build.selectFrom('runs').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit);
    if (documentId !== undefined) query = query.where('document_id', '=', documentId);
    if (batchId !== undefined) query = query.where('batch_id', '=', batchId);
    if (state !== undefined) query = query.where('state', '=', state);
    if (failureCode !== undefined) {
      query = query.where(sql<string>`json_extract(${sql.ref('failure')}, '$.code')`, '=', failureCode);
    }
    if (before !== undefined) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(before.createdAt, before.id)),
      );
    }
    return this.#connection.all(query).map(toRecord);
  }
}

const toRow = (run: RunRecord): RunRow => ({
  id: run.id,
  document_id: run.documentId,
  document_hash: run.documentHash,
  plan_hash: run.planHash,
  title: run.title,
  skill: run.skill,
  seed: run.seed,
  mode: run.mode,
  batch_id: run.batchId,
  base_run: run.baseRun,
  selection: JSON.stringify(run.selection),
  inputs: JSON.stringify(run.inputs),
  edits: JSON.stringify(run.edits),
  state: run.state,
  failure: run.failure === null ? null : JSON.stringify(run.failure),
  outputs: JSON.stringify(run.outputs),
  epoch: run.epoch,
  workflow_id: run.workflowId,
  created_at: run.createdAt,
  started_at: run.startedAt,
  ended_at: run.endedAt,
});

const toRecord = (row: RunRow): RunRecord =>
  parseRow(RunRecord, 'runs', {
    id: row.id,
    documentId: row.document_id,
    documentHash: row.document_hash,
    planHash: row.plan_hash,
    title: row.title,
    skill: row.skill,
    seed: row.seed,
    mode: row.mode,
    batchId: row.batch_id,
    baseRun: row.base_run,
    selection: parseJson(row.selection),
    inputs: parseJson(row.inputs),
    edits: parseJson(row.edits),
    state: row.state,
    failure: row.failure === null ? null : parseJson(row.failure),
    outputs: parseJson(row.outputs),
    epoch: row.epoch,
    workflowId: row.workflow_id,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  });
