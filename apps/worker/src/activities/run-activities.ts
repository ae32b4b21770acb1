import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { EngineActivities, OpenedRun, Slot } from '@cua-forge/spec/engine';
import {
  EvaluateUntil,
  OpenHosted,
  RecordOutcome,
  ReportHosted,
  ReportRun,
  RunGraphInput,
} from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Outcome, RunRecord, RunState as State, Store } from '@cua-forge/spec/store-port';
import { TaskPackage } from '@cua-forge/spec/task';
import { Interpreter } from '@cua-forge/workflows/interpreter/interpreter';
import { indexPlan, withAncestors, withDescendants } from '@cua-forge/workflows/interpreter/plan-index';
import { isCurrent } from '@cua-forge/workflows/interpreter/restore';
import type { Command, RunState } from '@cua-forge/workflows/interpreter/state';
import { emptyState } from '@cua-forge/workflows/interpreter/state';
import { resultOf } from '../executor/execute-member.ts';
import type { Memory } from '../executor/restore-run.ts';
import { firstSequence, nextTokenAfter, restoreInterpreter, untilOf } from '../executor/restore-run.ts';
import type { RunFacts } from '../executor/run-facts.ts';
import type { Values } from '../executor/values.ts';
import { fingerprintOf } from '../executor/values.ts';
import { CarriedState } from './carried.ts';

type RunActivities = Pick<
  EngineActivities<RunState, Command>,
  | 'openRun'
  | 'loadCarried'
  | 'saveCarried'
  | 'recordOutcome'
  | 'evaluateUntil'
  | 'reportRun'
  | 'openHosted'
  | 'reportHosted'
>;

const CLOSED: readonly State[] = ['succeeded', 'failed', 'cancelled', 'terminated'];
/** A package value larger than this is no package. */
const PACKAGE_LIMIT = 4 * 1024 ** 2;

