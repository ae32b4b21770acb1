import type { BatchView } from '@cua-forge/spec/api';
import { ForgeError } from '@cua-forge/spec/errors';
import type { BatchRecord, MetaStore, RunRecord } from '@cua-forge/spec/store-port';
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
const isRejected = (run: RunRecord): boolean =>
  run.state === 'failed' && (run.failure?.code.startsWith('gate.') ?? false);

/** @throws ForgeError `not-found` */
export async function viewBatch(meta: MetaStore, id: string): Promise<BatchView> {
  const batch = await findBatch(meta, id);
  const counts = { done: 0, accepted: 0, rejected: 0, failed: 0, running: 0 };
  const failures: Record<string, number> = {};
  for await (const run of runsOfBatch(meta, id)) {
    if (isOpen(run.state)) counts.running += 1;
    else if (run.state === 'succeeded') counts.accepted += 1;
    else if (isRejected(run)) counts.rejected += 1;
    else counts.failed += 1;
    if (run.failure !== null && !isOpen(run.state)) failures[run.failure.code] = (failures[run.failure.code] ?? 0) + 1;
  }
  counts.done = counts.accepted + counts.rejected + counts.failed;
  return { batch, counts, failures, usage: await meta.usageOf({ batchId: id }) };
}
