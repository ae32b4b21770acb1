import type { RunBatchInput, RunScheduledInput } from '@cua-forge/spec/engine';
import { batchWorkflowId, workflowTypes } from '@cua-forge/spec/engine-names';
import { executeChild, isCancellation, workflowInfo } from '@temporalio/workflow';
import { local } from '../driver/activities.ts';

/** One turn of a schedule: makes its batch and is open as long as that runs, which is what the schedule's policy on overlaps goes by. */
export async function runScheduled({ scheduleId }: RunScheduledInput): Promise<{ batchId: string | null }> {
  const { batch } = await local.beginScheduled({ scheduleId, turn: workflowInfo().workflowId });
  if (batch === null) return { batchId: null };
  try {
    await executeChild<(input: RunBatchInput) => Promise<unknown>>(workflowTypes.runBatch, {
      workflowId: batchWorkflowId(batch.id),
      args: [{ batchId: batch.id }],
      staticSummary: batch.title,
      memo: { epoch: 1 },
      parentClosePolicy: 'REQUEST_CANCEL',
      cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  } catch (thrown) {
    // Another has started the batch, or it ended otherwise than well: its record says how.
    if (isCancellation(thrown)) throw thrown;
  }
  return { batchId: batch.id };
}
