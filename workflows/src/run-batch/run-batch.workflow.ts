import type { BatchHalt, BatchWork, FormerBatchInput, RunBatchInput } from '@cua-forge/spec/engine';
import { batchSignal, hostWorkflowId } from '@cua-forge/spec/engine-names';
import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  patched,
  setCurrentDetails,
  setHandler,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { local } from '../driver/activities.ts';
import { formerBatch } from './former-batch.ts';
import { hostChild, runChild } from './run-child.ts';

/** Runs started in one history at most; then the batch drains and goes on in a new one. */
const HISTORY_RUNS = 500;

export const look = defineSignal(batchSignal);

/**
 * Starts the runs of a batch, so many at once as its window says, and ends when none is left to start. What is left, and whether it may be
 * started, is asked of the store: at the beginning, after each signal, and when what was known is used up; so nothing is lost over a crash.
 * Cancelling the workflow cancels its open runs.
 */
export async function runBatch(input: RunBatchInput | FormerBatchInput): Promise<{ started: number }> {
  if (!patched('batch-by-its-record')) {
    if (!('window' in input)) throw new TypeError('A batch of an earlier version says its window.');
    return { started: (await formerBatch(input)).done };
  }
  const batch = new Batch(input.batchId);
  setHandler(look, () => batch.signalled());
  const outside = CancellationScope.current();
  outside.cancelRequested.catch(() => batch.cancel());
  await CancellationScope.nonCancellable(() => batch.run());
  if (batch.goesOn) return continueAsNew<typeof runBatch>({ batchId: input.batchId });
  return { started: batch.started };
}

class Batch {
  started = 0;
  /** The history is long, and more is left to do. */
  goesOn = false;
  private window = 1;
  private count = 0;
  private halted = false;
  private work: BatchWork[] = [];
  /** Nothing has happened since the store said that no work is left but `work`. */
  private current = false;
  private cancelled = false;
  private readonly open = new Set<number>();
  /** Index → epoch of what this history has begun: what cannot be started is not tried for ever. */
  private readonly begun = new Map<number, number>();
  private readonly runs = new CancellationScope({ cancellable: true });
  private changes = 0;
  /** Thrown by what must not fail. */
  private broken: unknown = null;

  constructor(private readonly id: string) {}

  signalled(): void {
    this.current = false;
    this.work = [];
    this.changes += 1;
  }

  cancel(): void {
    this.cancelled = true;
    this.changes += 1;
    this.runs.cancel();
  }

  async run(): Promise<void> {
    for (;;) {
      if (this.broken !== null) throw this.broken;
      if (!this.cancelled && this.work.length === 0 && !this.current) await this.look();
      while (this.mayStart()) this.start();
      const { changes } = this;
      if (this.open.size === 0 && this.current && !this.halted && this.work.length === 0) {
        if (await this.closed(false)) return;
      } else if (this.open.size === 0 && this.cancelled) {
        if (await this.closed(true)) return;
      } else if (this.open.size === 0 && this.historyIsLong) {
        this.goesOn = true;
        return;
      } else await condition(() => this.changes !== changes || this.mayStart());
    }
  }

  private get historyIsLong(): boolean {
    return this.started >= HISTORY_RUNS || workflowInfo().continueAsNewSuggested;
  }

  private mayStart(): boolean {
    return (
      this.work.length > 0 &&
      this.open.size < this.window &&
      !this.halted &&
      !this.cancelled &&
      (this.started === 0 || !this.historyIsLong)
    );
  }

  private async look(): Promise<void> {
    this.current = true;
    const seen = await local.lookAtBatch({ batchId: this.id, except: [...this.open] });
    this.window = seen.window;
    this.count = seen.count;
    this.halted = seen.halt !== null;
    this.work = seen.work.filter(({ index, epoch }) => !this.open.has(index) && (this.begun.get(index) ?? 0) < epoch);
    setCurrentDetails(
      `${this.started} of ${this.count} runs started here${seen.halt === null ? '' : ` (${seen.halt})`}`,
    );
  }

  private start(): void {
    const [next] = this.work;
    if (!next) return;
    const group = this.together(next);
    this.work = this.work.filter((work) => !group.includes(work));
    this.started += group.length;
    this.current = false;
    for (const { index } of group) this.open.add(index);
    void this.runs
      .run(() => (group.length > 1 ? this.runSeveral(group) : this.runOne(next)))
      .catch((thrown: unknown) => {
        this.broken ??= thrown;
      })
      .finally(() => {
        for (const { index } of group) this.open.delete(index);
        if (this.open.size === 0) this.current = false;
        this.changes += 1;
      });
  }

  /** The runs to start with this one: itself, or those that may share a workflow with it, as far as the window goes. */
  private together(next: BatchWork): BatchWork[] {
    const { host } = next;
    if (!host) return [next];
    const room = Math.min(host.runs, this.window - this.open.size);
    return this.work.filter((work) => work.host?.part === host.part).slice(0, Math.max(1, room));
  }

  private async runOne(next: BatchWork): Promise<void> {
    const { run, halt } = await CancellationScope.nonCancellable(() =>
      local.beginBatchRun({ batchId: this.id, index: next.index }),
    );
    if (run === null) {
      this.notBegun([next], halt);
      return;
    }
    this.begun.set(next.index, run.epoch);
    await runChild(this.id, run);
  }

  private async runSeveral(group: readonly BatchWork[]): Promise<void> {
    const host = hostWorkflowId(`${this.id}-${uuid4()}`);
    const { hosted, halt } = await CancellationScope.nonCancellable(() =>
      local.beginHostedRuns({ batchId: this.id, indexes: group.map(({ index }) => index), host }),
    );
    if (hosted === null) {
      this.notBegun(group, halt);
      return;
    }
    for (const { index, epoch } of group) this.begun.set(index, epoch);
    await hostChild(this.id, host, hosted);
  }

  private notBegun(group: readonly BatchWork[], halt: BatchHalt): void {
    if (halt === null) {
      for (const { index, epoch } of group) this.begun.set(index, epoch);
      return;
    }
    this.halted = true;
    this.started -= group.length;
    this.work = [];
  }

  /** Whether it is over: not when somebody has asked to look while the end was written down. */
  private async closed(cancelled: boolean): Promise<boolean> {
    const { changes } = this;
    await local.closeBatch({ batchId: this.id, cancelled });
    return this.changes === changes || cancelled;
  }
}
