import type { ApproveCommand, RetryAnswer, RetryCommand, RunGraphInput, RunResult } from '@cua-forge/spec/engine';
import { searchAttributes, updateNames } from '@cua-forge/spec/engine-names';
import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineUpdate,
  patched,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { forge, local } from '../driver/activities.ts';
import { Driver } from '../driver/driver.ts';
import { failureOf } from '../driver/failures.ts';
import { indexPlan } from '../interpreter/plan-index.ts';
import { emptyState } from '../interpreter/state.ts';

/** How long an interactive run waits for somebody to retry what failed. */
const ATTENTION = '7 days';

export const retryUpdate = defineUpdate<RetryAnswer, [RetryCommand]>(updateNames.retry);
export const approveUpdate = defineUpdate<void, [ApproveCommand]>(updateNames.approve);

const refuse = (message: string): ApplicationFailure => ApplicationFailure.nonRetryable(message, 'run.state');

/**
 * Runs one plan. Fails only when the run cannot even be opened; a run whose nodes failed returns its state. Cancelling the workflow cancels the run.
 */
export async function runGraph(input: RunGraphInput): Promise<RunResult> {
  let driver: Driver | null = null;
  const ready = async (): Promise<Driver> => {
    await condition(() => driver !== null);
    if (!driver) throw refuse('The run has not been opened.');
    return driver;
  };
  setHandler(
    retryUpdate,
    async (command) => {
      const open = await ready();
      const problem = open.interpreter.retryProblem(command.targets, command.edits);
      if (problem !== null) throw refuse(problem);
      const before = new Map(
        Object.entries(open.state.nodes).map(([key, { status, token }]) => [key, { status, token }]),
      );
      open.settled.delete('');
      open.apply({ type: 'retry', ...command, grouped: patched('items-are-retried-together') });
      const reset = Object.entries(open.state.nodes).flatMap(([key, { status, token }]) => {
        const was = before.get(key);
        return was?.status === status && was.token === token && !command.targets.includes(key) ? [] : [key];
      });
      return { reset };
    },
    {
      validator: (command) => {
        const problem = driver?.interpreter.retryProblem(command.targets, command.edits);
        if (typeof problem === 'string') throw refuse(problem);
      },
    },
  );
  setHandler(
    approveUpdate,
    async (command) => {
      const open = await ready();
      if (!(await open.decide(command))) throw refuse(`'${command.key}' does not wait for a decision.`);
    },
    {
      validator: (command) => {
        if (driver && !driver.mayDecide(command.key)) throw refuse(`'${command.key}' does not wait for a decision.`);
      },
    },
  );

  const outside = CancellationScope.current();
  return CancellationScope.nonCancellable(async () => {
    const opened = await openRun(input);
    const index = indexPlan(opened.plan);
    const carried = input.carried === null ? null : await local.loadCarried(input.carried);
    const state = carried?.state ??
      opened.restored?.state ?? { ...emptyState(opened.edits), nextToken: opened.nextToken };
    const open = new Driver(input.runId, index, state);
    driver = open;
    outside.cancelRequested.catch(() => open.apply({ type: 'cancel' }));
    if (carried) open.resume(carried);
    else if (opened.restored) open.restored(opened.restored.commands);
    else {
      open.interpreter.openRoot('', opened.plan.root, opened.inputs);
      open.apply({ type: 'start' });
    }
    if (outside.consideredCancelled) open.apply({ type: 'cancel' });

    for (;;) {
      await condition(() => open.settled.has('') || open.historyIsLong);
      const settled = open.settled.get('');
      if (!settled) {
        open.drain();
        await condition(() => open.drained && allHandlersFinished());
        // What ended while draining may have ended the run.
        if (open.settled.has('')) continue;
        const { changes } = open;
        const carried = await local.saveCarried(open.carry());
        // A decision, a retry or a cancel that came while the state was written is not in it.
        if (open.changes !== changes || !allHandlersFinished()) continue;
        return continueAsNew<typeof runGraph>({ ...input, retry: [], carried });
      }
      const { status, failure, outputs } = settled;
      if (status === 'failed' && opened.mode === 'interactive' && !state.cancelling) {
        await report(input, 'needs-attention', failure, null);
        const answered = await condition(() => !open.settled.has('') || state.cancelling, ATTENTION);
        if (answered) {
          if (!state.cancelling) await report(input, 'running', null, null);
          await condition(() => open.settled.get('') !== settled);
          continue;
        }
      }
      await condition(allHandlersFinished);
      if (open.settled.get('') !== settled) continue;
      await report(input, status, failure, outputs);
      return { state: status, failure, outputs };
    }
  });
}

/** The opening came with the start, or from the store; where that fails, its record says why before the workflow ends. */
async function openRun(input: RunGraphInput): ReturnType<typeof local.openRun> {
  if (input.opening) {
    if (input.carried === null) forge.opened(input.runId, input.epoch);
    return { ...input.opening, restored: null, nextToken: 1 };
  }
  try {
    return await local.openRun(input);
  } catch (thrown) {
    await report(input, 'failed', failureOf(thrown, 'The run'), null);
    throw thrown;
  }
}

async function report(
  input: RunGraphInput,
  state: RunResult['state'],
  failure: RunResult['failure'],
  outputs: RunResult['outputs'] | null,
): Promise<void> {
  // Clusters without our attributes are served too; the start was then made without them.
  if (workflowInfo().searchAttributes[searchAttributes.skill] !== undefined)
    upsertSearchAttributes({ [searchAttributes.state]: [state] });
  await local.reportRun({ runId: input.runId, epoch: input.epoch, state, failure, outputs });
}
