import type { FormerBatchInput, RunGraphInput, RunResult } from '@cua-forge/spec/engine';
import { runWorkflowId, searchAttributes, workflowTypes } from '@cua-forge/spec/engine-names';
import {
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { local } from '../driver/activities.ts';

/** Runs started in one history; then the batch drains and goes on in a new one. */
const HISTORY_RUNS = 500;

/** Goes on with a batch that an earlier version started, as that version did; in a new history it goes on by its record. */
export async function formerBatch(input: FormerBatchInput): Promise<{ done: number }> {
  let next = input.next;
  let done = input.done;
  let open = 0;
  let cancelled = false;
  const last = Math.min(input.count, next + HISTORY_RUNS);
  const runs = new CancellationScope({ cancellable: true });
  const outside = CancellationScope.current();
  outside.cancelRequested.catch(() => {
    cancelled = true;
    runs.cancel();
  });

  await CancellationScope.nonCancellable(async () => {
    while ((next < last && !cancelled) || open > 0) {
      while (next < last && open < input.window && !cancelled) {
        const index = next++;
        open += 1;
        void runs
          .run(() => runOne(input, index))
          .catch((thrown: unknown) => {
            if (!isCancellation(thrown)) throw thrown;
          })
          .finally(() => {
            open -= 1;
            done += 1;
            setCurrentDetails(`${done} of ${input.count} runs ended, ${open} open`);
          });
      }
      const free = { open, next };
      await condition(() => open < free.open || cancelled || (open < input.window && next < last));
      if (cancelled) await condition(() => open === 0);
    }
    if (cancelled || next >= input.count)
      await local.reportBatch({
        batchId: input.batchId,
        state: cancelled ? 'cancelled' : 'succeeded',
        done,
        count: input.count,
      });
  });
  if (!cancelled && next < input.count)
    return continueAsNew<(input: FormerBatchInput) => Promise<unknown>>({ ...input, next, done });
  return { done };
}

async function runOne(input: FormerBatchInput, index: number): Promise<void> {
  const { runId, title } = await CancellationScope.nonCancellable(() =>
    local.openBatchRun({ batchId: input.batchId, index }),
  );
  const attributes = workflowInfo().searchAttributes;
  try {
    const child = await startChild<(graph: RunGraphInput) => Promise<RunResult>>(workflowTypes.runGraph, {
      workflowId: runWorkflowId(runId),
      args: [{ runId, epoch: 1, retry: [], carried: null }],
      parentClosePolicy: 'REQUEST_CANCEL',
      cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: title,
      memo: { epoch: 1 },
      ...(attributes[searchAttributes.skill] === undefined ? {} : { searchAttributes: attributes }),
    });
    await child.result();
  } catch (thrown) {
    if (isCancellation(thrown)) throw thrown;
    // Already there (the run was retried or started by hand) or broken: its record says how it ended.
  }
}
