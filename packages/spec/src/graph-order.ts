import type { Graph } from './document.ts';

export interface End {
  /** `null` for `$inputs`. */
  node: string | null;
  port: string;
}

/** Splits `node.port`; `$inputs.name` has no node. */
export function splitEnd(end: string): End {
  const dot = end.indexOf('.');
  const node = end.slice(0, dot);
  return { node: node === '$inputs' ? null : node, port: end.slice(dot + 1) };
}

/** Who feeds whom among the nodes of a graph: every pair once, self-loops and edges of unknown nodes left out. */
export interface Links {
  /** Node ids in document order, each once. */
  nodes: string[];
  before: Map<string, Set<string>>;
  after: Map<string, Set<string>>;
}

export function linksOf(graph: Graph): Links {
  const before = new Map<string, Set<string>>();
  const after = new Map<string, Set<string>>();
  for (const node of graph.nodes) {
    before.set(node.id, new Set());
    after.set(node.id, new Set());
  }
  for (const edge of graph.edges) {
    const from = splitEnd(edge.from).node;
    const to = splitEnd(edge.to).node;
    if (from === null || to === null || from === to) continue;
    if (!before.has(from) || !before.has(to)) continue;
    before.get(to)?.add(from);
    after.get(from)?.add(to);
  }
  return { nodes: [...before.keys()], before, after };
}

/** Topological order, by place in the document among equals. Nodes on a cycle, and those behind one, are left out. */
export function topologicalOrder(links: Links): string[] {
  const place = new Map(links.nodes.map((id, index) => [id, index]));
  const waiting = new Map(links.nodes.map((id) => [id, links.before.get(id)?.size ?? 0]));
  const ready = new MinHeap();
  for (const [id, count] of waiting) if (count === 0) ready.push(place.get(id) ?? 0);
  const order: string[] = [];
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    const id = links.nodes[next];
    if (id === undefined) break;
    order.push(id);
    for (const follower of links.after.get(id) ?? []) {
      const left = (waiting.get(follower) ?? 0) - 1;
      waiting.set(follower, left);
      if (left === 0) ready.push(place.get(follower) ?? 0);
    }
  }
  return order;
}

/** Cycles that share no node, each in the direction of its edges from its first node in the document; empty for a DAG. */
export function cyclesOf(links: Links): string[][] {
  const rest = new Set(links.nodes);
  for (const id of topologicalOrder(links)) rest.delete(id);
  const cycles: string[][] = [];
  while (rest.size > 0) {
    dropUnfed(rest, links);
    const [first] = rest;
    if (first === undefined) break;
    const cycle = walkBack(first, rest, links);
    const turn = cycle.indexOf(links.nodes.find((id) => cycle.includes(id)) ?? first);
    cycles.push([...cycle.slice(turn), ...cycle.slice(0, turn)]);
    for (const id of cycle) rest.delete(id);
  }
  return cycles;
}

function dropUnfed(rest: Set<string>, links: Links): void {
  const unfed = [...rest].filter((id) => !some(links.before.get(id), rest));
  for (let id = unfed.pop(); id !== undefined; id = unfed.pop()) {
    rest.delete(id);
    for (const follower of links.after.get(id) ?? []) {
      if (rest.has(follower) && !some(links.before.get(follower), rest)) unfed.push(follower);
    }
  }
}

function walkBack(start: string, within: ReadonlySet<string>, links: Links): string[] {
  const path: string[] = [];
  const place = new Map<string, number>();
  let current = start;
  while (!place.has(current)) {
    place.set(current, path.length);
    path.push(current);
    const previous = [...(links.before.get(current) ?? [])].find((id) => within.has(id));
    if (previous === undefined) break;
    current = previous;
  }
  return path.slice(place.get(current) ?? 0).reverse();
}

function some(ids: ReadonlySet<string> | undefined, within: ReadonlySet<string>): boolean {
  for (const id of ids ?? []) if (within.has(id)) return true;
  return false;
}

/** Every node that can be reached along `next` from the given ones, those included. */
export function reachable(from: Iterable<string>, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set(from);
  const open = [...seen];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const other of next.get(id) ?? []) {
      if (seen.has(other)) continue;
      seen.add(other);
      open.push(other);
    }
  }
  return seen;
}

class MinHeap {
  readonly #items: number[] = [];

  push(value: number): void {
    const items = this.#items;
    let at = items.length;
    items.push(value);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] ?? value;
      if (above <= value) break;
      items[at] = above;
      at = parent;
    }
    items[at] = value;
  }

  pop(): number | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const left = items[child];
      if (left === undefined) break;
      const right = items[child + 1];
      if (right !== undefined && right < left) child += 1;
      const smaller = items[child] ?? left;
      if (last <= smaller) break;
      items[at] = smaller;
      at = child;
    }
    items[at] = last;
    return top;
  }
}