/** `nodesWritten` resolves when the node states reported so far (of one run, if it is named) are in the store. */
export function runActivities(
  store: Store,
  values: Values,
  facts: RunFacts,
  nodesWritten: (runId?: string) => Promise<void>,
): RunActivities {
  return {
    async openRun(raw) {
      const input = RunGraphInput.parse(raw);
      const run = await store.meta.getRun(input.runId);
      if (!run)
        throw new ForgeError('run.not-found', `The store has no run '${input.runId}'.`, {
          fix: 'Server and worker must use the same store.',
        });
      const plan = await facts.plan(run.planHash);
      await markRunning(store, run.id, input.epoch, ['queued', ...CLOSED]);
      const opened = { plan, mode: run.mode, inputs: run.inputs, edits: run.edits, nextToken: 1 };
      const restored =
        input.carried !== null || (input.epoch === 1 && run.selection.mode === 'all' && run.baseRun === null)
          ? null
          : await reopen(store, values, run, opened, input.retry);
      return { ...opened, restored };
    },

    async loadCarried(hash) {
      return CarriedState.parse(JSON.parse(Buffer.from(await store.artifacts.get(hash)).toString('utf8')));
    },

    async saveCarried(carried) {
      return (await store.artifacts.put(Buffer.from(canonicalJson(carried), 'utf8'))).hash;
    },

    async recordOutcome(raw) {
      const input = RecordOutcome.parse(raw);
      const refs = async (slots: Record<string, Slot[]>) =>
        Object.fromEntries(
          await Promise.all(
            Object.entries(slots).map(
              async ([port, all]) => [port, await Promise.all(all.map((slot) => values.refOf(slot)))] as const,
            ),
          ),
        );
      const outputs = Object.fromEntries(
        await Promise.all(
          Object.entries(input.outputs).map(async ([port, slot]) => [port, await values.refOf(slot)] as const),
        ),
      );
      const now = Date.now();
      const { runId, key, token, round, attempt, kind, title, params, origin } = input;
      const outcome: Outcome = {
        ...{ runId, key, token, round, attempt, kind, title, params, origin, outputs },
        status: 'succeeded',
        fingerprint: fingerprintOf({ ...input, feedback: [] }),
        inputs: await refs(input.inputs),
        verdict: null,
        failure: null,
        madeBy: null,
        memoKey: null,
        providers: [],
        usage: { input: 0, cached: 0, output: 0 },
        usd: 0,
        startedAt: now,
        endedAt: now,
      };
      return resultOf(await store.meta.commitOutcome(outcome, []));
    },

    async evaluateUntil(raw) {
      const { params, outputs } = EvaluateUntil.parse(raw);
      return untilOf(values, params, outputs);
    },

    async reportRun(raw) {
      const input = ReportRun.parse(raw);
      // Who sees the run's new state must not see its nodes as they were before.
      await nodesWritten(input.runId);
      await report(input);
    },

    async openHosted(raw) {
      const { host, runs } = OpenHosted.parse(raw);
      const taken: RunRecord[] = [];
      for (const id of runs) {
        const run = await takeUp(store, id, host);
        if (run) taken.push(run);
      }
      const [first] = taken;
      if (!first) return { plan: null, runs: [] };
      if (taken.some(({ planHash }) => planHash !== first.planHash))
        throw new ForgeError('internal', `The runs of '${host}' have several plans.`);
      return { plan: await facts.plan(first.planHash), runs: taken.map(({ id, inputs }) => ({ runId: id, inputs })) };
    },

    async reportHosted(raw) {
      const { runs } = ReportHosted.parse(raw);
      await nodesWritten();
      for (const run of runs) await report(run);
    },
  };

  async function report(input: ReportRun): Promise<void> {
    const run = await store.meta.getRun(input.runId);
    // A later opening of the run has the word now.
    if (!run || run.epoch > input.epoch) return;
    const ended = CLOSED.includes(input.state);
    const outputs = input.outputs
      ? Object.fromEntries(
          await Promise.all(
            Object.entries(input.outputs).map(
              async ([name, slot]) => [name, await values.shown(await values.refOf(slot))] as const,
            ),
          ),
        )
      : null;
    if (input.state === 'succeeded' && outputs) await addPackages(store, values, run, outputs);
    await store.meta.updateRun(run.id, {
      state: input.state,
      failure: input.failure,
      ...(outputs ? { outputs } : {}),
      ...(ended ? { endedAt: Date.now() } : {}),
    });
    await announce(store, run, input.state, input.epoch, `${input.state}-${Date.now()}`);
  }
}

/** Takes up a queued run for a host; null when it is not the host's (any more). A second delivery takes up what the first did. */
async function takeUp(store: Store, id: string, host: string): Promise<RunRecord | null> {
  const isOurs = (run: RunRecord | null): run is RunRecord => run?.epoch === 1 && run.workflowId === host;
  const before = await store.meta.getRun(id);
  if (!isOurs(before)) return null;
  if (before.state === 'running') return before;
  if (!(await store.meta.updateRun(id, { state: 'running', startedAt: Date.now() }, ['queued']))) return null;
  // Whoever gives a run another workflow does so while it is queued: read after it no longer was, the name is final.
  const run = await store.meta.getRun(id);
  if (!isOurs(run)) return null;
  await announce(store, run, 'running', 1, 'opened');
  return run;
}

