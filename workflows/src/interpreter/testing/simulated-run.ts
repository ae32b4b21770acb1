import { createHash } from 'node:crypto';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { Slot } from '@cua-forge/spec/engine';
import type { NodeEdits } from '@cua-forge/spec/store-port';
import { Interpreter } from '../interpreter.ts';
import type { PlanIndex } from '../plan-index.ts';
import type { Recall } from '../restore.ts';
import { factsOf, restore } from '../restore.ts';
import type { Command, ExecutionFacts, Result, RunState } from '../state.ts';
import { emptyState, itemInstance, splitPath } from '../state.ts';

export const digest = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');
const ref = (value: unknown): Slot => ({ hash: digest(value), size: 1 });

interface Commit {
  facts: ExecutionFacts;
  result: Result;
}
interface ItemCommit {
  fingerprint: string;
  status: 'succeeded' | 'failed';
}

/** What survives every crash: committed outcomes, by execution. */
export class SimulatedStore {
  readonly commits = new Map<string, Commit>();
  readonly order: Commit[] = [];
  readonly items = new Map<string, ItemCommit>();
  /** Commits that came second and were dropped. */
  repeated = 0;
  readonly executed = new Map<string, number>();

  commit(facts: ExecutionFacts, result: Result): Result {
    const id = `${facts.key}@${facts.token}`;
    const first = this.commits.get(id);
    if (first) {
      this.repeated += 1;
      return first.result;
    }
    const commit = { facts, result };
    this.commits.set(id, commit);
    this.order.push(commit);
    return result;
  }

  newest(facts: ExecutionFacts): Result | null {
    const wanted = fingerprint(facts);
    const found = this.order
      .filter((commit) => commit.facts.key === facts.key && fingerprint(commit.facts) === wanted)
      .sort((a, b) => b.facts.token - a.facts.token)[0];
    return found?.result ?? null;
  }
}

const fingerprint = (facts: ExecutionFacts): string => digest([facts.key, facts.params, facts.inputs, facts.feedback]);

type Pending = Command & { committed?: Result };

export interface Luck {
  /** 0..99, from an execution's identity. */
  roll(text: string): number;
}

/** One workflow with its children, run by hand: each step carries out one command, or does something unpleasant. */
export class SimulatedRun {
  interpreter: Interpreter;
  pending: Pending[] = [];
  readonly children = new Map<number, SimulatedRun>();
  settled = new Map<string, { status: string; outputs: Record<string, Slot> }>();

  private constructor(
    readonly plan: PlanIndex,
    readonly store: SimulatedStore,
    readonly luck: Luck,
    private readonly roots: { path: string; scope: string; inputs: Record<string, Slot> }[],
    state: RunState,
  ) {
    this.interpreter = new Interpreter(plan, state);
  }

  static start(plan: PlanIndex, store: SimulatedStore, luck: Luck): SimulatedRun {
    const roots = [{ path: '', scope: '$main', inputs: { value: ref('input') } }];
    const run = new SimulatedRun(plan, store, luck, roots, emptyState({}));
    run.openRoots();
    run.accept(run.interpreter.apply({ type: 'start' }));
    return run;
  }

  private openRoots(): void {
    for (const root of this.roots) this.interpreter.openRoot(root.path, root.scope, root.inputs);
  }

  /** Everything in flight is lost; a new worker goes on from the store, as after a terminate. */
  async reopen(): Promise<void> {
    const { edits } = this.interpreter.state;
    const highest = Math.max(
      0,
      this.interpreter.state.nextToken,
      ...this.store.order.map((commit) => commit.facts.token),
    );
    const state = { ...emptyState(structuredClone(edits)), nextToken: highest + 1_000 };
    this.interpreter = new Interpreter(this.plan, state, { regions: false });
    this.openRoots();
    this.children.clear();
    this.settled.clear();
    this.pending = [];
    const rest = await restore(this.interpreter, this.recall());
    this.interpreter = new Interpreter(this.plan, JSON.parse(JSON.stringify(state)));
    this.accept(rest);
  }

