import { canonicalJson } from './canonical-json.ts';
import type { Graph, GraphDocument, GraphNode } from './document.ts';
import type { Json } from './json.ts';
import { graphOf } from './ports.ts';
import { graphNames } from './validate-graphs.ts';

/** One difference of meaning. `path` is within the thing named (`params.draws[2].type`); a missing side is left out. */
export interface Change {
  what: 'document' | 'graph' | 'input' | 'node' | 'edge' | 'output';
  change: 'added' | 'removed' | 'changed';
  graph: string;
  /** Id of the node, name of the input, output or graph, field of the document, or `from → to` of the edge. */
  name: string;
  path?: string | undefined;
  before?: Json | undefined;
  after?: Json | undefined;
}

/** What changed in meaning from `a` to `b`: layout, and the order of nodes, never do; the order of edges does where a port takes several. */
export function diffDocuments(a: GraphDocument, b: GraphDocument): Change[] {
  const changes: Change[] = [];
  for (const field of ['id', 'title', 'description', 'skill'] as const) {
    changes.push(...changed({ what: 'document', graph: '$main', name: field }, '', a[field], b[field]));
  }
  for (const name of new Set([...graphNames(a), ...graphNames(b)])) {
    const before = graphOf(a, name);
    const after = graphOf(b, name);
    if (before === undefined && after !== undefined)
      changes.push({ what: 'graph', change: 'added', graph: name, name });
    else if (after === undefined) changes.push({ what: 'graph', change: 'removed', graph: name, name });
    else if (before !== undefined) changes.push(...diffGraphs(name, before, after));
  }
  return changes;
}

type Subject = Pick<Change, 'what' | 'graph' | 'name'>;

function diffGraphs(graph: string, a: Graph, b: Graph): Change[] {
  return [
    ...diffRecords('input', graph, a.inputs, b.inputs),
    ...diffRecords('node', graph, byId(a.nodes), byId(b.nodes)),
    ...diffEdges(graph, a, b),
    ...diffRecords('output', graph, a.outputs, b.outputs),
  ];
}

function byId(nodes: readonly GraphNode[]): Record<string, GraphNode> {
  return Object.fromEntries(nodes.map((node) => [node.id, node]));
}

function diffRecords(
  what: Change['what'],
  graph: string,
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): Change[] {
  return namesOf(a, b).flatMap((name): Change[] => {
    const subject: Subject = { what, graph, name };
    if (!Object.hasOwn(a, name)) return [{ ...subject, change: 'added' }];
    if (!Object.hasOwn(b, name)) return [{ ...subject, change: 'removed' }];
    return changed(subject, '', a[name], b[name]);
  });
}

function diffEdges(graph: string, a: Graph, b: Graph): Change[] {
  const names = ({ edges }: Graph) => edges.map(({ from, to }) => `${from} → ${to}`);
  const before = new Set(names(a));
  const after = new Set(names(b));
  const changes: Change[] = [
    ...[...before].filter((name) => !after.has(name)).map((name) => edgeChange(graph, name, 'removed')),
    ...[...after].filter((name) => !before.has(name)).map((name) => edgeChange(graph, name, 'added')),
  ];
  const order = (own: Graph, others: ReadonlySet<string>) => {
    const ports = new Map<string, string[]>();
    for (const { from, to } of own.edges) {
      if (others.has(`${from} → ${to}`)) ports.set(to, [...(ports.get(to) ?? []), from]);
    }
    return ports;
  };
  const orderAfter = order(b, before);
  for (const [port, sources] of order(a, after)) {
    const now = orderAfter.get(port) ?? [];
    if (canonicalJson(sources) === canonicalJson(now)) continue;
    changes.push({ what: 'edge', change: 'changed', graph, name: port, path: 'order', before: sources, after: now });
  }
  return changes;
}

function edgeChange(graph: string, name: string, change: 'added' | 'removed'): Change {
  return { what: 'edge', change, graph, name };
}

/** Goes down into maps, and into lists of equal length, so that a change is named by its path. */
function changed(subject: Subject, path: string, a: unknown, b: unknown): Change[] {
  if (canonicalText(a) === canonicalText(b)) return [];
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    return a.flatMap((item, index) => changed(subject, `${path}[${index}]`, item, b[index]));
  }
  if (isRecord(a) && isRecord(b)) {
    return namesOf(a, b).flatMap((name) =>
      changed(subject, path === '' ? name : `${path}.${name}`, member(a, name), member(b, name)),
    );
  }
  return [
    {
      ...subject,
      change: 'changed',
      ...(path === '' ? {} : { path }),
      ...(a === undefined ? {} : { before: plain(a) }),
      ...(b === undefined ? {} : { after: plain(b) }),
    },
  ];
}

function canonicalText(value: unknown): string {
  return value === undefined ? '' : canonicalJson(value);
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function namesOf(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}
