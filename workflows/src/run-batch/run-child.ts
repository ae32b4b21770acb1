import type { BatchRun, RunGraphInput, RunResult } from '@cua-forge/spec/engine';
import { runWorkflowId, searchAttributes, workflowTypes } from '@cua-forge/spec/engine-names';
import { sleep, startChild, workflowInfo } from '@temporalio/workflow';

/** Tries to start a run whose former execution is just ending. */
const TRIES = 5;

/** Runs one run of a batch to its end. How it ended is in its record; a run that cannot be started is left to whoever has started it. */
export async function runChild(batchId: string, run: BatchRun): Promise<void> {
  try {
    const child = await begin(batchId, run);
    await child?.result();
  } catch {
    // A cancel ends the child first; another failure is in the run's record.
  }
}

async function begin(batchId: string, run: BatchRun) {
  const { runId, epoch, title, skill, workflow, version } = run;
  const withAttributes = workflowInfo().searchAttributes[searchAttributes.skill] !== undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return await startChild<(graph: RunGraphInput) => Promise<RunResult>>(workflowTypes.runGraph, {
        workflowId: runWorkflowId(runId),
        args: [{ runId, epoch, retry: epoch === 1 ? [] : 'failed', carried: null }],
        parentClosePolicy: 'REQUEST_CANCEL',
        cancellationType: 'WAIT_CANCELLATION_COMPLETED',
        workflowIdReusePolicy: epoch === 1 ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
        staticSummary: title,
        memo: { epoch },
        ...(withAttributes
          ? {
              searchAttributes: {
                [searchAttributes.skill]: [skill],
                [searchAttributes.workflow]: [workflow],
                [searchAttributes.version]: [version],
                [searchAttributes.batch]: [batchId],
              },
            }
          : {}),
      });
    } catch (thrown) {
      const there = thrown instanceof Error && thrown.name === 'WorkflowExecutionAlreadyStartedError';
      if (!there) throw thrown;
      if (epoch === 1 || attempt >= TRIES) return null;
      await sleep('1s');
    }
  }
}
