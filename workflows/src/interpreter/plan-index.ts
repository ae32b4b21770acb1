import type { Plan, PlanNode, Scope } from '@cua-forge/spec/plan';

/** A scope with the lookups that the interpreter needs; made once per plan. */
export interface ScopeIndex {
  scope: Scope;
  nodes: ReadonlyMap<string, PlanNode>;
  /** Position in topological order. */
  order: ReadonlyMap<string, number>;
  /** Direct consumers of each node. */
  consumers: ReadonlyMap<string, readonly string[]>;
  /** Members of each region, in topological order. */
  regions: ReadonlyMap<number, readonly string[]>;
}

export type PlanIndex = ReadonlyMap<string, ScopeIndex>;

export function indexPlan(plan: Plan): PlanIndex {
  return new Map(Object.values(plan.scopes).map((scope) => [scope.id, indexScope(scope)]));
}

function indexScope(scope: Scope): ScopeIndex {
  const nodes = new Map(scope.nodes.map((node) => [node.id, node]));
  const order = new Map(scope.nodes.map((node, position) => [node.id, position]));
  const consumers = new Map<string, string[]>(scope.nodes.map((node) => [node.id, []]));
  const regions = new Map<number, string[]>();
  for (const node of scope.nodes) {
    const producers = new Set<string>();
    for (const input of Object.values(node.inputs)) {
      for (const source of input.sources) if (source.node !== null) producers.add(source.node);
    }
    for (const producer of producers) consumers.get(producer)?.push(node.id);
    if (node.region !== null) {
      const members = regions.get(node.region);
      if (members) members.push(node.id);
      else regions.set(node.region, [node.id]);
    }
  }
  return { scope, nodes, order, consumers, regions };
}

/** The nodes and everything downstream of them, in topological order. */
export function withDescendants(index: ScopeIndex, roots: Iterable<string>): string[] {
  const found = new Set<string>(roots);
  const queue = [...found];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const consumer of index.consumers.get(node) ?? []) {
      if (!found.has(consumer)) {
        found.add(consumer);
        queue.push(consumer);
      }
    }
  }
  return inOrder(index, found);
}

/** The node and everything upstream of it. */
export function withAncestors(index: ScopeIndex, root: string): Set<string> {
  const found = new Set<string>([root]);
  const queue = [root];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const input of Object.values(index.nodes.get(node)?.inputs ?? {})) {
      for (const source of input.sources) {
        if (source.node !== null && !found.has(source.node)) {
          found.add(source.node);
          queue.push(source.node);
        }
      }
    }
  }
  return found;
}

export function inOrder(index: ScopeIndex, nodes: Iterable<string>): string[] {
  return [...nodes].sort((a, b) => (index.order.get(a) ?? 0) - (index.order.get(b) ?? 0));
}
