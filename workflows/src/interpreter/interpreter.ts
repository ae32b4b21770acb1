import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { ReportedNode, Slot } from '@cua-forge/spec/engine';
import type { NodeEdits } from '@cua-forge/spec/store-port';
import { dispatchReady } from './dispatch.ts';
import type { Located } from './machine.ts';
import { Machine, outermostItem } from './machine.ts';
import { onSlice, onSplit, startMap } from './maps.ts';
import type { PlanIndex } from './plan-index.ts';
import { decideRepairs, judge } from './repair.ts';
import { retry, retryProblem } from './retry.ts';
import type { Command, Event, ExecutionFacts, Result, RunState } from './state.ts';
import { iterationInstance, pathOf, subgraphInstance } from './state.ts';

export interface InterpreterOptions {
  /** Dispatch regions of cheap nodes as batches; off while a run is restored, where each node is looked up alone. */
  regions: boolean;
}

/**
 * The engine's decisions: events in, commands out. Deterministic and free of effects; `state` is plain JSON and is all it remembers, so a copy of it goes on
 * where this one stood. The rules are those of docs/engine-semantics.md.
 */
export class Interpreter {
  private readonly machine: Machine;

  constructor(
    plan: PlanIndex,
    readonly state: RunState,
    private readonly options: InterpreterOptions = { regions: true },
  ) {
    this.machine = new Machine(plan, state);
  }

  /** Adds a scope instance that this workflow runs; then send `start`. */
  openRoot(
    path: string,
    scope: string,
    inputs: Record<string, Slot>,
    options: { fresh?: boolean; excluded?: ReadonlySet<string>; bypass?: ReadonlySet<string> } = {},
  ): void {
    this.machine.open(path, scope, inputs, null, options.fresh ?? false);
    for (const id of options.excluded ?? []) {
      const node = this.machine.at(pathOf(path, id));
      node.state.status = 'skipped';
      node.state.excluded = true;
      node.state.note = 'outside the part that was asked for';
      this.machine.note(node);
    }
    for (const id of options.bypass ?? []) this.machine.at(pathOf(path, id)).state.bypass = true;
  }

  apply(event: Event): Command[] {
    this.take(event);
    this.drain();
    return this.machine.takeCommands();
  }

  /** Why this retry is refused, or null. `atRest`: nothing of the run is in flight. */
  retryProblem(targets: readonly string[], edits: NodeEdits, atRest = false): string | null {
    return retryProblem(this.machine, targets, edits, atRest);
  }

  /** Whether the node is an approval that waits for a decision. */
  awaitsDecision(key: string): boolean {
    const node = this.machine.find(key);
    return node?.state.status === 'awaiting' && node.plan.op.type === 'approval';
  }

  /** The slice at work on the map item that holds this node, or null. */
  sliceOf(key: string): { mapKey: string; slice: number } | null {
    const item = outermostItem(this.machine, key);
    const open = item && this.machine.find(item.mapKey)?.state.map?.open;
    const found = open && Object.entries(open).find(([, items]) => items.includes(item.item));
    return found ? { mapKey: item.mapKey, slice: Number(found[0]) } : null;
  }

  /** Open approvals and delays, as executions that an earlier outcome may answer. */
  awaiting(): ExecutionFacts[] {
    return Object.entries(this.state.nodes).flatMap(([key, state]) => {
      if (state.status !== 'awaiting') return [];
      const node = this.machine.at(key);
      const resolved = this.machine.resolve(node);
      const inputs: Record<string, Slot[]> = {};
      for (const [port, values] of Object.entries(resolved === 'pending' || resolved === 'skip' ? {} : resolved)) {
        inputs[port] = values.flatMap((value) => ('token' in value ? [] : [value]));
      }
      return [
        {
          key,
          scope: node.instance.scope,
          node: node.plan.id,
          params: this.machine.paramsOf(node),
          inputs,
          feedback: [],
          token: state.token,
          round: state.round,
          attempt: state.attempt,
        },
      ];
    });
  }