  private recall(): Recall {
    return {
      outcome: async (facts) => {
        if (!this.plan.get(facts.scope)?.nodes.has(facts.node))
          throw new Error(`no '${facts.node}' in '${facts.scope}'`);
        return this.store.newest(facts);
      },
      split: async (command) => this.splitOf(command),
      until: async (command) => this.luck.roll(digest(['until', command.outputs])) < 60,
    };
  }

  private itemFingerprint(list: Slot, shared: Record<string, Slot>, item: number): string {
    return digest([list, shared, item]);
  }

  private splitOf(command: Extract<Command, { type: 'split' }>): {
    count: number;
    succeeded: number[];
    failed: number[];
  } {
    const count = this.luck.roll(digest(['count', command.list])) % 5;
    const succeeded: number[] = [];
    const failed: number[] = [];
    for (let item = 0; item < count && command.reuse; item++) {
      const known = this.store.items.get(itemInstance(command.key, item));
      if (known?.fingerprint !== this.itemFingerprint(command.list, command.shared, item)) continue;
      (known.status === 'succeeded' ? succeeded : failed).push(item);
    }
    return { count, succeeded, failed };
  }

  /** The workflow's own state as after continue-as-new or replay on another worker. */
  reload(): void {
    this.interpreter = new Interpreter(this.plan, JSON.parse(JSON.stringify(this.interpreter.state)));
    for (const child of this.children.values()) child.reload();
  }

  accept(commands: Command[]): void {
    for (const command of commands) {
      if (command.type === 'abandon') {
        // In flight: it ends as cancelled, whenever it notices.
        for (const other of this.pending) {
          if (
            other.type === 'execute' &&
            other.executions.some((execution) => command.tokens.includes(execution.token))
          )
            other.committed ??= { status: 'cancelled' };
        }
      } else if (command.type === 'abandonSlice') this.children.get(command.slice)?.cancel();
      else if (command.type === 'settled')
        this.settled.set(command.instance, { status: command.status, outputs: command.outputs });
      else if (command.type === 'slice') this.startChild(command);
      else this.pending.push(command);
    }
  }

  private startChild(command: Extract<Command, { type: 'slice' }>): void {
    const roots = command.items.map((item) => ({
      path: itemInstance(command.key, item),
      scope: command.scope,
      inputs: { ...command.shared, item: { ...command.list, index: item } as Slot },
    }));
    const highest = Math.max(0, ...this.store.order.map((commit) => commit.facts.token));
    const child = new SimulatedRun(this.plan, this.store, this.luck, roots, {
      ...emptyState(command.edits),
      nextToken: highest + 1_000,
    });
    child.openRoots();
    if (command.resume) child.pendingRestore = { retry: command.retry };
    else child.accept(child.interpreter.apply({ type: 'start' }));
    this.children.set(command.slice, child);
    child.slice = command;
  }

  private pendingRestore: { retry: string[] | 'failed' } | null = null;
  private slice: Extract<Command, { type: 'slice' }> | null = null;

  private async restoreChild(): Promise<void> {
    const how = this.pendingRestore;
    if (!how) return;
    this.pendingRestore = null;
    const wasCancelling = this.interpreter.state.cancelling;
    const { state } = this.interpreter;
    state.cancelling = false;
    const restoring = new Interpreter(this.plan, state, { regions: false });
    const rest = await restore(restoring, this.recall());
    this.interpreter = new Interpreter(this.plan, state);
    this.accept(rest);
    const targets =
      how.retry === 'failed' ? this.roots.flatMap((root) => this.interpreter.failedKeys(root.path)) : how.retry;
    if (targets.length > 0 && this.interpreter.retryProblem(targets, {}) === null) {
      this.settled.clear();
      this.accept(this.interpreter.apply({ type: 'retry', targets, edits: {} }));
    }
    if (wasCancelling) this.cancel();
  }

