import type { NodeEdits } from '@cua-forge/spec/store-port';
import type { Located, Machine } from './machine.ts';
import { outermostItem } from './machine.ts';
import { pump, retryInItem } from './maps.ts';
import { withDescendants } from './plan-index.ts';
import { iterationInstance, pathOf, subgraphInstance } from './state.ts';

/**
 * Why a retry is refused, or null. Also the validator of the update. `atRest`: the run was closed, so that what is marked as running is only about to.
 */
export function retryProblem(
  machine: Machine,
  targets: readonly string[],
  edits: NodeEdits,
  atRest = false,
): string | null {
  const keys = new Set([...targets, ...Object.keys(edits)]);
  if (keys.size === 0) return 'Name at least one node to run again.';
  if (machine.state.cancelling) return 'The run is being cancelled; retry it when it has closed.';
  for (const key of keys) {
    const node = machine.find(key);
    if (!node) {
      const item = outermostItem(machine, key);
      const map = item && machine.find(item.mapKey)?.state.map;
      if (!item || !map) return `There is no node '${key}' in this run (or the part that holds it has not started).`;
      if (item.item >= map.count) return `'${item.mapKey}' has ${map.count} items; there is no item ${item.item}.`;
      continue;
    }
    if (node.state.excluded) return `'${key}' is outside the part of the graph that this run was asked for.`;
    if (
      !atRest &&
      node.state.status === 'running' &&
      node.plan.op.type !== 'map' &&
      node.plan.op.type !== 'subgraph' &&
      node.plan.op.type !== 'repeat'
    ) {
      return `'${key}' is running; cancel the run or wait for it to end.`;
    }
  }
  return null;
}

/** Brings the targets and everything downstream of them back to `waiting`. The retry must have passed `retryProblem`. */
export function retry(machine: Machine, targets: readonly string[], edits: NodeEdits, grouped: boolean): void {
  for (const [key, edit] of Object.entries(edits)) machine.state.edits[key] = { ...machine.state.edits[key], ...edit };
  const maps = new Set<string>();
  // Composites before what is inside them: one that failed keeps its finished insides, whichever else is named.
  for (const key of [...new Set([...targets, ...Object.keys(edits)])].sort()) {
    const node = machine.find(key);
    if (node) retryNode(machine, node, key in edits);
    else {
      const map = retryInside(machine, key, grouped);
      if (map && grouped) maps.add(map.key);
      else if (map) pump(machine, map);
    }
  }
  for (const key of maps) pump(machine, machine.at(key));
}

function retryNode(machine: Machine, node: Located, edited: boolean): void {
  const inner = edited ? [] : failedInside(machine, node);
  if (inner.length > 0) {
    for (const key of inner) {
      const failed = machine.find(key);
      if (failed) retryNode(machine, failed, false);
    }
    return;
  }
  // A map that failed keeps its finished items: the split finds them in the store.
  const keepsItems = node.plan.op.type === 'map' && node.state.status !== 'succeeded';
  resetWithDescendants(machine, node);
  if (!keepsItems) node.state.bypass = true;
  reopenAround(machine, node.path);
}

/** Failed nodes inside a failed composite; they are what its retry means. */
function failedInside(machine: Machine, node: Located): string[] {
  if (node.state.status !== 'failed') return [];
  const { op } = node.plan;
  const path =
    op.type === 'subgraph'
      ? subgraphInstance(node.key)
      : op.type === 'repeat'
        ? iterationInstance(node.key, node.state.iteration ?? 1)
        : null;
  if (path === null || !machine.state.instances[path]) return [];
  return machine
    .scopeOf(path)
    .scope.nodes.map((inner) => pathOf(path, inner.id))
    .filter((key) => {
      const inner = machine.find(key);
      return inner?.state.status === 'failed' && !inner.plan.handlesError;
    });
}

/** The map around it, which has to be pumped. */
function retryInside(machine: Machine, key: string, grouped: boolean): Located | null {
  const item = outermostItem(machine, key);
  const node = item && machine.find(item.mapKey);
  if (!item || !node?.state.map) return null;
  if (node.state.status !== 'running') {
    const { map } = node.state;
    for (const id of withDescendants(node.index, [node.plan.id])) {
      if (id !== node.plan.id) machine.reset(machine.at(pathOf(node.path, id)), false);
    }
    machine.leave(node);
    delete node.state.failure;
    delete node.state.outputs;
    machine.begin(node, 'running');
    node.state.map = map;
    node.instance.settled = 'open';
    reopenAround(machine, node.path);
  }
  retryInItem(node, item.item, key, grouped);
  return node;
}

function resetWithDescendants(machine: Machine, node: Located): void {
  for (const id of withDescendants(node.index, [node.plan.id])) machine.reset(machine.at(pathOf(node.path, id)), false);
}

/** The composite nodes around a scope run again, without their finished insides; what follows them is reset. */
function reopenAround(machine: Machine, path: string): void {
  const instance = machine.instance(path);
  instance.settled = 'open';
  machine.touched.add(path);
  if (instance.parent === null) return;
  const composite = machine.at(instance.parent);
  const iteration = /#(\d+)\/$/.exec(path)?.[1];
  if (composite.plan.op.type === 'repeat' && iteration !== undefined) {
    machine.dropInside(composite, Number(iteration) + 1);
    composite.state.iteration = Number(iteration);
  }
  for (const id of withDescendants(composite.index, [composite.plan.id])) {
    if (id !== composite.plan.id) machine.reset(machine.at(pathOf(composite.path, id)), false);
  }
  if (composite.state.status !== 'running') {
    delete composite.state.failure;
    delete composite.state.outputs;
    machine.begin(composite, 'running');
  }
  reopenAround(machine, composite.path);
}
