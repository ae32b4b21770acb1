import type { BatchRun, HostedRuns, RunGraphInput, RunHostedInput, RunResult } from '@cua-forge/spec/engine';
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

/** Runs several runs in one workflow to their ends. */
export async function hostChild(batchId: string, host: string, hosted: HostedRuns): Promise<void> {
  const { runs, title } = hosted;
  try {
    const child = await startChild<(input: RunHostedInput) => Promise<unknown>>(workflowTypes.runHosted, {
      workflowId: host,
      args: [{ runs }],
      parentClosePolicy: 'REQUEST_CANCEL',
      cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: title,
      memo: { epoch: 1 },
      ...attributesOf(batchId, hosted),
    });
    await child.result();
  } catch {
    // As for a single run.
  }
}

/** What Temporal's list finds the child by, where the cluster has our attributes. */
function attributesOf(batchId: string, { skill, workflow, version }: Pick<BatchRun, 'skill' | 'workflow' | 'version'>) {
  if (workflowInfo().searchAttributes[searchAttributes.skill] === undefined) return {};
  return {
    searchAttributes: {
      [searchAttributes.skill]: [skill],
      [searchAttributes.workflow]: [workflow],
      [searchAttributes.version]: [version],
      [searchAttributes.batch]: [batchId],
    },
  };
}

async function begin(batchId: string, run: BatchRun) {
  const { runId, epoch, title } = run;
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
        ...attributesOf(batchId, run),
      });
    } catch (thrown) {
      const there = thrown instanceof Error && thrown.name === 'WorkflowExecutionAlreadyStartedError';
      if (!there) throw thrown;
      if (epoch === 1 || attempt >= TRIES) return null;
      await sleep('1s');
    }
  }
}
