import type { BatchView } from '@cua-forge/spec/api';
import { ForgeError } from '@cua-forge/spec/errors';
import type { BatchRecord, MetaStore, RunRecord, RunState } from '@cua-forge/spec/store-port';
import { isOpen } from '../runs/find-run.ts';

const pageSize = 500;

/** @throws ForgeError `not-found` */
export async function findBatch(meta: MetaStore, id: string): Promise<BatchRecord> {
  const batch = await meta.getBatch(id);
  if (batch === null)
    throw new ForgeError('not-found', `There is no batch "${id}".`, { fix: 'GET /api/batches lists them.' });
  return batch;
}

/** All runs of a batch, newest first. */
export async function* runsOfBatch(
  meta: MetaStore,
  batchId: string,
  filter: { state?: RunRecord['state']; failureCode?: string } = {},
): AsyncGenerator<RunRecord> {
  let before: { createdAt: number; id: string } | undefined;
  for (;;) {
    const page = await meta.listRuns({
      batchId,
      ...filter,
      limit: pageSize,
      ...(before === undefined ? {} : { before }),
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    before = { createdAt: last.createdAt, id: last.id };
  }
}

/** A run that a gate turned down, in contrast to one that broke. */
const isRejected = (state: RunState, code: string | null): boolean =>
  state === 'failed' && (code?.startsWith('gate.') ?? false);

/** @throws ForgeError `not-found` */
export async function viewBatch(meta: MetaStore, id: string): Promise<BatchView> {
  const recorded = await findBatch(meta, id);
  const counts = { done: 0, accepted: 0, rejected: 0, failed: 0, running: 0 };
  const failures: Record<string, number> = {};
  for (const { state, failureCode, count } of await meta.countRuns({ batchId: id })) {
    if (isOpen(state)) counts.running += count;
    else if (state === 'succeeded') counts.accepted += count;
    else if (isRejected(state, failureCode)) counts.rejected += count;
    else counts.failed += count;
    if (failureCode !== null && !isOpen(state)) failures[failureCode] = (failures[failureCode] ?? 0) + count;
  }
  counts.done = counts.accepted + counts.rejected + counts.failed;
  // The record changes when the batch ends; that it runs shows in its runs.
  const begun = recorded.state === 'queued' && counts.done + counts.running > 0;
  const batch: BatchRecord = begun ? { ...recorded, state: 'running' } : recorded;
  return { batch, counts, failures, usage: await meta.usageOf({ batchId: id }) };
}
