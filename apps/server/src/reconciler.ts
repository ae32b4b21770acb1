import { runWorkflowId } from '@cua-forge/spec/engine';
import type { Failure } from '@cua-forge/spec/errors';
import { toForgeError } from '@cua-forge/spec/errors';
import type { BatchRecord, BatchState, RunRecord, RunState } from '@cua-forge/spec/store-port';
import { ValueRef } from '@cua-forge/spec/value';
import { announceBatch, isOpenBatch } from './batches/batch-state.ts';
import type { WorkflowSituation } from './engine-client.ts';
import { announceRun } from './runs/announce.ts';
import { isHosted, isOpen } from './runs/find-run.ts';
import type { Services } from './services.ts';

const openStates = ['queued', 'running', 'needs-attention'] as const satisfies readonly RunState[];
const pageSize = 500;
/** Milliseconds a run may be younger than before it is looked at: it may just be starting. */
const graceMs = 5_000;
const batchLimit = 200;

export interface ReconcileReport {
  /** Runs and batches that were closed because their workflow had ended. */
  closed: string[];
  /** Runs and batches that had been recorded and not started. */
  started: string[];
}

type ReconcilerServices = Pick<Services, 'store' | 'engine' | 'locks' | 'log' | 'now'>;

/** Brings what the store shows as open in line with Temporal: after a terminate there, a lost namespace, or a crash between record and start. */
export class Reconciler {
  readonly #services: ReconcilerServices;
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  #unreachable = false;

  constructor(services: ReconcilerServices, intervalMs = 5_000) {
    this.#services = services;
    this.#intervalMs = intervalMs;
  }

  start(): void {
    const turn = async () => {
      await this.#attempt();
      if (!this.#stopped) this.#timer = setTimeout(go, this.#intervalMs);
    };
    const go = () => {
      this.#running = turn();
    };
    go();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #attempt(): Promise<void> {
    const { log } = this.#services;
    try {
      const report = await this.reconcile();
      if (this.#unreachable) log.info('Temporal answers again');
      this.#unreachable = false;
      if (report.closed.length + report.started.length > 0) log.info(report, 'brought in line with Temporal');
    } catch (thrown) {
      const error = toForgeError(thrown);
      if (error.code !== 'temporal.unreachable') log.error({ err: error }, 'reconciling failed');
      else if (!this.#unreachable) log.warn(error.message);
      this.#unreachable = error.code === 'temporal.unreachable';
    }
  }

  /** One turn. @throws ForgeError `temporal.unreachable` */
  async reconcile(): Promise<ReconcileReport> {
    const { store, engine, now } = this.#services;
    const report: ReconcileReport = { closed: [], started: [] };
    const before = now() - graceMs;
    const runs = await this.#openRuns(before);
    const batches = (await store.meta.listBatches(batchLimit)).filter(
      (batch) => isOpenBatch(batch.state) && batch.createdAt <= before,
    );
    if (runs.length === 0 && batches.length === 0) return report;

    const alive = new Set<string>();
    for await (const id of engine.listOpen()) alive.add(id);
    for (const batch of batches) if (!alive.has(batch.workflowId)) await this.#settleBatch(batch.id, report);
    // A batch starts its own runs, in its own time; there may be thousands.
    const goesOn = new Map<string, boolean>();
    for (const run of runs) {
      if (alive.has(run.workflowId)) continue;
      if (run.batchId !== null && run.state === 'queued') {
        const known = goesOn.get(run.batchId) ?? (await this.#batchGoesOn(run.batchId));
        goesOn.set(run.batchId, known);
        if (known) continue;
      }
      await this.#settleRun(run.id, report);
    }
    return report;
  }

  async #openRuns(before: number): Promise<RunRecord[]> {
    const found: RunRecord[] = [];
    for (const state of openStates) {
      let cursor: { createdAt: number; id: string } | undefined;
      for (;;) {
        const page = await this.#services.store.meta.listRuns({
          state,
          limit: pageSize,
          ...(cursor === undefined ? {} : { before: cursor }),
        });
        found.push(...page.filter((run) => run.createdAt <= before));
        const last = page.at(-1);
        if (last === undefined || page.length < pageSize) break;
        cursor = { createdAt: last.createdAt, id: last.id };
      }
    }
    return found;
  }

  /** The list of open workflows lags behind, so the workflow itself is asked before anything is changed. */
  #settleRun(id: string, report: ReconcileReport): Promise<void> {
    const { store, engine, locks, now } = this.#services;
    return locks.with(id, async () => {
      const asked = await store.meta.getRun(id);
      if (asked === null || !isOpen(asked.state)) return;
      const situation = await engine.describe(asked.workflowId);
      if (situation.status === 'open') return;
      const run = await store.meta.getRun(id);
      if (run === null || !isOpen(run.state) || run.epoch !== asked.epoch) return;

      const outdated =
        (situation.epoch !== null && situation.epoch < run.epoch) ||
        // It had ended in a host; its own workflow was never started.
        (situation.status === 'not-found' && run.state === 'queued' && run.epoch > 1);
      const unstarted = situation.status === 'not-found' && run.state === 'queued' && run.startedAt === null;
      if (run.state === 'queued' && run.batchId !== null && (await this.#batchGoesOn(run.batchId))) return;
      if (unstarted && run.batchId === null && run.epoch === 1) {
        const workflowId = runWorkflowId(id);
        // One that was recorded for a host gets a workflow of its own, unless the host has taken it up at this moment.
        if (isHosted(run) && !(await store.meta.updateRun(id, { workflowId }, ['queued']))) return;
        await engine.startRun({ ...run, workflowId }, []);
        report.started.push(id);
        return;
      }
      const ending = outdated ? interruptedRetry : endingOf(situation);
      await store.meta.updateRun(id, { ...ending, endedAt: now() });
      await announceRun(store.meta, { ...run, state: ending.state }, now());
      await engine.cancelChildren(run.workflowId);
      report.closed.push(id);
    });
  }

  async #batchGoesOn(batchId: string): Promise<boolean> {
    const batch = await this.#services.store.meta.getBatch(batchId);
    return batch !== null && isOpenBatch(batch.state);
  }

  #settleBatch(id: string, report: ReconcileReport): Promise<void> {
    const { store, engine, locks, now } = this.#services;
    return locks.with(id, async () => {
      const asked = await store.meta.getBatch(id);
      if (asked === null || !isOpenBatch(asked.state)) return;
      const situation = await engine.describe(asked.workflowId);
      if (situation.status === 'open') return;
      const batch = await store.meta.getBatch(id);
      if (batch === null || !isOpenBatch(batch.state)) return;
      // One that completed has written that down itself: it was opened again since, and its start was lost.
      if (situation.status === 'completed' || (situation.status === 'not-found' && batch.state === 'queued')) {
        await engine.startBatch(batch);
        report.started.push(id);
        return;
      }
      const state = batchStateOf(batch, situation);
      await store.meta.updateBatch(id, { state, endedAt: now() });
      await announceBatch(store.meta, batch, state, now());
      await engine.cancelChildren(batch.workflowId);
      report.closed.push(id);
    });
  }
}

