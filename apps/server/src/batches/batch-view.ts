import type { BatchView } from '@cua-forge/spec/api/batches';
import { ForgeError } from '@cua-forge/spec/errors';
import { listedAt } from '@cua-forge/spec/listed-at';
import { fateOf } from '@cua-forge/spec/run-fate';
import type { BatchRecord, MetaStore, RunRecord } from '@cua-forge/spec/store-port';

const pageSize = 500;
/** Milliseconds back over which the pace is measured. */
const paceMs = 300_000;

/** @throws ForgeError `not-found` */
export async function findBatch(meta: MetaStore, id: string): Promise<BatchRecord> {
  const batch = await meta.getBatch(id);
  if (batch === null) throw new ForgeError('not-found', `There is no batch "${id}".`, { fix: listedAt('batches') });
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

/** @throws ForgeError `not-found` */
export async function viewBatch(meta: MetaStore, id: string, now = Date.now()): Promise<BatchView> {
  const batch = await findBatch(meta, id);
  const counts = { done: 0, accepted: 0, rejected: 0, failed: 0, cancelled: 0, running: 0, waiting: 0 };
  const failures: Record<string, number> = {};
  for (const { state, failureCode, count } of await meta.countRuns({ batchId: id })) {
    counts[fateOf(state, failureCode)] += count;
    if (failureCode !== null) failures[failureCode] = (failures[failureCode] ?? 0) + count;
  }
  counts.done = counts.accepted + counts.rejected + counts.failed + counts.cancelled;
  counts.waiting = Math.max(0, batch.count - counts.done - counts.running);
  const usage = await meta.usageOf({ batchId: id });
  const rehearsed = usage.providers.includes('rehearsal');
  const judged = counts.done - counts.cancelled;
  const since = Math.max(batch.createdAt, now - paceMs);
  const ended = await meta.countEnded({ batchId: id, since });
  const perMinute = ended === 0 || now <= since ? null : (ended * 60_000) / (now - since);
  const moving = batch.state === 'running' || batch.state === 'queued';
  const left = batch.count - counts.done;
  return {
    batch,
    counts,
    failures,
    usage,
    spent: await meta.spentOf({ batchId: id }),
    rehearsed,
    acceptance: rehearsed || judged === 0 ? null : counts.accepted / judged,
    perAccepted:
      rehearsed || counts.accepted === 0
        ? null
        : {
            usd: usage.usd === null ? null : usage.usd / counts.accepted,
            tokens: (usage.usage.input + usage.usage.output) / counts.accepted,
          },
    progress: {
      perMinute: moving ? perMinute : null,
      secondsLeft: moving && perMinute !== null ? (left * 60) / perMinute : null,
    },
  };
}