/** Built from the store alone: what was committed stands, what a person asked for runs again. */
async function reopen(
  store: Store,
  values: Values,
  run: RunRecord,
  opened: Omit<OpenedRun<RunState, Command>, 'restored'>,
  retry: RunGraphInput['retry'],
): Promise<{ state: RunState; commands: Command[] }> {
  const { plan } = opened;
  const index = indexPlan(plan);
  const root = index.get(plan.root);
  if (!root) throw new ForgeError('internal', `The plan has no scope '${plan.root}'.`);
  const own = await store.meta.listOutcomes(run.id);
  const base =
    run.baseRun === null ? null : { runId: run.baseRun, outcomes: await store.meta.listOutcomes(run.baseRun) };
  const state: RunState = {
    ...emptyState(structuredClone(run.edits)),
    nextToken: nextTokenAfter(own),
    seq: firstSequence(),
  };
  const { selection } = run;
  const excluded = new Set<string>();
  const bypass = new Set<string>();
  const never = new Set<string>();
  const byKey = new Set<string>();
  if (selection.mode !== 'all') {
    if (!root.nodes.has(selection.node))
      throw new ForgeError('run.state', `There is no node '${selection.node}' at the top level of this workflow.`, {
        fix: 'Name a node of the main graph.',
      });
    const wanted = withAncestors(root, selection.node);
    if (selection.mode !== 'from') for (const node of root.nodes.keys()) if (!wanted.has(node)) excluded.add(node);
    if (selection.mode === 'from') for (const node of withDescendants(root, [selection.node])) never.add(node);
    if (selection.mode === 'only') {
      never.add(selection.node);
      for (const node of wanted) if (node !== selection.node) byKey.add(node);
    }
    // Asked for by name: an answer from the memo is no answer, except where this very run has made one already.
    if (selection.mode !== 'to') bypass.add(selection.node);
  }
  const memory: Memory = { own, base, byKey, never };
  new Interpreter(index, state, { regions: false }).openRoot('', plan.root, run.inputs, { excluded, bypass });
  const commands = await restoreInterpreter(store, values, run, plan, state, memory);
  if (retry.length === 0) return { state, commands };
  const interpreter = new Interpreter(index, state);
  const targets =
    retry === 'failed'
      ? interpreter.failedKeys('').filter((key) => interpreter.retryProblem([key], {}, true) === null)
      : retry;
  if (targets.length === 0) return { state, commands };
  const problem = interpreter.retryProblem(targets, {}, true);
  if (problem !== null) throw new ForgeError('run.state', problem);
  const again = interpreter.apply({ type: 'retry', targets: [...targets], edits: {}, grouped: true });
  return { state, commands: [...commands, ...again].filter((command) => isCurrent(interpreter, command)) };
}

/** Says that a run is under way, unless it is so already. */
export async function markRunning(store: Store, runId: string, epoch: number, from: readonly State[]): Promise<void> {
  const opened = await store.meta.updateRun(
    runId,
    { state: 'running', failure: null, endedAt: null, ...(epoch === 1 ? { startedAt: Date.now() } : {}) },
    from,
  );
  const run = opened ? await store.meta.getRun(runId) : null;
  if (run) await announce(store, run, 'running', epoch, 'opened');
}

async function announce(store: Store, run: RunRecord, state: State, epoch: number, step: string): Promise<void> {
  await store.meta.addEvents([
    {
      runId: run.id,
      type: 'run',
      data: { state, epoch, batchId: run.batchId },
      at: Date.now(),
      dedupe: `run-${epoch}-${step}`,
    },
  ]);
}

/** Outputs that are task packages are listed as such. */
async function addPackages(store: Store, values: Values, run: RunRecord, outputs: RunRecord['outputs']): Promise<void> {
  for (const ref of Object.values(outputs)) {
    if (ref.size > PACKAGE_LIMIT) continue;
    const parsed = TaskPackage.safeParse(await values.read(ref));
    if (!parsed.success) continue;
    const { manifest } = parsed.data;
    const { preview, ...value } = ref;
    void preview;
    // A run that took a package in and gave it back, such as one that has proven it, has not made it.
    const origin = manifest.run === run.id ? null : await store.meta.getPackage(manifest.id);
    await store.meta.addPackage({
      id: manifest.id,
      runId: run.id,
      batchId: run.batchId,
      skill: run.skill,
      seed: run.seed,
      createdAt: Date.now(),
      ...origin,
      title: manifest.title,
      outcomeKind: manifest.outcome.kind,
      rehearsed: manifest.models.includes('rehearsal'),
      value,
    });
    await store.meta.addEvents([
      {
        runId: run.id,
        type: 'package',
        data: { id: manifest.id, title: manifest.title },
        at: Date.now(),
        dedupe: `package-${manifest.id}`,
      },
    ]);
  }
}