  cancel(): void {
    if (this.pendingRestore) {
      this.interpreter.state.cancelling = true;
      return;
    }
    this.accept(this.interpreter.apply({ type: 'cancel' }));
  }

  get idle(): boolean {
    return (
      this.pending.length === 0 &&
      this.children.size === 0 &&
      !this.pendingRestore &&
      this.interpreter.awaiting().length === 0
    );
  }

  /** Carries out one piece of work; `pick` chooses which. With `crash`, what was executed is committed but not reported, so it is delivered again. */
  async step(pick: number, crash: boolean): Promise<void> {
    if (this.pendingRestore) {
      await this.restoreChild();
      return;
    }
    const slices = [...this.children.keys()];
    const choices = this.pending.length + slices.length;
    if (choices === 0) {
      const waiting = this.interpreter.awaiting()[pick % Math.max(1, this.interpreter.awaiting().length)];
      if (waiting)
        this.accept(
          this.interpreter.apply({
            type: 'decision',
            key: waiting.key,
            decision: pick % 3 === 0 ? 'reject' : 'approve',
            by: 'test',
            note: '',
          }),
        );
      return;
    }
    const chosen = pick % choices;
    const slice = slices[chosen - this.pending.length];
    if (chosen >= this.pending.length && slice !== undefined) {
      const child = this.children.get(slice);
      if (!child) return;
      if (!child.idle) await child.step(Math.floor(pick / choices), crash);
      if (child.idle) this.endChild(slice, child);
      return;
    }
    const command = this.pending[chosen];
    if (command) await this.carryOut(command, crash);
  }

  private endChild(slice: number, child: SimulatedRun): void {
    const { slice: command } = child;
    if (!command) return;
    this.children.delete(slice);
    const by = (status: string): number[] =>
      command.items.filter((item) => child.settled.get(itemInstance(command.key, item))?.status === status);
    for (const item of command.items) {
      const status = child.settled.get(itemInstance(command.key, item))?.status;
      if (status === 'succeeded' || status === 'failed') {
        this.store.items.set(itemInstance(command.key, item), {
          fingerprint: this.itemFingerprint(command.list, command.shared, item),
          status,
        });
      }
    }
    this.accept(
      this.interpreter.apply({
        type: 'slice',
        key: command.key,
        token: command.token,
        slice,
        succeeded: by('succeeded'),
        failed: by('failed'),
        cancelled: command.items.filter(
          (item) => !['succeeded', 'failed'].includes(child.settled.get(itemInstance(command.key, item))?.status ?? ''),
        ),
      }),
    );
  }

  private async carryOut(command: Pending, crash: boolean): Promise<void> {
    const done = (): void => {
      this.pending = this.pending.filter((other) => other !== command);
    };
    switch (command.type) {
      case 'execute': {
        if (command.committed?.status === 'cancelled') {
          done();
          for (const execution of command.executions)
            this.accept(
              this.interpreter.apply({
                type: 'finished',
                key: execution.key,
                token: execution.token,
                result: { status: 'cancelled' },
              }),
            );
          return;
        }
        const results = this.executeBatch(command);
        if (crash) return;
        done();
        for (const { key, token, result } of results)
          this.accept(this.interpreter.apply({ type: 'finished', key, token, result }));
        return;
      }
      case 'record':
      case 'collect': {
        const { key, scope, node, params, token, round, attempt } = command;
        const inputs =
          command.type === 'record'
            ? Object.fromEntries(
                Object.entries(command.inputs).map(([port, values]) => [
                  port,
                  values.flatMap((value) => ('token' in value ? [] : [value])),
                ]),
              )
            : {
                items: [command.list],
                ...Object.fromEntries(Object.entries(command.shared).map(([port, slot]) => [port, [slot]])),
              };
        const outputs = command.type === 'record' ? command.outputs : { results: ref([command.key, token]) };
        const result = this.store.commit(
          { key, scope, node, params, inputs, feedback: [], token, round, attempt },
          { status: 'succeeded', outputs },
        );
        if (crash) return;
        done();
        this.accept(this.interpreter.apply({ type: 'finished', key, token, result }));
        return;
      }
      case 'split':
        done();
        this.accept(
          this.interpreter.apply({
            type: 'split',
            key: command.key,
            token: command.token,
            ...this.splitOf(command),
            keepFailed: false,
          }),
        );
        return;
      case 'until':
        done();
        this.accept(
          this.interpreter.apply({
            type: 'until',
            key: command.key,
            token: command.token,
            holds: this.luck.roll(digest(['until', command.outputs])) < 60,
            outputs: command.outputs,
          }),
        );
        return;
      case 'wait':
        done();
        this.accept(this.interpreter.apply({ type: 'elapsed', key: command.key, token: command.token }));
        return;
      default:
        done();
    }
  }