  /** Has every node reported anew: after a restore, what was reported before may be older than what the store shows. */
  reportAll(): void {
    for (const key of Object.keys(this.state.nodes)) this.machine.changed.add(key);
  }

  takeReports(): ReportedNode[] {
    return this.machine.takeReports();
  }

  /** Paths of failed nodes below a prefix. */
  failedKeys(prefix: string): string[] {
    return Object.entries(this.state.nodes).flatMap(([key, node]) =>
      node.status === 'failed' && key.startsWith(prefix) && !this.machine.at(key).plan.handlesError ? [key] : [],
    );
  }

  private take(event: Event): void {
    const { machine } = this;
    switch (event.type) {
      case 'start':
        machine.worklist.push(...Object.keys(machine.state.nodes));
        for (const path of Object.keys(machine.state.instances)) machine.touched.add(path);
        return;
      case 'retry':
        retry(machine, event.targets, event.edits, event.grouped === true);
        return;
      case 'cancel':
        this.cancel();
        return;
      case 'decision':
        this.decide(event);
        return;
      default: {
        const node = machine.find(event.key);
        if (!node) return;
        if (event.type === 'slice') {
          if (node.plan.op.type === 'map') onSlice(machine, node, event);
          return;
        }
        if (
          node.state.token !== event.token ||
          (node.state.status !== 'running' && node.state.status !== 'awaiting') ||
          node.state.held
        )
          return;
        if (event.type === 'finished') this.finish(node, event.result);
        else if (event.type === 'elapsed') {
          // Too late where a decision is being committed.
          if (node.state.status === 'awaiting') this.elapsed(node);
        } else if (machine.state.cancelling) machine.cancelNode(node);
        else if (event.type === 'split') onSplit(machine, node, event);
        else this.afterIteration(node, event);
      }
    }
  }

  private drain(): void {
    const { machine } = this;
    for (;;) {
      for (let key = machine.worklist.pop(); key !== undefined; key = machine.worklist.pop()) this.evaluate(key);
      if (machine.ready.length > 0) {
        // Pops come in reverse; dispatch in the order of the document.
        machine.ready.reverse();
        dispatchReady(machine, this.options.regions);
        continue;
      }
      const path = [...machine.touched].pop();
      if (path === undefined) return;
      machine.touched.delete(path);
      if (!machine.state.instances[path]) continue;
      decideRepairs(machine, path);
      this.settle(path);
    }
  }

  private evaluate(key: string): void {
    const { machine } = this;
    const node = machine.find(key);
    if (node?.state.status !== 'waiting' || machine.state.cancelling) return;
    const inputs = machine.resolve(node);
    if (inputs === 'pending') return;
    if (inputs === 'skip') {
      machine.skip(node);
      return;
    }
    const pinned = machine.state.edits[key]?.pinned;
    if (pinned) {
      this.record(node, pinned, 'pinned');
      return;
    }
    const slots: Record<string, Slot> = {};
    for (const [port, values] of Object.entries(inputs)) {
      const first = values[0];
      if (first && !('token' in first)) slots[port] = first;
    }
    const { op } = node.plan;
    switch (op.type) {
      case 'execute':
        machine.ready.push(key);
        return;
      case 'merge': {
        const port = Object.keys(node.plan.inputs).find((name) => name in slots);
        const value = port === undefined ? undefined : slots[port];
        node.state.attempt += 1;
        machine.succeed(node, value === undefined ? {} : { value });
        return;
      }
      case 'subgraph':
        machine.begin(node, 'running');
        machine.open(subgraphInstance(key), op.scope, slots, key, node.state.bypass === true || node.instance.fresh);
        return;
      case 'repeat':
        machine.begin(node, 'running');
        node.state.iteration = 1;
        machine.open(
          iterationInstance(key, 1),
          op.scope,
          slots,
          key,
          node.state.bypass === true || node.instance.fresh,
        );
        return;
      case 'map':
        startMap(machine, node);
        return;
      case 'approval': {
        node.state.note = 'waiting for a decision';
        const token = machine.begin(node, 'awaiting');
        if (op.timeoutMs !== null) machine.commands.push({ type: 'wait', key, token, milliseconds: op.timeoutMs });
        return;
      }
      case 'delay': {
        const token = machine.begin(node, 'awaiting');
        machine.commands.push({ type: 'wait', key, token, milliseconds: op.milliseconds });
        return;
      }
    }
  }

