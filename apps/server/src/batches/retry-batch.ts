import { runWorkflowId } from '@cua-forge/spec/engine';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { BatchRecord, RunState } from '@cua-forge/spec/store-port';
import { announceRun } from '../runs/announce.ts';
import type { Services } from '../services.ts';
import { announceBatch, closedBatchStates, isOpenBatch } from './batch-state.ts';
import { findBatch, runsOfBatch } from './batch-view.ts';

export interface Again {
  states: readonly RunState[];
  failureCode?: string | undefined;
}

/** Ids of the runs of a batch that ended in one of these states, of failed ones those with the code. */
export async function findRuns(
  { store }: Services,
  batchId: string,
  { states, failureCode }: Again,
): Promise<string[]> {
  const ids: string[] = [];
  for (const state of states) {
    const filter = { state, ...(failureCode === undefined ? {} : { failureCode }) };
    for await (const { id } of runsOfBatch(store.meta, batchId, filter)) ids.push(id);
  }
  return ids;
}

/** Puts runs that have ended in line again; the batch takes each up when there is room in its window. Answers with those that could be. */
export async function queueAgain({ store, locks, now }: Services, ids: readonly string[]): Promise<string[]> {
  const queued: string[] = [];
  for (const id of ids) {
    await locks.with(id, async () => {
      const run = await store.meta.getRun(id);
      if (run === null) return;
      const workflowId = runWorkflowId(id);
      const again = { epoch: run.epoch + 1, workflowId, state: 'queued' as const, failure: null, endedAt: null };
      if (!(await store.meta.updateRun(id, again, ['failed', 'cancelled', 'terminated']))) return;
      await announceRun(store.meta, { ...run, ...again }, now());
      queued.push(id);
    });
  }
  return queued;
}

/** Opens a closed batch again in the store, so that nobody takes its waiting runs for lost. */
export async function reopenBatch({ store, now }: Services, batch: BatchRecord): Promise<void> {
  if (isOpenBatch(batch.state)) return;
  const opened = await store.meta.updateBatch(batch.id, { state: 'running', endedAt: null }, closedBatchStates);
  if (opened) await announceBatch(store.meta, batch, 'running', now());
}

/** @throws ForgeError `temporal.unreachable` */
export async function needEngine({ engine }: Services, what: string): Promise<void> {
  const health = await engine.health();
  if (health.reachable) return;
  throw new ForgeError('temporal.unreachable', `${what}: Temporal does not answer.`, { fix: health.detail });
}

/**
 * Runs what failed in a batch again, in the batch's own window: those that failed with `failureCode`; without one also those that were
 * cancelled or terminated. Answers with their ids. A batch that is paused or out of budget takes them up when it is resumed.
 * @throws ForgeError `not-found`, `input.invalid` when there is none, `temporal.unreachable`
 */
export function retryBatch(services: Services, batchId: string, failureCode: string | undefined): Promise<string[]> {
  const { store, engine, locks } = services;
  return locks.with(batchId, async () => {
    const batch = await findBatch(store.meta, batchId);
    const states: RunState[] = failureCode === undefined ? ['failed', 'cancelled', 'terminated'] : ['failed'];
    const ids = await findRuns(services, batchId, { states, failureCode });
    if (ids.length === 0) {
      const which = failureCode === undefined ? 'failed' : `failed with ${failureCode}`;
      throw new ForgeError('input.invalid', `No run of batch "${batchId}" ${which}.`, {
        fix: 'GET /api/batches/:id counts the failures by code.',
      });
    }
    await needEngine(services, 'Nothing was retried');
    await reopenBatch(services, batch);
    const queued = await queueAgain(services, ids);
    // The reconciler finds a batch that is open in the store alone, and starts it.
    await engine.startBatch(batch).catch((thrown: unknown) => {
      if (toForgeError(thrown).code !== 'temporal.unreachable') throw thrown;
    });
    return queued;
  });
}
