import type {
  ApproveCommand,
  CarriedState,
  ExecuteBatch,
  ItemsResult,
  Member,
  MemberResult,
  RunItemsInput,
  Slot,
} from '@cua-forge/spec/engine';
import { decisionSignal, taskQueues, workflowTypes } from '@cua-forge/spec/engine-names';
import type { PlanNode } from '@cua-forge/spec/plan';
import {
  ActivityCancellationType,
  CancellationScope,
  getExternalWorkflowHandle,
  isCancellation,
  scheduleActivity,
  setCurrentDetails,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { Interpreter } from '../interpreter/interpreter.ts';
import type { PlanIndex } from '../interpreter/plan-index.ts';
import type { Command, Event, Execution, RunState } from '../interpreter/state.ts';
import { forge, local, remote } from './activities.ts';
import { failureOf, resultOf } from './failures.ts';

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
  private inFlight = 0;
  private dispatched = 0;
  /** Work in flight by the tokens it is for; a batch ends early only when all of its members are abandoned. */
  private readonly scopes = new Map<number, { scope: CancellationScope; tokens: Set<number> }>();
  private readonly slices = new Map<number, CancellationScope>();
  /**
   * Everything short shares one scope: the SDK pays for each promise of a workflow, and a scope costs several. Short work that became stale runs to its end and is
   * ignored; only cancelling the run ends it early.
   */
  private readonly short = new CancellationScope({ cancellable: true });
  private describedAt = 0;
  /** Open waits by token. */
  private readonly waits = new Map<number, { command: CommandOf<'wait'>; deadline: number }>();

  constructor(
    private readonly runId: string,
    private readonly index: PlanIndex,
    readonly state: RunState,
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
    void this.short.run(this.flushSoon);
  }

  /** What other events of the same workflow task bring is dispatched together. */
  private readonly flushSoon = async (): Promise<void> => {
    await null;
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
    return this.draining && this.inFlight === 0 && !this.flushing;
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
        (this.draining || this.inFlight >= WIDTH) &&
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
          const members = command.executions.map((execution) => this.member(command.scope, execution));
          const first = members[0];
          if (!first) break;
          this.dispatched += members.length;
          if (first.node.region === null) this.executeRemote(first.member, first.node);
          else cheap.push(members);
          break;
        }
        case 'abandon':
          for (const token of command.tokens) {
            this.abandon(token);
          }
          break;
        case 'abandonSlice':
          this.slices.get(command.slice)?.cancel();
          break;
        case 'record':
          this.record(command);
          break;
        case 'split':
          this.split(command);
          break;
        case 'slice':
          this.startSlice(command);
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

  private landed(): void {
    this.inFlight -= 1;
    // What a run at rest shows last must be true.
    if (this.inFlight === 0) this.describe();
  }

  /** What the Temporal UI shows of the run's progress. */
  private describe(): void {
    const now = Date.now();
    if (this.inFlight > 0 && now - this.describedAt < DESCRIBE_EVERY) return;
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

  private member(scope: string, execution: Execution): { member: Member; node: PlanNode } {
    const node = this.nodeOf(scope, execution.node);
    const inputs = Object.entries(node.inputs);
    return {
      node,
      member: {
        key: execution.key,
        token: execution.token,
        round: execution.round,
        attempt: execution.attempt,
        kind: node.kind,
        version: node.version,
        title: node.title,
        params: execution.params,
        inputs: execution.inputs,
        required: inputs.flatMap(([port, input]) => (input.required ? [port] : [])),
        multiple: inputs.flatMap(([port, input]) => (input.multiple ? [port] : [])),
        feedback: execution.feedback,
        bypassMemo: execution.bypassMemo,
      },
    };
  }

  private abandon(token: number): void {
    this.waits.delete(token);
    const work = this.scopes.get(token);
    if (!work) {
      if (this.state.cancelling) this.short.cancel();
      return;
    }
    work.tokens.delete(token);
    if (work.tokens.size === 0) work.scope.cancel();
  }

  /** Runs work that ends in events; counts it as in flight and makes it abandonable by its tokens. */
  private track(tokens: readonly number[], work: () => Promise<void>): void {
    this.inFlight += 1;
    const scope = new CancellationScope({ cancellable: true });
    const entry = { scope, tokens: new Set(tokens) };
    for (const token of tokens) this.scopes.set(token, entry);
    void scope
      .run(work)
      .catch((thrown: unknown) => {
        if (!isCancellation(thrown)) throw thrown;
      })
      .finally(() => {
        this.landed();
        for (const token of tokens) this.scopes.delete(token);
        if (this.outbox.length > 0 && !this.draining) this.accept([]);
      });
  }

  /** Counts short work as in flight until it has ended one way or the other. */
  private follow<T>(work: Promise<T>, ended: (result: T) => void, failed: (thrown: unknown) => void): void {
    this.inFlight += 1;
    const end = (): void => {
      this.landed();
      if (this.outbox.length > 0 && !this.draining) this.accept([]);
    };
    work.then(
      (result) => {
        ended(result);
        end();
      },
      (thrown: unknown) => {
        failed(thrown);
        end();
      },
    );
  }

  private executeRemote(member: Member, node: PlanNode): void {
    const { policy } = node;
    const batch: ExecuteBatch = { runId: this.runId, attempts: policy.attempts, members: [member] };
    const schedule = (): Promise<MemberResult[]> =>
      scheduleActivity<MemberResult[]>('executeNodes', [batch], {
        taskQueue: taskQueues[policy.queue],
        startToCloseTimeout: policy.timeoutMs,
        heartbeatTimeout: policy.heartbeatMs,
        retry: {
          maximumAttempts: policy.attempts,
          initialInterval: policy.backoffMs,
          maximumInterval: '60s',
          backoffCoefficient: 2,
        },
        cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
        summary: summaryOf(member),
      });
    const ended = (results: MemberResult[]): void => this.finish([member], results);
    const failed = (thrown: unknown): void =>
      this.apply({ type: 'finished', key: member.key, token: member.token, result: resultOf(thrown, member.title) });
    if (policy.queue === 'light') this.follow(schedule(), ended, failed);
    else this.track([member.token], () => schedule().then(ended, failed));
  }

  private executeBatch(batch: { member: Member; node: PlanNode }[]): void {
    const members = batch.map(({ member }) => member);
    const first = members[0];
    if (!first) return;
    const attempts = Math.max(...batch.map(({ node }) => node.policy.attempts));
    const input: ExecuteBatch = { runId: this.runId, attempts, members };
    const summary = members.length === 1 ? summaryOf(first) : `${members.length} nodes: ${first.title}, …`;
    this.follow(
      local.executeNodes.executeWithOptions({ summary }, [input]),
      (results) => this.finish(members, results),
      (thrown) => this.track([first.token], () => this.afterBrokenBatch(input, thrown)),
    );
  }

  /** What was committed counts. Of a failure the first that was not takes the blame; the others wait their turn. */
  private async afterBrokenBatch(input: ExecuteBatch, thrown: unknown): Promise<void> {
    const { members } = input;
    const done = await CancellationScope.nonCancellable(() => local.recallMembers(input)).catch(() => []);
    const known = new Set(done.map(({ token }) => token));
    const culprit = isCancellation(thrown) ? undefined : members.find(({ token }) => !known.has(token));
    this.finish(
      members,
      culprit
        ? [...done, { token: culprit.token, failure: failureOf(thrown, culprit.title), origin: 'executed' }]
        : done,
    );
  }

  private finish(members: readonly Member[], results: readonly MemberResult[]): void {
    const byToken = new Map(results.map((result) => [result.token, result]));
    const missing: Member[] = [];
    for (const member of members) {
      const result = byToken.get(member.token);
      if (!result) missing.push(member);
      else {
        this.apply({
          type: 'finished',
          key: member.key,
          token: member.token,
          result: result.failure
            ? result.failure.code === 'node.cancelled'
              ? { status: 'cancelled' }
              : { status: 'failed', failure: result.failure }
            : {
                status: 'succeeded',
                outputs: withoutPreviews(result.outputs ?? {}),
                ...(result.verdict ? { verdict: result.verdict } : {}),
              },
        });
      }
    }
    for (const { key, token } of missing)
      this.apply({ type: 'finished', key, token, result: { status: 'unexecuted' } });
  }

  private record(command: CommandOf<'record'>): void {
    const node = this.nodeOf(command.scope, command.node);
    const inputs: Record<string, Slot[]> = {};
    for (const [port, values] of Object.entries(command.inputs))
      inputs[port] = values.flatMap((value) => ('token' in value ? [] : [value]));
    const { key, token, round, attempt, outputs, origin, params } = command;
    this.bookkeep(key, token, node.title, async () => {
      const result = await local.recordOutcome({
        runId: this.runId,
        key,
        token,
        round,
        attempt,
        kind: node.kind,
        version: node.version,
        title: node.title,
        params,
        inputs,
        outputs,
        origin,
      });
      this.apply({
        type: 'finished',
        key,
        token,
        result: { status: 'succeeded', outputs: withoutPreviews(result.outputs ?? {}) },
      });
    });
  }

  private split(command: CommandOf<'split'>): void {
    const { key, token, scope, list, shared, maxItems, reuse } = command;
    if ('literal' in list) return;
    this.bookkeep(key, token, key, async () => {
      const answer = await local.splitItems({ runId: this.runId, key, scope, list, shared, maxItems, reuse });
      this.apply({ type: 'split', key, token, ...answer, keepFailed: false });
    });
  }

  private collect(command: CommandOf<'collect'>): void {
    const { key, token, scope, list, shared, count, round, attempt, params } = command;
    if ('literal' in list) return;
    const node = this.nodeOf(splitScope(this.interpreter, key), command.node);
    this.bookkeep(key, token, node.title, async () => {
      const result = await remote.collectItems({
        runId: this.runId,
        key,
        token,
        round,
        attempt,
        kind: node.kind,
        version: node.version,
        title: node.title,
        params,
        scope,
        list,
        shared,
        count,
      });
      this.apply({
        type: 'finished',
        key,
        token,
        result: { status: 'succeeded', outputs: withoutPreviews(result.outputs ?? {}) },
      });
    });
  }

  private until(command: CommandOf<'until'>): void {
    const { key, token, params, outputs } = command;
    this.bookkeep(key, token, key, async () => {
      this.apply({
        type: 'until',
        key,
        token,
        holds: await local.evaluateUntil({ runId: this.runId, params, outputs }),
      });
    });
  }

  /** A step of the engine's own for a node; its failure is the node's. */
  private bookkeep(key: string, token: number, title: string, work: () => Promise<void>): void {
    this.track([token], async () => {
      try {
        await work();
      } catch (thrown) {
        this.apply({ type: 'finished', key, token, result: resultOf(thrown, title) });
      }
    });
  }

  private wait(command: CommandOf<'wait'>): void {
    this.waits.set(command.token, { command, deadline: Date.now() + command.milliseconds });
    const scope = new CancellationScope({ cancellable: true });
    this.scopes.set(command.token, { scope, tokens: new Set([command.token]) });
    void scope
      .run(async () => {
        await sleep(command.milliseconds);
        // A timer that ends while draining is carried with its deadline in the past.
        if (this.draining || !this.waits.has(command.token)) return;
        this.waits.delete(command.token);
        this.apply({ type: 'elapsed', key: command.key, token: command.token });
      })
      .catch((thrown: unknown) => {
        if (!isCancellation(thrown)) throw thrown;
      })
      .finally(() => this.scopes.delete(command.token));
  }

  private startSlice(command: CommandOf<'slice'>): void {
    const { key, token, slice, items } = command;
    this.inFlight += 1;
    this.dispatched += 1;
    const scope = new CancellationScope({ cancellable: true });
    this.slices.set(slice, scope);
    const input: RunItemsInput = {
      runId: this.runId,
      mapKey: key,
      scope: command.scope,
      items,
      list: command.list,
      shared: command.shared,
      edits: command.edits,
      resume: command.resume,
      retry: command.retry,
      fresh: command.fresh,
      carried: null,
    };
    void scope
      .run(async () => {
        const info = workflowInfo();
        const child = await startChild<(input: RunItemsInput) => Promise<ItemsResult>>(workflowTypes.runItems, {
          workflowId: sliceWorkflowId(this.runId, key, slice),
          args: [input],
          parentClosePolicy: 'REQUEST_CANCEL',
          cancellationType: 'WAIT_CANCELLATION_COMPLETED',
          staticSummary: `${key}: items ${rangeText(items)}`,
          searchAttributes: info.searchAttributes,
        });
        const ended = await child.result();
        this.apply({ type: 'slice', key, token, slice, ...ended });
      })
      .catch((thrown: unknown) => {
        // Cancelled from outside: its items have not ended and are taken again. Terminated or broken: they failed.
        const unended = isCancellation(thrown) || this.state.cancelling;
        this.apply({
          type: 'slice',
          key,
          token,
          slice,
          succeeded: [],
          failed: unended ? [] : items,
          cancelled: unended ? items : [],
        });
      })
      .finally(() => {
        this.landed();
        this.slices.delete(slice);
      });
  }
}

const sliceWorkflowId = (runId: string, mapKey: string, slice: number): string => `run/${runId}/${mapKey}/${slice}`;

const splitScope = (interpreter: Interpreter, key: string): string =>
  interpreter.state.instances[key.slice(0, key.lastIndexOf('/') + 1)]?.scope ?? '';

const summaryOf = (member: Member): string =>
  `${member.title} (${member.key}${member.round > 1 ? `, round ${member.round}` : ''}${member.attempt > 1 ? `, attempt ${member.attempt}` : ''})`.slice(
    0,
    190,
  );

/** `0–9, 14` */
export function rangeText(items: readonly number[]): string {
  const parts: string[] = [];
  for (let start = 0; start < items.length; ) {
    let end = start;
    while (items[end + 1] === (items[end] ?? 0) + 1) end += 1;
    parts.push(end > start ? `${items[start]}–${items[end]}` : `${items[start]}`);
    start = end + 1;
  }
  return parts.join(', ').slice(0, 120);
}

/** Previews are for the history; the state stays small without them. */
function withoutPreviews(outputs: NonNullable<MemberResult['outputs']>): Record<string, Slot> {
  return Object.fromEntries(
    Object.entries(outputs).map(([port, { preview, ...ref }]) => {
      void preview;
      return [port, ref];
    }),
  );
}
