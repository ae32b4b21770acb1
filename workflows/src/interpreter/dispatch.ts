import type { MemberInput } from '@cua-forge/spec/engine';
import type { Located, Machine } from './machine.ts';
import type { Execution } from './state.ts';
import { pathOf } from './state.ts';

/** Members of one batch at most; what does not fit is dispatched when its turn comes. */
const BATCH_LIMIT = 100;

/** Dispatches all ready nodes: single ones alone, members of a region together with what follows them in it. */
export function dispatchReady(machine: Machine, regions: boolean): void {
  const ready = machine.ready.splice(0);
  for (const key of ready) {
    const node = machine.find(key);
    if (node?.state.status !== 'waiting') continue;
    if (!regions || node.plan.region === null) {
      const inputs = machine.resolve(node);
      if (inputs === 'pending' || inputs === 'skip') continue;
      machine.commands.push({
        type: 'execute',
        scope: node.instance.scope,
        executions: [execution(machine, node, inputs)],
      });
      continue;
    }
    const executions = regionBatch(machine, node);
    if (executions.length > 0) machine.commands.push({ type: 'execute', scope: node.instance.scope, executions });
  }
}

function execution(machine: Machine, node: Located, inputs: Record<string, MemberInput[]>): Execution {
  const bypassMemo = node.state.bypass === true || node.instance.fresh;
  const token = machine.begin(node, 'running');
  return {
    key: node.key,
    instance: node.path,
    node: node.plan.id,
    token,
    round: node.state.round,
    attempt: node.state.attempt,
    params: machine.paramsOf(node),
    inputs,
    feedback: node.state.feedback ?? [],
    bypassMemo,
  };
}

/** Everything of the region that is ready, or becomes so inside the batch; in topological order. */
function regionBatch(machine: Machine, first: Located): Execution[] {
  const executions: Execution[] = [];
  const inBatch = new Map<string, Located>();
  for (const id of first.plan.region === null ? [] : (first.index.regions.get(first.plan.region) ?? [])) {
    if (executions.length >= BATCH_LIMIT) break;
    const node = machine.at(pathOf(first.path, id));
    if (node.state.status !== 'waiting' || machine.state.edits[node.key]?.pinned) continue;
    const inputs = batchInputs(machine, node, inBatch);
    if (!inputs) continue;
    executions.push(execution(machine, node, inputs));
    if (!node.plan.gate) inBatch.set(id, node);
  }
  return executions;
}

/** Inputs where each source is settled or an earlier member of the batch; null where one is neither. */
function batchInputs(
  machine: Machine,
  node: Located,
  inBatch: ReadonlyMap<string, Located>,
): Record<string, MemberInput[]> | null {
  const settled = machine.resolve(node);
  if (settled === 'skip') return null;
  if (settled !== 'pending') return settled;
  const inputs: Record<string, MemberInput[]> = {};
  const edited = machine.state.edits[node.key]?.inputs;
  for (const [port, input] of Object.entries(node.plan.inputs)) {
    if (edited?.[port]) {
      inputs[port] = edited[port];
      continue;
    }
    const values: MemberInput[] = [];
    for (const source of input.sources) {
      const member = source.node === null ? undefined : inBatch.get(source.node);
      if (member) {
        if (source.port === 'error') return null;
        values.push({ token: member.state.token, port: source.port });
        continue;
      }
      const slot = machine.slotAt(node.path, source);
      if (slot === 'pending') return null;
      if (slot !== 'dead') values.push(slot);
    }
    if (values.length > 0) inputs[port] = values;
    else if (input.required && input.sources.length > 0) return null;
  }
  return inputs;
}