  /** Has the outputs committed under the node's own token, or a new one; the node succeeds when that is done. */
  private record(node: Located, outputs: Record<string, Slot>, origin: 'pinned' | 'decision'): void {
    const { machine } = this;
    const inputs = machine.resolve(node);
    if (node.state.status === 'waiting') machine.begin(node, 'running');
    else {
      node.state.status = 'running';
      machine.note(node);
    }
    machine.commands.push({
      type: 'record',
      key: node.key,
      scope: node.instance.scope,
      node: node.plan.id,
      token: node.state.token,
      round: node.state.round,
      attempt: node.state.attempt,
      outputs,
      origin,
      params: machine.paramsOf(node),
      inputs: inputs === 'pending' || inputs === 'skip' ? {} : inputs,
    });
  }

  private finish(node: Located, result: Result): void {
    const { machine } = this;
    switch (result.status) {
      case 'succeeded':
        if (node.plan.gate && result.verdict) judge(machine, node, result.verdict, result.outputs);
        else machine.succeed(node, result.outputs);
        return;
      case 'failed':
        if (machine.state.cancelling && result.failure.code === 'node.cancelled') machine.cancelNode(node);
        else machine.fail(node, result.failure);
        return;
      case 'cancelled':
        if (machine.state.cancelling) machine.cancelNode(node);
        else
          machine.fail(node, {
            code: 'node.cancelled',
            message: 'The execution was cancelled from outside.',
            fix: 'Retry the node.',
          });
        return;
      case 'unexecuted':
        machine.leave(node);
        node.state.status = machine.state.cancelling ? 'cancelled' : 'waiting';
        node.state.attempt -= 1;
        machine.note(node);
        machine.worklist.push(node.key);
        return;
    }
  }

  private elapsed(node: Located): void {
    const { machine } = this;
    const { op } = node.plan;
    const value = this.valueOf(node);
    if (op.type === 'delay') this.record(node, { value }, 'decision');
    else if (op.type === 'approval') {
      if (op.onTimeout === 'approve') this.record(node, { approved: value }, 'decision');
      else if (op.onTimeout === 'reject') this.record(node, { rejected: value }, 'decision');
      else
        machine.fail(node, {
          code: 'approval.timeout',
          message: 'Nobody decided in time.',
          fix: 'Retry the node to ask again.',
        });
    }
  }

  private decide(event: Extract<Event, { type: 'decision' }>): void {
    const node = this.machine.find(event.key);
    if (!node || !this.awaitsDecision(event.key)) return;
    const value = this.valueOf(node);
    node.state.note =
      `${event.decision === 'approve' ? 'approved' : 'rejected'} by ${event.by}${event.note === '' ? '' : `: ${event.note}`}`.slice(
        0,
        300,
      );
    const { note } = node.state;
    this.record(node, event.decision === 'approve' ? { approved: value } : { rejected: value }, 'decision');
    node.state.note = note;
  }

  private valueOf(node: Located): Slot {
    const inputs = this.machine.resolve(node);
    const first = inputs === 'pending' || inputs === 'skip' ? undefined : inputs.value?.[0];
    return first && !('token' in first) ? first : { literal: null };
  }

