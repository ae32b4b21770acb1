import type { BatchPart } from '@cua-forge/spec/batch-part';
import { batchRunId, indexOfBatchRun, placeInBatch } from '@cua-forge/spec/batch-parts';
import { exhaustion } from '@cua-forge/spec/budget';
import type { BatchHalt, BatchRun, BatchWork, EngineActivities } from '@cua-forge/spec/engine';
import {
  BatchRunIndex,
  BeginHostedRuns,
  CloseBatch,
  LookAtBatch,
  ReportBatch,
  runWorkflowId,
  versionOf,
} from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import { runsInHost } from '@cua-forge/spec/hosting';
import type { BatchRecord, BatchState, RunRecord, Store } from '@cua-forge/spec/store-port';
import type { RunFacts } from '../executor/run-facts.ts';

type BatchActivities = Pick<
  EngineActivities,
  'lookAtBatch' | 'beginBatchRun' | 'beginHostedRuns' | 'closeBatch' | 'openBatchRun' | 'reportBatch'
>;

/** Runs that a batch is told of at once. */
const AT_ONCE = 500;
const open: readonly BatchState[] = ['queued', 'running', 'paused', 'budget'];
const closed: readonly BatchState[] = ['succeeded', 'failed', 'cancelled', 'terminated'];

export function batchActivities({ meta }: Store, facts: RunFacts): BatchActivities {
  async function find(id: string): Promise<BatchRecord> {
    const batch = await meta.getBatch(id);
    if (!batch)
      throw new ForgeError('not-found', `The store has no batch '${id}'.`, {
        fix: 'Server and worker must use the same store.',
      });
    return batch;
  }

  /** Changes the state of a batch and tells who follows it, once. */
  async function become(batch: BatchRecord, state: BatchState, from: readonly BatchState[]): Promise<void> {
    const ended = closed.includes(state) ? Date.now() : null;
    if (batch.state === state || !from.includes(batch.state)) return;
    if (!(await meta.updateBatch(batch.id, { state, endedAt: ended }, from))) return;
    await meta.addEvents([{ runId: batch.id, type: 'batch', data: { state, count: batch.count }, at: Date.now() }]);
  }

  const isSpent = async ({ id, budget }: BatchRecord): Promise<boolean> =>
    exhaustion(budget, await meta.spentOf({ batchId: id })) !== null;

  const stoppedByBudget = async (batchId: string): Promise<boolean> =>
    (await meta.countRuns({ batchId })).some(
      ({ state, failureCode }) => state === 'failed' && failureCode === 'budget.exhausted',
    );

  /** How many runs of a part may share a workflow; none where its plan cannot be read, which is for each run to say. */
  const hostOf = async ({ planHash }: BatchPart): Promise<number> => {
    const plan = await facts.plan(planHash).catch(() => null);
    return plan === null ? 0 : runsInHost(plan);
  };

  /** The same work with what may be hosted marked. */
  async function withHosts(batch: BatchRecord, work: BatchWork[]): Promise<BatchWork[]> {
    const hosts = await Promise.all(batch.parts.map(hostOf));
    if (hosts.every((runs) => runs < 2)) return work;
    return work.map((next) => {
      if (next.epoch > 1) return next;
      const part = batch.parts.indexOf(placeInBatch(batch, next.index).part);
      const runs = hosts[part] ?? 0;
      return runs < 2 ? next : { ...next, host: { part, runs } };
    });
  }

  /** Runs to take up again, then those that never were. */
  async function workOf(batch: BatchRecord, except: ReadonlySet<number>): Promise<BatchWork[]> {
    const queued = await meta.listRuns({ batchId: batch.id, state: 'queued', limit: AT_ONCE });
    const again = queued
      .map(({ id, epoch }) => ({ index: indexOfBatchRun(id), epoch }))
      .filter(({ index }) => !except.has(index))
      .sort((a, b) => a.index - b.index);
    if (batch.complete === true) return again;
    const there = new Set((await meta.listBatchRunIds(batch.id)).map(indexOfBatchRun));
    const fresh: BatchWork[] = [];
    for (let index = 0; index < batch.count && again.length + fresh.length < AT_ONCE; index++)
      if (!there.has(index) && !except.has(index)) fresh.push({ index, epoch: 1 });
    return [...again, ...fresh];
  }

  /** The run's record; a new one when it is not there yet. */
  async function runOf(batch: BatchRecord, index: number, host: string | null = null): Promise<RunRecord> {
    const id = batchRunId(batch.id, index);
    const workflowId = host ?? runWorkflowId(id);
    const known = await meta.getRun(id);
    if (known) {
      // One that was recorded for another workflow and has not begun in it.
      if (known.workflowId === workflowId || !(await meta.updateRun(id, { workflowId }, ['queued']))) return known;
      return { ...known, workflowId };
    }
    const { part, seed } = placeInBatch(batch, index);
    const run: RunRecord = {
      id,
      documentId: part.documentId,
      documentHash: part.documentHash,
      planHash: part.planHash,
      title: `${part.title}, seed ${seed}`,
      skill: part.skill,
      seed,
      mode: 'batch',
      batchId: batch.id,
      ...(batch.evaluationId === undefined ? {} : { trial: true }),
      baseRun: null,
      selection: { mode: 'all' },
      inputs: part.inputs,
      edits: {},
      state: 'queued',
      failure: null,
      outputs: {},
      epoch: 1,
      workflowId,
      createdAt: Date.now(),
      startedAt: null,
      endedAt: null,
    };
    await meta.createRun(run);
    return run;
  }

  return {
    async lookAtBatch(raw) {
      const { batchId, except } = LookAtBatch.parse(raw);
      const batch = await find(batchId);
      const work = await withHosts(batch, await workOf(batch, new Set(except)));
      const { window, count } = batch;
      const idle = work.length === 0 && except.length === 0;
      let halt: BatchHalt = null;
      if (batch.state === 'paused') halt = idle ? null : 'paused';
      else if ((work.length > 0 || (idle && (await stoppedByBudget(batchId)))) && (await isSpent(batch)))
        halt = 'budget';
      if (halt === 'budget') await become(batch, 'budget', ['queued', 'running']);
      else if (halt === null && work.length > 0) await become(batch, 'running', ['queued', ...closed]);
      return { window, count, halt, work };
    },

    async beginBatchRun(raw) {
      const { batchId, index } = BatchRunIndex.parse(raw);
      const batch = await find(batchId);
      if (batch.state === 'paused') return { run: null, halt: 'paused' };
      if (await isSpent(batch)) {
        await become(batch, 'budget', ['queued', 'running']);
        return { run: null, halt: 'budget' };
      }
      const record = await runOf(batch, index);
      // Somebody else has taken it up meanwhile.
      if (record.state !== 'queued') return { run: null, halt: null };
      const { id, epoch, title, skill, documentId, documentHash } = record;
      const run: BatchRun = {
        runId: id,
        epoch,
        title,
        skill,
        workflow: documentId,
        version: versionOf(documentHash),
      };
      return { run, halt: null };
    },

    async beginHostedRuns(raw) {
      const { batchId, indexes, host } = BeginHostedRuns.parse(raw);
      const batch = await find(batchId);
      if (batch.state === 'paused') return { hosted: null, halt: 'paused' };
      if (await isSpent(batch)) {
        await become(batch, 'budget', ['queued', 'running']);
        return { hosted: null, halt: 'budget' };
      }
      const records: RunRecord[] = [];
      for (const index of indexes) {
        const record = await runOf(batch, index, host);
        // Somebody else has taken it up meanwhile, or it is to be opened again: not in a host.
        if (record.state === 'queued' && record.epoch === 1) records.push(record);
      }
      const [first] = records;
      if (!first) return { hosted: null, halt: null };
      const { skill, documentId: workflow, documentHash } = first;
      const title = `${records.length} runs: ${first.title}${records.length > 1 ? ', …' : ''}`;
      const hosted = { runs: records.map(({ id }) => id), title, skill, workflow, version: versionOf(documentHash) };
      return { hosted, halt: null };
    },

    async closeBatch(raw) {
      const { batchId, cancelled } = CloseBatch.parse(raw);
      const batch = await find(batchId);
      // Those that waited to be taken up again will not be.
      for (let more = cancelled; more; ) {
        const waiting = await meta.listRuns({ batchId, state: 'queued', limit: AT_ONCE });
        for (const { id } of waiting) await meta.updateRun(id, { state: 'cancelled', endedAt: Date.now() }, ['queued']);
        more = waiting.length === AT_ONCE;
      }
      if (!cancelled) await meta.updateBatch(batchId, { complete: true });
      await become(batch, cancelled ? 'cancelled' : 'succeeded', open);
    },

    async openBatchRun(raw) {
      const { batchId, index } = BatchRunIndex.parse(raw);
      const batch = await find(batchId);
      await become(batch, 'running', ['queued']);
      const { id, title } = await runOf(batch, index);
      return { runId: id, title };
    },

    async reportBatch(raw) {
      const { batchId, state } = ReportBatch.parse(raw);
      await become(await find(batchId), state, open);
    },
  };
}
