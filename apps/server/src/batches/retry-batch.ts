import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { retryRun } from '../runs/retry-run.ts';
import type { Services } from '../services.ts';
import { findBatch, runsOfBatch } from './batch-view.ts';

/** Reopens at once, so that a large batch does not flood the engine. */
const window = 8;

/**
 * Opens the failed runs of a batch again (those that failed with `failureCode`; without one also those that were cancelled or terminated)
 * and answers with the ids of those
 * that could be.
 * @throws ForgeError `not-found`, `input.invalid` when there is none, what the runs say when none could be opened, `temporal.unreachable`
 */
export async function retryBatch(
  services: Services,
  batchId: string,
  failureCode: string | undefined,
): Promise<string[]> {
  const { meta } = services.store;
  await findBatch(meta, batchId);
  const ids: string[] = [];
  for await (const run of runsOfBatch(meta, batchId, failureCode === undefined ? {} : { failureCode })) {
    const ended =
      run.state === 'failed' ||
      (failureCode === undefined && (run.state === 'terminated' || run.state === 'cancelled'));
    if (ended) ids.push(run.id);
  }
  if (ids.length === 0) {
    const which = failureCode === undefined ? 'failed' : `failed with ${failureCode}`;
    throw new ForgeError('input.invalid', `No run of batch "${batchId}" ${which}.`, {
      fix: 'GET /api/batches/:id counts the failures by code.',
    });
  }
  const reopened: string[] = [];
  const refusals: unknown[] = [];
  for (let start = 0; start < ids.length; start += window) {
    const part = ids.slice(start, start + window);
    const results = await Promise.allSettled(part.map((id) => retryRun(services, id, { targets: [], edits: {} })));
    for (const [index, result] of results.entries()) {
      const id = part[index] ?? '';
      if (result.status === 'fulfilled') reopened.push(id);
      else if (toForgeError(result.reason).code === 'temporal.unreachable') throw result.reason;
      else refusals.push(result.reason);
    }
  }
  if (reopened.length === 0 && refusals.length > 0) throw refusals[0];
  return reopened;
}
