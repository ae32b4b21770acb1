import type { MemberInput, ReportedNode, Slot } from '@cua-forge/spec/engine';
import type { Failure } from '@cua-forge/spec/errors';
import type { JsonObject } from '@cua-forge/spec/json';
import type { PlanNode } from '@cua-forge/spec/plan';
import { mapCounts } from './map-counts.ts';
import type { PlanIndex, ScopeIndex } from './plan-index.ts';
import type { Command, InstanceState, NodeState, RunState } from './state.ts';
import { itemInstance, iterationInstance, pathOf, splitPath, subgraphInstance } from './state.ts';

/** A node with everything around it. */
export interface Located {
  key: string;
  path: string;
  instance: InstanceState;
  index: ScopeIndex;
  plan: PlanNode;
  state: NodeState;
}

/**
 * The interpreter's working parts: state, what has to be looked at again, and the commands so far. No clock, no randomness, no I/O: equal events lead to equal
 * states and commands.
 */
export class Machine {
  readonly worklist: string[] = [];
  /** Nodes whose inputs are known, to be dispatched. */
  readonly ready: string[] = [];
  readonly touched = new Set<string>();
  readonly changed = new Set<string>();
  commands: Command[] = [];

  constructor(
    readonly plan: PlanIndex,
    readonly state: RunState,
  ) {}

  instance(path: string): InstanceState {
    const instance = this.state.instances[path];
    if (!instance) throw new Error(`no scope instance '${path}'`);
    return instance;
  }

  scopeOf(path: string): ScopeIndex {
    const index = this.plan.get(this.instance(path).scope);
    if (!index) throw new Error(`the plan has no scope '${this.instance(path).scope}'`);
    return index;
  }

  find(key: string): Located | null {
    const { instance: path, node } = splitPath(key);
    const instance = this.state.instances[path];
    const state = this.state.nodes[key];
    if (!instance || !state) return null;
    const index = this.scopeOf(path);
    const plan = index.nodes.get(node);
    return plan ? { key, path, instance, index, plan, state } : null;
  }

  at(key: string): Located {
    const located = this.find(key);
    if (!located) throw new Error(`no node '${key}' in this run`);
    return located;
  }

  open(path: string, scope: string, inputs: Record<string, Slot>, parent: string | null, fresh: boolean): void {
    const index = this.plan.get(scope);
    if (!index) throw new Error(`the plan has no scope '${scope}'`);
    this.state.instances[path] = { scope, inputs, parent, active: 0, settled: 'open', held: [], fresh };
    for (const node of index.scope.nodes) {
      const key = pathOf(path, node.id);
      this.state.nodes[key] = { status: 'waiting', round: 1, attempt: 0, token: 0 };
      this.worklist.push(key);
    }
    this.touched.add(path);
  }

  /** Takes the node into execution: next token, next attempt. */
  begin(node: Located, status: 'running' | 'awaiting'): number {
    node.state.status = status;
    node.state.token = this.state.nextToken++;
    node.state.attempt += 1;
    node.instance.active += 1;
    this.state.dispatched += 1;
    this.note(node);
    return node.state.token;
  }

  succeed(node: Located, outputs: Record<string, Slot>): void {
    this.leave(node);
    node.state.status = 'succeeded';
    node.state.outputs = outputs;
    delete node.state.bypass;
    this.note(node);
    this.wakeConsumers(node);
  }

  fail(node: Located, failure: Failure): void {
    this.leave(node);
    node.state.status = 'failed';
    node.state.failure = failure;
    this.note(node);
    this.wakeConsumers(node);
  }

  skip(node: Located): void {
    node.state.status = 'skipped';
    this.note(node);
    this.wakeConsumers(node);
  }

  cancelNode(node: Located): void {
    this.leave(node);
    node.state.status = 'cancelled';
    this.note(node);
  }

  wakeConsumers(node: Located): void {
    for (const consumer of node.index.consumers.get(node.plan.id) ?? [])
      this.worklist.push(pathOf(node.path, consumer));
    this.touched.add(node.path);
  }

  /** Ends whatever the node was doing; the caller sets the next status. */
  leave(node: Located): void {
    if (node.state.status === 'running' || node.state.status === 'awaiting') node.instance.active -= 1;
    if (node.state.held) {
      delete node.state.held;
      node.instance.held = node.instance.held.filter((id) => id !== node.plan.id);
    }
    delete node.state.note;
    this.touched.add(node.path);
  }

  /** Back to `waiting`, forgetting results and everything inside; executions in flight become stale and are abandoned. */
  reset(node: Located, nextRound: boolean): void {
    if (node.state.excluded) return;
    const busy = node.state.status === 'running' || node.state.status === 'awaiting';
    if (busy && !node.state.held && node.plan.op.type !== 'subgraph' && node.plan.op.type !== 'repeat') {
      this.commands.push({ type: 'abandon', tokens: [node.state.token] });
    }
    for (const slice of Object.keys(node.state.map?.open ?? {})) {
      this.commands.push({ type: 'abandonSlice', key: node.key, slice: Number(slice) });
    }
    this.leave(node);
    this.dropInside(node);
    node.state.status = 'waiting';
    if (nextRound) {
      node.state.round += 1;
      node.state.attempt = 0;
    }
    // A stale result must never match.
    node.state.token = 0;
    delete node.state.outputs;
    delete node.state.failure;
    delete node.state.map;
    delete node.state.iteration;
    this.note(node);
    this.worklist.push(node.key);
    node.instance.settled = 'open';
  }

