import type { ResumeBatch } from '@cua-forge/spec/api/batches';
import { type Budget, exhaustion } from '@cua-forge/spec/budget';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { BatchRecord } from '@cua-forge/spec/store-port';
import type { Services } from '../services.ts';
import { announceBatch, closedBatchStates, isOpenBatch, openBatchStates } from './batch-state.ts';
import { findBatch } from './batch-view.ts';
import { findRuns, needEngine, queueAgain } from './retry-batch.ts';

function refuseEnded({ id, state }: BatchRecord, fix: string): void {
  if (!isOpenBatch(state)) throw new ForgeError('run.state', `Batch "${id}" has ended already (${state}).`, { fix });
}

/**
 * No run of the batch is started from now on; those in progress, and one whose start is under way, go on to their ends. Pausing it twice is
 * pausing it once.
 * @throws ForgeError `not-found`, `run.state` when it has ended
 */
export function pauseBatch(services: Services, batchId: string): Promise<BatchRecord> {
  const { store, engine, locks, now } = services;
  return locks.with(batchId, async () => {
    const batch = await findBatch(store.meta, batchId);
    refuseEnded(batch, 'There is nothing to pause.');
    if (await store.meta.updateBatch(batchId, { state: 'paused' }, ['queued', 'running', 'budget'])) {
      await announceBatch(store.meta, batch, 'paused', now());
      // The batch asks its record before each start anyway.
      await engine.startBatch(batch).catch((thrown: unknown) => {
        if (toForgeError(thrown).code !== 'temporal.unreachable') throw thrown;
      });
    }
    return findBatch(store.meta, batchId);
  });
}

/**
 * Goes on with a batch that is paused, out of budget, or was ended before its time: it takes up what was stopped and starts what never was.
 * Of a running batch it changes budget and window. Doing it twice is doing it once.
 * @throws ForgeError `not-found`, `run.state` when there is nothing to go on with, `budget.exhausted` when the budget is still used up,
 *   `temporal.unreachable`
 */
export function resumeBatch(services: Services, batchId: string, request: ResumeBatch): Promise<BatchRecord> {
  const { store, engine, locks, now } = services;
  return locks.with(batchId, async () => {
    const batch = await findBatch(store.meta, batchId);
    if (batch.state === 'succeeded')
      throw new ForgeError('run.state', `Batch "${batchId}" has come to its end; there is nothing to go on with.`, {
        fix: 'To run failed runs again, retry it.',
      });
    const { usd = batch.budget.usd, tokens = batch.budget.tokens } = request.budget ?? {};
    const budget: Budget = { usd, tokens };
    const reason = exhaustion(budget, await store.meta.spentOf({ batchId }));
    if (reason !== null) {
      throw new ForgeError('budget.exhausted', `The budget of batch "${batchId}" is used up: ${reason}`, {
        fix: 'Give a higher one (--budget-usd, --budget-tokens).',
      });
    }
    await needEngine(services, 'The batch was not resumed');
    const stopped = await findRuns(services, batchId, { states: ['failed'], failureCode: 'budget.exhausted' });
    if (closedBatchStates.includes(batch.state))
      stopped.push(...(await findRuns(services, batchId, { states: ['cancelled', 'terminated'] })));
    await store.meta.updateBatch(batchId, {
      state: batch.state === 'queued' ? 'queued' : 'running',
      endedAt: null,
      budget,
      window: request.window ?? batch.window,
    });
    await queueAgain(services, stopped);
    await announceBatch(store.meta, batch, 'running', now());
    await engine.startBatch(batch);
    return findBatch(store.meta, batchId);
  });
}

/**
 * Cancels the open runs of a batch and starts no others. One whose workflow never started is closed here.
 * @throws ForgeError `not-found`, `run.state` when it has ended, `temporal.unreachable`
 */
export function cancelBatch(services: Services, batchId: string): Promise<void> {
  const { store, engine, locks, now } = services;
  return locks.with(batchId, async () => {
    const batch = await findBatch(store.meta, batchId);
    refuseEnded(batch, 'There is nothing to cancel.');
    if ((await engine.describe(batch.workflowId)).status !== 'not-found') {
      await engine.cancel(batch.workflowId);
      return;
    }
    if (await store.meta.updateBatch(batchId, { state: 'cancelled', endedAt: now() }, openBatchStates))
      await announceBatch(store.meta, batch, 'cancelled', now());
  });
}
