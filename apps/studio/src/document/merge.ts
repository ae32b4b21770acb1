import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { type Graph, GraphDocument, MAIN_GRAPH } from '@cua-forge/spec/document';
import { parseEnd } from './edge-end.ts';

export type Side = 'mine' | 'theirs';

/** Something both sides changed, each in another way. An absent value means that side took it away. */
export interface Conflict {
  /** Place in the merged document; also the key of the choice. */
  path: string;
  /** The place as people read it: `node total · params.expression`. */
  label: string;
  mine: unknown;
  theirs: unknown;
}

export interface Merged {
  document: GraphDocument;
  /** What has to be decided; until then the document holds mine there. */
  conflicts: Conflict[];
}

/**
 * Merges two documents that come from `base`. What one side alone changed is taken from it; where both changed the
 * same, `choices` decides by path (mine, where it says nothing). Places on the canvas never conflict: mine stand.
 * Edges and outputs whose node is gone go too.
 */
export function mergeDocuments(
  base: GraphDocument,
  mine: GraphDocument,
  theirs: GraphDocument,
  choices: ReadonlyMap<string, Side> = new Map(),
): Merged {
  const conflicts: Conflict[] = [];
  const merged = merge(keyed(base), keyed(mine), keyed(theirs), [], (path, own, other) => {
    if (path[0] === 'layout' || path[0] === 'annotations') return own;
    const key = path.join('/');
    conflicts.push({ path: key, label: labelOf(path), mine: own, theirs: other });
    return choices.get(key) === 'theirs' ? other : own;
  });
  return { document: GraphDocument.parse(unkeyed(merged, [theirs, mine])), conflicts };
}

type Record_ = Record<string, unknown>;
type Settle = (path: readonly string[], mine: unknown, theirs: unknown) => unknown;

const isRecord = (value: unknown): value is Record_ =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const same = (a: unknown, b: unknown): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));

function merge(base: unknown, mine: unknown, theirs: unknown, path: readonly string[], settle: Settle): unknown {
  if (same(mine, theirs) || same(base, theirs)) return mine;
  if (same(base, mine)) return theirs;
  if (!isRecord(mine) || !isRecord(theirs)) return settle(path, mine, theirs);
  // Made by both under one name: they are merged only where there is something they come from.
  if (!isRecord(base) && path.length > 1) return settle(path, mine, theirs);
  const merged: Record_ = {};
  const old = isRecord(base) ? base : {};
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const value = merge(own(old, key), own(mine, key), own(theirs, key), [...path, key], settle);
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

const own = (record: Record_, key: string): unknown => (Object.hasOwn(record, key) ? record[key] : undefined);

/** The document with its lists as records, so that members are told apart by what they are and not by their place. */
function keyed(document: GraphDocument): Record_ {
  const { nodes, edges, inputs, outputs, graphs, ...rest } = document;
  const main = keyedGraph({ nodes, edges, inputs, outputs });
  const others = Object.entries(graphs).map(([name, graph]) => [name, keyedGraph(graph)]);
  return { ...rest, graphs: { [MAIN_GRAPH]: main, ...Object.fromEntries(others) } };
}

function keyedGraph({ nodes, edges, inputs, outputs }: Graph): Record_ {
  return {
    inputs,
    outputs,
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    edges: Object.fromEntries(edges.map(({ from, to }) => [`${from} → ${to}`, { from, to }])),
  };
}

function unkeyed(merged: unknown, orders: readonly GraphDocument[]): Record_ {
  const { graphs, ...rest } = record(merged);
  const all = Object.entries(record(graphs)).map(([name, graph]): [string, Record_] => [
    name,
    unkeyedGraph(
      record(graph),
      orders.map((document) => graphIn(document, name)),
    ),
  ]);
  return {
    ...rest,
    ...Object.fromEntries(all.filter(([name]) => name === MAIN_GRAPH).flatMap(([, graph]) => Object.entries(graph))),
    graphs: Object.fromEntries(all.filter(([name]) => name !== MAIN_GRAPH)),
  };
}

const graphIn = (document: GraphDocument, name: string): Graph | undefined =>
  name === MAIN_GRAPH ? document : document.graphs[name];
const record = (value: unknown): Record_ => (isRecord(value) ? value : {});

function unkeyedGraph(graph: Record_, orders: readonly (Graph | undefined)[]): Record_ {
  const nodes = record(graph.nodes);
  const edges = record(graph.edges);
  const there = (end: unknown) => typeof end === 'string' && (end.startsWith('$') || parseEnd(end).node in nodes);
  const order = [...new Set(orders.flatMap((each) => each?.nodes.map(({ id }) => id) ?? []))];
  const names = [...new Set(orders.flatMap((each) => each?.edges.map(({ from, to }) => `${from} → ${to}`) ?? []))];
  return {
    inputs: record(graph.inputs),
    outputs: Object.fromEntries(Object.entries(record(graph.outputs)).filter(([, end]) => there(end))),
    nodes: order.flatMap((id) => (id in nodes ? [nodes[id]] : [])),
    edges: names.map((name) => edges[name]).filter((edge) => isRecord(edge) && there(edge.from) && there(edge.to)),
  };
}

const things: Record<string, string> = { nodes: 'node', edges: 'edge', inputs: 'input', outputs: 'output' };

function labelOf(path: readonly string[]): string {
  const [first, graph, list, name, ...inside] = path;
  if (first !== 'graphs' || list === undefined) return path.filter((part) => part !== 'graphs').join(' · ');
  const thing = `${things[list] ?? list} ${name ?? ''}`.trim();
  const where = graph === MAIN_GRAPH || graph === undefined ? '' : ` in ${graph}`;
  return `${thing}${where}${inside.length === 0 ? '' : ` · ${inside.join('.')}`}`;
}