  /** Deletes the instances inside a composite node, abandoning what runs there. */
  dropInside(node: Located, fromIteration = 1): void {
    if (node.plan.op.type === 'subgraph') this.dropInstance(subgraphInstance(node.key));
    if (node.plan.op.type === 'repeat') {
      for (let n = fromIteration; n <= (node.state.iteration ?? 0); n++)
        this.dropInstance(iterationInstance(node.key, n));
    }
  }

  private dropInstance(path: string): void {
    if (!this.state.instances[path]) return;
    for (const node of this.scopeOf(path).scope.nodes) {
      const inner = this.at(pathOf(path, node.id));
      this.reset(inner, false);
    }
    for (const node of this.scopeOf(path).scope.nodes) {
      const key = pathOf(path, node.id);
      delete this.state.nodes[key];
      this.changed.delete(key);
    }
    delete this.state.instances[path];
    this.touched.delete(path);
  }

  note(node: Located): void {
    this.changed.add(node.key);
  }

  /** What a port offers: a value, nothing ever (`dead`), nothing yet (`pending`). */
  slotAt(path: string, source: { node: string | null; port: string }): Slot | 'dead' | 'pending' {
    const instance = this.instance(path);
    if (source.node === null)
      return instance.inputs[source.port] ?? this.scopeOf(path).scope.defaults?.[source.port] ?? 'dead';
    const node = this.at(pathOf(path, source.node));
    switch (node.state.status) {
      case 'succeeded':
        return node.state.outputs?.[source.port] ?? 'dead';
      case 'skipped':
        return 'dead';
      case 'failed':
        if (!node.plan.handlesError) return 'pending';
        return source.port === 'error' && node.state.failure ? { literal: failureValue(node.state.failure) } : 'dead';
      default:
        return 'pending';
    }
  }

  /** Inputs of a node: not all known yet, never coming (`skip`), or live values by port. */
  resolve(node: Located): 'pending' | 'skip' | Record<string, MemberInput[]> {
    const inputs: Record<string, MemberInput[]> = {};
    const edited = this.state.edits[node.key]?.inputs;
    let connected = 0;
    let live = 0;
    let missing = false;
    for (const [port, input] of Object.entries(node.plan.inputs)) {
      const replacement = edited?.[port];
      if (replacement) {
        inputs[port] = replacement;
        connected += 1;
        live += 1;
        continue;
      }
      const values: MemberInput[] = [];
      for (const source of input.sources) {
        const slot = this.slotAt(node.path, source);
        if (slot === 'pending') return 'pending';
        connected += 1;
        if (slot === 'dead') continue;
        live += 1;
        values.push(slot);
      }
      if (values.length > 0) inputs[port] = values;
      else if (input.required && input.sources.length > 0) missing = true;
    }
    return missing || (connected > 0 && live === 0) ? 'skip' : inputs;
  }

  /** Outputs of an instance whose nodes have all settled. */
  outputsOf(path: string): Record<string, Slot> {
    const outputs: Record<string, Slot> = {};
    for (const [name, source] of Object.entries(this.scopeOf(path).scope.outputs)) {
      const slot = this.slotAt(path, source);
      if (slot !== 'dead' && slot !== 'pending') outputs[name] = slot;
    }
    return outputs;
  }

  paramsOf(node: Located): string {
    return this.state.edits[node.key]?.params ?? node.plan.params;
  }

  takeCommands(): Command[] {
    const commands = this.commands;
    this.commands = [];
    return commands;
  }

  /** Node states that changed since the last call, with fresh sequence numbers. */
  takeReports(): ReportedNode[] {
    const reports: ReportedNode[] = [];
    for (const key of this.changed) {
      const node = this.find(key);
      if (!node) continue;
      reports.push({
        key,
        seq: ++this.state.seq,
        token: node.state.token,
        status: node.state.status,
        round: node.state.round,
        attempt: node.state.attempt,
        failure: node.state.failure ?? null,
        note: node.state.note ?? null,
        counts: node.state.map ? mapCounts(node.state.map) : null,
      });
    }
    this.changed.clear();
    return reports;
  }
}

/** The value of an `error` port. */
function failureValue(failure: Failure): JsonObject {
  const place = Object.fromEntries(
    Object.entries(failure.place ?? {}).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );
  return { code: failure.code, message: failure.message, fix: failure.fix ?? '', place };
}

/** Path of the map node and item number, where a path leads into a map item that this workflow does not hold itself. */
export function outermostItem(machine: Machine, key: string): { mapKey: string; item: number } | null {
  for (const match of key.matchAll(/\[(\d+)\]/g)) {
    const mapKey = key.slice(0, match.index);
    const item = Number(match[1]);
    if (machine.find(mapKey)?.plan.op.type === 'map' && key.startsWith(itemInstance(mapKey, item)))
      return { mapKey, item };
  }
  return null;
}
