import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { BatchView } from '@cua-forge/spec/api/batches';
import { toForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';
import type { Reporter } from '../bootstrap/progress.ts';
import { progressText } from './batch-progress.ts';
import type { PackageWriter } from './package-writer.ts';
import { sayWhoIsMissing, silenceMs } from './say-who-is-missing.ts';

const pollMs = 1_000;
/** Milliseconds after an event before the batch is asked: others come with it. */
const settleMs = 50;

const RunData = z.object({ state: z.string() });

const ended = ({ batch }: BatchView): boolean =>
  ['succeeded', 'failed', 'cancelled', 'terminated'].includes(batch.state);

/** It starts nothing and nothing is in progress. */
const idle = ({ batch, counts }: BatchView): boolean =>
  (batch.state === 'paused' || batch.state === 'budget') && counts.running === 0;

/** Follows the batch's events: wakes the caller, and collects the runs that succeeded. */
function watch(api: ApiClient, batchId: string, signal: AbortSignal, succeeded: Set<string>): () => Promise<void> {
  let wake: () => void = () => {};
  const follow = async () => {
    for await (const event of api.events({ batch: batchId, signal })) {
      if (event.type === 'run' && RunData.safeParse(event.data).data?.state === 'succeeded') succeeded.add(event.runId);
      if (event.type === 'run' || event.type === 'batch') wake();
    }
  };
  // The batch is asked every second anyway: a stream that fails costs no more than a little time.
  follow().catch(() => {});
  return () =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      wake = () => {
        clearTimeout(timer);
        setTimeout(resolve, settleMs);
      };
    });
}

export interface FollowBatch {
  batchId: string;
  /** Gets the packages as they come; null when nobody wants them. */
  writer: PackageWriter | null;
  /** What the person who waits does by Ctrl+C, and how that is called. */
  interrupt: { signal: AbortSignal | undefined; says: string; act(): Promise<unknown> };
}

/** Follows a batch until it has ended or rests, with progress. Answers with its last view. */
export async function followBatch(
  { batchId, writer, interrupt }: FollowBatch,
  api: ApiClient,
  output: Reporter,
): Promise<BatchView> {
  const began = performance.now();
  const succeeded = new Set<string>();
  const following = new AbortController();
  let interrupted = false;
  try {
    const next = watch(api, batchId, following.signal, succeeded);
    let view = await api.batch(batchId);
    let seen = -1;
    let progressAt = performance.now();
    // A run whose start was under way when the batch stopped shows a moment later: it has to be idle twice.
    let idleTurns = 0;
    while (!ended(view) && idleTurns < 2) {
      await next();
      if (interrupt.signal?.aborted === true && !interrupted) {
        interrupted = true;
        output.line(interrupt.says);
        await interrupt.act().catch((thrown: unknown) => {
          if (toForgeError(thrown).code !== 'run.state') throw thrown;
        });
      }
      for (const runId of succeeded) {
        await writer?.write(runId);
        succeeded.delete(runId);
      }
      view = await api.batch(batchId);
      idleTurns = idle(view) ? idleTurns + 1 : 0;
      if (view.counts.done !== seen) {
        seen = view.counts.done;
        progressAt = performance.now();
      } else if (performance.now() - progressAt > silenceMs) {
        progressAt = performance.now();
        await sayWhoIsMissing(api, output);
      }
      output.update(progressText(view, performance.now() - began));
    }
    await writer?.writeAll(batchId);
    output.line(progressText(view, performance.now() - began));
    for (const [code, times] of Object.entries(view.failures)) output.line(`  ${times} × ${code}`);
    return view;
  } finally {
    following.abort();
  }
}