type Ending = Partial<Pick<RunRecord, 'outputs'>> & { state: RunState; failure: Failure | null };

const interruptedRetry: Ending = {
  state: 'failed',
  failure: { code: 'internal', message: 'The server stopped before the retry had begun.', fix: 'Retry again.' },
};

/** How a run ended whose workflow is closed while the store still shows it as open. */
function endingOf({ status, detail, result }: WorkflowSituation): Ending {
  const reason = detail === '' ? '' : ` ${detail}`;
  const again = 'Retry the run to take it up where it was; what had finished is kept.';
  switch (status) {
    case 'completed': {
      if (result === null || isOpen(result.state)) {
        return {
          state: 'failed',
          failure: { code: 'internal', message: 'The workflow ended without saying how.', fix: again },
        };
      }
      const outputs: Record<string, ValueRef> = {};
      for (const [port, slot] of Object.entries(result.outputs)) {
        const ref = ValueRef.safeParse(slot);
        if (ref.success) outputs[port] = ref.data;
      }
      return { state: result.state, failure: result.failure, outputs };
    }
    case 'cancelled':
      return { state: 'cancelled', failure: null };
    case 'terminated':
      return {
        state: 'terminated',
        failure: { code: 'run.state', message: `The workflow was terminated in Temporal.${reason}`, fix: again },
      };
    case 'timed-out':
      return {
        state: 'failed',
        failure: { code: 'node.timeout', message: `The workflow ran into its time limit.${reason}`, fix: again },
      };
    case 'not-found':
      return {
        state: 'terminated',
        failure: { code: 'run.state', message: 'Temporal no longer knows the workflow of this run.', fix: again },
      };
    case 'failed':
    case 'open':
      return { state: 'failed', failure: { code: 'internal', message: `The workflow failed.${reason}`, fix: again } };
  }
}

function batchStateOf(batch: BatchRecord, { status }: WorkflowSituation): BatchState {
  if (status === 'cancelled') return 'cancelled';
  if (status === 'terminated' || status === 'not-found') return 'terminated';
  return status === 'open' ? batch.state : 'failed';
}
