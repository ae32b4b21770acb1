import type { ReportRun, RunHostedInput } from '@cua-forge/spec/engine';
import { cancelRunSignal } from '@cua-forge/spec/engine-names';
import {
  CancellationScope,
  condition,
  defineSignal,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { local } from '../driver/activities.ts';
import { Driver } from '../driver/driver.ts';
import { failureOf } from '../driver/failures.ts';
import { indexPlan } from '../interpreter/plan-index.ts';
import { emptyState } from '../interpreter/state.ts';
import { Rounds } from './rounds.ts';

export const cancelRun = defineSignal<[runId: string]>(cancelRunSignal);

/**
 * Drives small runs of one plan to their ends, each with an interpreter of its own; what they execute at the same time shares an activity. A run that
 * fails closes, and is retried in a workflow of its own. Cancelling the workflow cancels its runs. Fails only when the runs cannot be opened.
 */
export async function runHosted({ runs }: RunHostedInput): Promise<{ ended: number }> {
  const host = new Host();
  setHandler(cancelRun, (runId) => host.cancel(runId));
  const outside = CancellationScope.current();
  outside.cancelRequested.catch(() => host.cancelAll());
  return CancellationScope.nonCancellable(async () => {
    await host.open(runs);
    return { ended: await host.run() };
  });
}

class Host {
  private readonly rounds = new Rounds();
  private readonly driven = new Map<string, Driver>();
  /** Runs that somebody cancelled before they were opened; all of them, where `all` is set. */
  private readonly cancelled = new Set<string>();
  private all = false;

  async open(runs: string[]): Promise<void> {
    const opening = await local.openHosted({ host: workflowInfo().workflowId, runs }).catch(async (thrown: unknown) => {
      const failure = failureOf(thrown, 'The run');
      const reports = runs.map((runId) => ({ runId, epoch: 1, state: 'failed' as const, failure, outputs: null }));
      await local.reportHosted({ runs: reports });
      throw thrown;
    });
    const { plan } = opening;
    if (plan === null) return;
    const index = indexPlan(plan);
    for (const { runId, inputs } of opening.runs) {
      const driver = new Driver(runId, index, emptyState({}), this.rounds);
      this.driven.set(runId, driver);
      driver.interpreter.openRoot('', plan.root, inputs);
      driver.apply({ type: 'start' });
      if (this.all || this.cancelled.has(runId)) driver.apply({ type: 'cancel' });
    }
  }

  cancel(runId: string): void {
    this.cancelled.add(runId);
    this.rounds.withdraw(runId);
    this.driven.get(runId)?.apply({ type: 'cancel' });
  }

  cancelAll(): void {
    this.all = true;
    for (const driver of this.driven.values()) driver.apply({ type: 'cancel' });
    this.rounds.cancel();
  }

  /** Answers how many runs have ended. */
  async run(): Promise<number> {
    const count = this.driven.size;
    while (this.driven.size > 0) {
      await allHaveSpoken();
      const reports = this.takeReports();
      if (reports.length === 0 && this.rounds.isEmpty) {
        await condition(() => !this.rounds.isEmpty || [...this.driven.values()].some(({ settled }) => settled.has('')));
        continue;
      }
      const unbegun = await this.rounds.carryOut(
        reports.length === 0 ? Promise.resolve() : local.reportHosted({ runs: reports }),
      );
      setCurrentDetails(`${count - this.driven.size} of ${count} runs ended`);
      // A timer ends the workflow task, so that cancels that came meanwhile are heard before the rest is begun.
      if (unbegun) await sleep(1);
    }
    return count;
  }

  /** The ends of runs that have come to one; they are driven no longer. */
  private takeReports(): ReportRun[] {
    const reports: ReportRun[] = [];
    for (const [runId, { settled }] of this.driven) {
      const end = settled.get('');
      if (!end) continue;
      const { status: state, failure, outputs } = end;
      this.driven.delete(runId);
      reports.push({ runId, epoch: 1, state, failure, outputs });
    }
    return reports;
  }
}

/** Until everything that follows from what is known has been done: a condition is looked at again when no promise is left to resolve. */
async function allHaveSpoken(): Promise<void> {
  let asked = false;
  await condition(() => {
    if (asked) return true;
    asked = true;
    return false;
  });
}