  /** Ends a scope instance in which nothing can move any more. */
  private settle(path: string): void {
    const { machine } = this;
    const instance = machine.state.instances[path];
    if (
      !instance ||
      instance.active > 0 ||
      instance.settled !== 'open' ||
      machine.worklist.length > 0 ||
      machine.ready.length > 0
    )
      return;
    const nodes = machine.scopeOf(path).scope.nodes.map((node) => machine.at(pathOf(path, node.id)));
    const failed = nodes.find((node) => node.state.status === 'failed' && !node.plan.handlesError);
    // A run that is cancelled while it waits for somebody to mend a failure has nothing left to cancel.
    const cancelled =
      nodes.some((node) => node.state.status === 'cancelled') ||
      (path === '' && failed !== undefined && machine.state.cancelling);
    const stuck = nodes.find((node) => node.state.status === 'waiting');
    if (cancelled) instance.settled = 'cancelled';
    else if (failed || stuck) instance.settled = 'failed';
    else instance.settled = 'succeeded';
    const failure = failed
      ? {
          ...(failed.state.failure ?? { code: 'internal' as const, message: 'failed without a reason' }),
          place: { ...failed.state.failure?.place, node: failed.state.failure?.place?.node ?? failed.key },
        }
      : stuck && !cancelled
        ? { code: 'internal' as const, message: `'${stuck.key}' never became ready.` }
        : null;
    const outputs = instance.settled === 'succeeded' ? machine.outputsOf(path) : {};
    if (instance.parent === null) {
      machine.commands.push({ type: 'settled', instance: path, status: instance.settled, outputs, failure });
      return;
    }
    const composite = machine.at(instance.parent);
    if (composite.state.status !== 'running') return;
    if (instance.settled === 'cancelled') machine.cancelNode(composite);
    else if (failure) machine.fail(composite, failure);
    else if (composite.plan.op.type === 'repeat') {
      machine.commands.push({
        type: 'until',
        key: composite.key,
        token: composite.state.token,
        params: machine.paramsOf(composite),
        outputs,
      });
    } else machine.succeed(composite, outputs);
  }

  private afterIteration(node: Located, { holds, outputs: judged }: Extract<Event, { type: 'until' }>): void {
    const { machine } = this;
    if (node.plan.op.type !== 'repeat') return;
    const { op } = node.plan;
    const iteration = node.state.iteration ?? 1;
    const body = iterationInstance(node.key, iteration);
    // A retry in the body came while it was judged: what comes of that is judged anew.
    if (machine.instance(body).settled !== 'succeeded') return;
    const outputs = machine.outputsOf(body);
    if (canonicalJson(outputs) !== canonicalJson(judged)) return;
    const value = outputs.value;
    if (holds || (iteration >= op.maxRounds && op.onLimit === 'accept')) {
      machine.succeed(node, { ...(value === undefined ? {} : { value }), rounds: { literal: iteration } });
    } else if (iteration >= op.maxRounds) {
      machine.fail(node, {
        code: 'repeat.limit',
        message: `The condition did not hold after ${iteration} iterations.`,
        fix: 'Allow more rounds, accept the last value, or mend the body.',
        place: { node: node.key },
      });
    } else {
      node.state.iteration = iteration + 1;
      node.state.note = `iteration ${iteration + 1} of at most ${op.maxRounds}`;
      const previous = machine.instance(iterationInstance(node.key, iteration));
      machine.note(node);
      machine.open(
        iterationInstance(node.key, iteration + 1),
        op.scope,
        { ...previous.inputs, ...outputs },
        node.key,
        previous.fresh,
      );
    }
  }

  private cancel(): void {
    const { machine } = this;
    if (machine.state.cancelling) return;
    machine.state.cancelling = true;
    for (const key of Object.keys(machine.state.nodes)) {
      const node = machine.at(key);
      const { op } = node.plan;
      if (node.state.status === 'waiting') {
        node.state.status = 'cancelled';
        machine.note(node);
      } else if (node.state.status === 'awaiting' || node.state.held) {
        machine.cancelNode(node);
      } else if (node.state.status === 'running' && op.type === 'map' && node.state.map) {
        const open = Object.keys(node.state.map.open);
        node.state.map.pending = [];
        node.state.map.queued = [];
        for (const slice of open) machine.commands.push({ type: 'abandonSlice', key, slice: Number(slice) });
        machine.note(node);
      } else if (node.state.status === 'running' && op.type !== 'subgraph' && op.type !== 'repeat') {
        machine.commands.push({ type: 'abandon', tokens: [node.state.token] });
      }
    }
    for (const [path, instance] of Object.entries(machine.state.instances)) {
      if (instance.parent === null && instance.settled === 'failed') instance.settled = 'open';
      machine.touched.add(path);
    }
  }
}