  /** Executes a batch as the worker does: in order, each outcome committed as it ends, members with dead inputs handed back. */
  private executeBatch(
    command: Extract<Command, { type: 'execute' }>,
  ): { key: string; token: number; result: Result }[] {
    const made = new Map<number, Record<string, Slot>>();
    const results: { key: string; token: number; result: Result }[] = [];
    const unexecuted: typeof results = [];
    for (const execution of command.executions) {
      const inputs: Record<string, Slot[]> = {};
      let blocked = false;
      for (const [port, values] of Object.entries(execution.inputs)) {
        const live: Slot[] = [];
        for (const value of values) {
          if (!('token' in value)) live.push(value);
          else {
            const outputs = made.get(value.token);
            if (!outputs) blocked = true;
            else if (outputs[value.port]) live.push(outputs[value.port] as Slot);
          }
        }
        if (live.length > 0) inputs[port] = live;
        else blocked = true;
      }
      if (blocked) {
        unexecuted.push({ key: execution.key, token: execution.token, result: { status: 'unexecuted' } });
        continue;
      }
      const facts: ExecutionFacts = { ...factsOf(command.scope, { ...execution, inputs }) };
      const id = `${facts.key}@${facts.token}`;
      const known = this.store.commits.get(id)?.result;
      const result = known ?? this.store.commit(facts, this.outcomeOf(facts, execution.node));
      if (!known) this.store.executed.set(id, (this.store.executed.get(id) ?? 0) + 1);
      if (result.status === 'succeeded') made.set(execution.token, result.outputs);
      results.push({ key: execution.key, token: execution.token, result });
    }
    return [...results, ...unexecuted];
  }

  private outcomeOf(facts: ExecutionFacts, node: string): Result {
    const roll = this.luck.roll(`${facts.key}@${facts.token}`);
    const plan = [...this.plan.values()].find((index) => index.scope.id === facts.scope)?.nodes.get(node);
    const outputs: Record<string, Slot> =
      roll % 11 === 0 && !plan?.gate ? {} : { value: ref([fingerprint(facts), facts.token]) };
    if (plan?.gate) {
      const verdict = roll < 60 ? 'pass' : roll < 90 ? 'repair' : 'reject';
      return {
        status: 'succeeded',
        outputs,
        verdict: {
          verdict,
          evidence: [{ check: 'luck', ok: verdict === 'pass', detail: String(roll) }],
          ...(verdict === 'repair' ? { feedback: `again after ${roll}` } : {}),
        },
      };
    }
    return roll < 15
      ? { status: 'failed', failure: { code: 'node.failed', message: `roll ${roll}` } }
      : { status: 'succeeded', outputs };
  }

  retry(key: string, edits: NodeEdits): string | null {
    const targets = key in edits ? [] : [key];
    const problem = this.interpreter.retryProblem(targets, edits);
    if (problem === null) {
      this.settled.clear();
      this.accept(this.interpreter.apply({ type: 'retry', targets, edits }));
    }
    return problem;
  }

  /** Node paths at the top level of this workflow. */
  nodeIn(path: string): string {
    return splitPath(path).node;
  }
}
