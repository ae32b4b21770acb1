import type { ApproveCommand, CarriedState, ExecuteBatch, Member, MemberResult, Slot } from '@cua-forge/spec/engine';
import { decisionSignal } from '@cua-forge/spec/engine-names';
import type { PlanNode } from '@cua-forge/spec/plan';
import {
  CancellationScope,
  getExternalWorkflowHandle,
  isCancellation,
  scheduleActivity,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { Interpreter } from '../interpreter/interpreter.ts';
import type { PlanIndex } from '../interpreter/plan-index.ts';
import type { Command, Event, RunState } from '../interpreter/state.ts';
import { splitPath } from '../interpreter/state.ts';
import { forge, local, remote } from './activities.ts';
import { activityOptions, eventsOf, memberOf, summaryOf } from './executions.ts';
import { failureOf, resultOf } from './failures.ts';
import { InFlight } from './in-flight.ts';
import { runSlice, sliceWorkflowId } from './slices.ts';

/** Activities in flight at once in one workflow; Temporal fails workflow tasks beyond about 2,000. */
const WIDTH = 300;
/** Members of one batch when batches of several scope instances are put together. */
const BATCH = 64;
/** Dispatches after which a workflow goes on in a new history. */
const HISTORY_NODES = 1_000;
/** Milliseconds between two counts for the Temporal UI. */
const DESCRIBE_EVERY = 1_000;

type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>;
type Settled = CommandOf<'settled'>;

/** What runs that share a workflow do together: the activities of cheap nodes. */
export interface Companions {
  execute(batch: ExecuteBatch, summary: string): Promise<MemberResult[]>;
  recall(batch: ExecuteBatch): Promise<MemberResult[]>;
}

/** As a run does that has its workflow to itself. */
const byItself: Companions = {
  execute: (batch, summary) => local.executeNodes.executeWithOptions({ summary }, [batch]),
  recall: (batch) => local.recallMembers(batch),
};

/** Carries out the interpreter's commands on Temporal and feeds it what comes of them. */
export class Driver {
  readonly interpreter: Interpreter;
  /** Instances this workflow was started for that have ended, by path. */
  readonly settled = new Map<string, Settled>();
  /** Grows with everything that happens to the state. */
  changes = 0;
  private outbox: Command[] = [];
  private flushing = false;
  private draining = false;
  private dispatched = 0;
  private readonly inFlight = new InFlight(() => {
    // What a run at rest shows last must be true.
    if (this.inFlight.count === 0) this.describe();
    if (this.outbox.length > 0 && !this.draining) this.accept([]);
  });
  private describedAt = 0;
  /** Open waits by token. */
  private readonly waits = new Map<number, { command: CommandOf<'wait'>; deadline: number }>();

  constructor(
    private readonly runId: string,
    private readonly index: PlanIndex,
    readonly state: RunState,
    private readonly companions: Companions = byItself,
  ) {
    this.interpreter = new Interpreter(index, state);
  }

  apply(event: Event): void {
    this.changes += 1;
    this.accept(this.interpreter.apply(event));
  }

  accept(commands: readonly Command[]): void {
    this.outbox.push(...commands);
    if (this.flushing) return;
    this.flushing = true;
    this.inFlight.runShort(this.flushNow);
  }

  /** What other events of the same workflow task bring is dispatched together. */
  private readonly flushNow = (): void => {
    this.flushing = false;
    this.flush();
  };

  /** Goes on from what the store remembers. */
  restored(commands: readonly Command[]): void {
    this.interpreter.reportAll();
    this.accept(commands);
  }

  /** Takes up what an earlier history left. */
  resume(carried: CarriedState<RunState, Command>): void {
    const now = Date.now();
    for (const command of carried.commands) {
      const deadline = command.type === 'wait' ? carried.deadlines[String(command.token)] : undefined;
      this.outbox.push(
        command.type === 'wait' && deadline !== undefined
          ? { ...command, milliseconds: Math.max(0, deadline - now) }
          : command,
      );
    }
    this.accept([]);
  }

  /** Whether a decision about this node can be taken here, or handed to a slice that is at work. */
  mayDecide(key: string): boolean {
    return this.interpreter.awaitsDecision(key) || this.interpreter.sliceOf(key) !== null;
  }

  /** Takes a decision, or hands it on to the slice whose item holds the node. False when nothing waits for it. */
  async decide(command: ApproveCommand): Promise<boolean> {
    if (this.interpreter.awaitsDecision(command.key)) {
      this.apply({ type: 'decision', ...command });
      return true;
    }
    const slice = this.interpreter.sliceOf(command.key);
    if (!slice) return false;
    await getExternalWorkflowHandle(sliceWorkflowId(this.runId, slice.mapKey, slice.slice)).signal(
      decisionSignal,
      command,
    );
    return true;
  }

  /** Whether the history has grown so far that the workflow should go on in a new one. */
  get historyIsLong(): boolean {
    return this.dispatched >= HISTORY_NODES || workflowInfo().continueAsNewSuggested;
  }

  /** Stops dispatching; `drained` holds when nothing is in flight any more. */
  drain(): void {
    this.draining = true;
  }

  get drained(): boolean {
    return this.draining && this.inFlight.count === 0 && !this.flushing;
  }

  /** What the next history needs. Call when drained. */
  carry(): CarriedState<RunState, Command> {
    const waits = [...this.waits.values()];
    return {
      state: this.state,
      commands: [...this.outbox, ...waits.map(({ command }) => command)],
      deadlines: Object.fromEntries(waits.map(({ command, deadline }) => [String(command.token), deadline])),
    };
  }

  private flush(): void {
    const held: Command[] = [];
    const cheap: { member: Member; node: PlanNode }[][] = [];
    for (const command of this.outbox.splice(0)) {
      if (
        (this.draining || this.inFlight.count >= WIDTH) &&
        command.type !== 'abandon' &&
        command.type !== 'abandonSlice' &&
        command.type !== 'settled' &&
        command.type !== 'wait'
      ) {
        held.push(command);
        continue;
      }
      switch (command.type) {
        case 'execute': {
          const members = command.executions.map((execution) => {
            const node = this.nodeOf(command.scope, execution.node);
            return { node, member: memberOf(node, execution) };
          });
          const first = members[0];
          if (!first) break;
          this.dispatched += members.length;
          if (first.node.region === null) this.executeRemote(first.member, first.node);
          else cheap.push(members);
          break;
        }
        case 'abandon':
          for (const token of command.tokens) {
            this.waits.delete(token);
            this.inFlight.abandon(token, this.state.cancelling);
          }
          break;
        case 'abandonSlice':
          this.inFlight.abandon(command.slice, false);
          break;
        case 'record':
          this.record(command);
          break;
        case 'split':
          this.split(command);
          break;
        case 'slice':
          this.slice(command);
          break;
        case 'collect':
          this.collect(command);
          break;
        case 'until':
          this.until(command);
          break;
        case 'wait':
          this.wait(command);
          break;
        case 'settled':
          this.settled.set(command.instance, command);
          break;
      }
    }
    this.outbox.push(...held);
    for (let batch = cheap.shift(); batch !== undefined; batch = cheap.shift()) {
      while (cheap[0] && batch.length + cheap[0].length <= BATCH) batch.push(...(cheap.shift() ?? []));
      this.executeBatch(batch);
    }
    const reports = this.interpreter.takeReports();
    if (reports.length > 0) {
      forge.report(this.runId, reports);
      this.describe();
    }
  }

  /** What the Temporal UI shows of the run's progress. */
  private describe(): void {
    if (this.companions !== byItself) return;
    const now = Date.now();
    if (this.inFlight.count > 0 && now - this.describedAt < DESCRIBE_EVERY) return;
    this.describedAt = now;
    const counts: Record<string, number> = {};
    for (const node of Object.values(this.state.nodes)) counts[node.status] = (counts[node.status] ?? 0) + 1;
    setCurrentDetails(
      Object.entries(counts)
        .map(([status, count]) => `${count} ${status}`)
        .join(', '),
    );
  }

  private nodeOf(scope: string, id: string): PlanNode {
    const node = this.index.get(scope)?.nodes.get(id);
    if (!node) throw new Error(`the plan has no node '${id}' in '${scope}'`);
    return node;
  }

  private executeRemote(member: Member, node: PlanNode): void {
    const { policy } = node;
    const batch: ExecuteBatch = { runId: this.runId, attempts: policy.attempts, members: [member] };
    const options = activityOptions(policy, summaryOf([member]));
    const schedule = (): Promise<MemberResult[]> => scheduleActivity<MemberResult[]>('executeNodes', [batch], options);
    const ended = (results: MemberResult[]): void => this.finish([member], results);
    const failed = (thrown: unknown): void => this.fail(member.key, member.token, member.title, thrown);
    if (policy.queue === 'light') this.inFlight.follow(schedule(), ended, failed);
    else this.inFlight.track([member.token], () => schedule().then(ended, failed));
  }

  private executeBatch(batch: { member: Member; node: PlanNode }[]): void {
    const members = batch.map(({ member }) => member);
    const attempts = Math.max(...batch.map(({ node }) => node.policy.attempts));
    const input: ExecuteBatch = { runId: this.runId, attempts, members };
    this.inFlight.follow(
      this.companions.execute(input, summaryOf(members)),
      (results) => this.finish(members, results),
      (thrown) => this.inFlight.track([], () => this.afterBrokenBatch(input, thrown)),
    );
  }

  /** What was committed counts. Of a failure the first that was not takes the blame; the others wait their turn. */
  private async afterBrokenBatch(input: ExecuteBatch, thrown: unknown): Promise<void> {
    const { members } = input;
    const done = await CancellationScope.nonCancellable(() => this.companions.recall(input)).catch(() => []);
    const known = new Set(done.map(({ token }) => token));
    const culprit = isCancellation(thrown) ? undefined : members.find(({ token }) => !known.has(token));
    const blamed = culprit && { token: culprit.token, failure: failureOf(thrown, culprit.title), origin: 'executed' };
    this.finish(members, blamed ? [...done, blamed] : done);
  }

  private finish(members: readonly Pick<Member, 'key' | 'token'>[], results: readonly MemberResult[]): void {
    for (const event of eventsOf(members, results)) this.apply(event);
  }

  private fail(key: string, token: number, title: string, thrown: unknown): void {
    this.apply({ type: 'finished', key, token, result: resultOf(thrown, title) });
  }

  /** What the store has to know of a node that the engine itself ends. */
  private identityOf(command: CommandOf<'record' | 'collect'>, { kind, version, title }: PlanNode) {
    const { key, token, round, attempt, params } = command;
    return { runId: this.runId, key, token, round, attempt, kind, version, title, params };
  }

  private record(command: CommandOf<'record'>): void {
    const node = this.nodeOf(command.scope, command.node);
    const { outputs, origin } = command;
    const inputs: Record<string, Slot[]> = {};
    for (const [port, values] of Object.entries(command.inputs))
      inputs[port] = values.flatMap((value) => ('token' in value ? [] : [value]));
    this.step(command, node.title, async () => {
      this.finish(
        [command],
        [await local.recordOutcome({ ...this.identityOf(command, node), inputs, outputs, origin })],
      );
    });
  }

  private split(command: CommandOf<'split'>): void {
    const { key, token, scope, list, shared, maxItems, reuse } = command;
    if ('literal' in list) return;
    this.step(command, key, async () => {
      const answer = await local.splitItems({ runId: this.runId, key, scope, list, shared, maxItems, reuse });
      this.apply({ type: 'split', key, token, ...answer, keepFailed: false });
    });
  }

  private collect(command: CommandOf<'collect'>): void {
    const { key, scope, list, shared, count } = command;
    if ('literal' in list) return;
    const around = this.state.instances[splitPath(key).instance]?.scope ?? '';
    const node = this.nodeOf(around, command.node);
    this.step(command, node.title, async () => {
      this.finish(
        [command],
        [await remote.collectItems({ ...this.identityOf(command, node), scope, list, shared, count })],
      );
    });
  }

  private until(command: CommandOf<'until'>): void {
    const { key, token, params, outputs } = command;
    this.step(command, key, async () => {
      const holds = await local.evaluateUntil({ runId: this.runId, params, outputs });
      this.apply({ type: 'until', key, token, holds, outputs });
    });
  }

  /** A step of the engine's own for a node; its failure is the node's. */
  private step({ key, token }: { key: string; token: number }, title: string, work: () => Promise<void>): void {
    this.inFlight.track([token], () => work().catch((thrown: unknown) => this.fail(key, token, title, thrown)));
  }

  private wait(command: CommandOf<'wait'>): void {
    const { key, token, milliseconds } = command;
    this.waits.set(token, { command, deadline: Date.now() + milliseconds });
    this.inFlight.watch([token], async () => {
      await sleep(milliseconds);
      // A timer that ends while draining is carried with its deadline in the past.
      if (this.draining || !this.waits.has(token)) return;
      this.waits.delete(token);
      this.apply({ type: 'elapsed', key, token });
    });
  }

  private slice(command: CommandOf<'slice'>): void {
    const { key, token, slice, items } = command;
    this.dispatched += 1;
    // Slices are numbered like tokens.
    this.inFlight.track([slice], async () => {
      try {
        this.apply({ type: 'slice', key, token, slice, ...(await runSlice(this.runId, command)) });
      } catch (thrown) {
        // Cancelled from outside: its items have not ended and are taken again. Terminated or broken: they failed.
        const unended = isCancellation(thrown) || this.state.cancelling;
        const ends = unended ? { failed: [], cancelled: items } : { failed: items, cancelled: [] };
        this.apply({ type: 'slice', key, token, slice, succeeded: [], ...ends });
      }
    });
  }
}
