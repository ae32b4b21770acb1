import type { GraphDocument, GraphInput, GraphNode } from '@cua-forge/spec/document';
import { JsonObject } from '@cua-forge/spec/json';
import type { KindMeta } from '@cua-forge/spec/kind';
import { type Command, graphOf, type Point } from './command.ts';
import { formatEnd, parseEnd } from './edge-end.ts';

/** An id that no node of the graph has: the stem itself, else `stem-2`, `stem-3`, … */
export function freshId(stem: string, taken: ReadonlySet<string>): string {
  const clean =
    stem
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^[^a-z]+/, '')
      .slice(0, 58) || 'node';
  if (!taken.has(clean)) return clean;
  let number = 2;
  while (taken.has(`${clean}-${number}`)) number += 1;
  return `${clean}-${number}`;
}

export const nodeIds = (document: GraphDocument, graph: string): Set<string> =>
  new Set(graphOf(document, graph).nodes.map((node) => node.id));

/** Params that a new node starts with: the defaults that its schema names, nothing else. */
export function initialParams(kind: KindMeta): JsonObject {
  const properties = kind.params.properties;
  if (typeof properties !== 'object' || properties === null) return {};
  const params: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (typeof schema === 'object' && schema !== null && 'default' in schema) params[name] = schema.default;
  }
  return JsonObject.parse(params);
}

export function addNode(
  document: GraphDocument,
  graph: string,
  kind: KindMeta,
  position: Point,
): { command: Command; id: string } {
  const verb = kind.id.slice(kind.id.indexOf('.') + 1);
  const id = freshId(verb, nodeIds(document, graph));
  const node: GraphNode = { id, kind: kind.id, version: kind.version, title: kind.title, params: initialParams(kind) };
  return { command: { type: 'insert-node', graph, index: graphOf(document, graph).nodes.length, node, position }, id };
}

/** Takes nodes with their edges, the outputs that read them and the repair rules that name them. */
export function removeNodes(document: GraphDocument, graphName: string, ids: Iterable<string>): Command {
  const gone = new Set(ids);
  const graph = graphOf(document, graphName);
  const commands: Command[] = [];
  for (let index = graph.edges.length - 1; index >= 0; index -= 1) {
    const edge = graph.edges[index];
    if (edge && (gone.has(parseEnd(edge.from).node) || gone.has(parseEnd(edge.to).node))) {
      commands.push({ type: 'delete-edge', graph: graphName, index });
    }
  }
  for (const [name, end] of Object.entries(graph.outputs)) {
    if (gone.has(parseEnd(end).node)) commands.push({ type: 'set-output', graph: graphName, name, end: undefined });
  }
  for (const node of graph.nodes) {
    if (node.repair && gone.has(node.repair.target) && !gone.has(node.id)) {
      const { repair: _, ...rest } = node;
      commands.push({ type: 'replace-node', graph: graphName, node: rest });
    }
  }
  for (const id of gone) {
    if (graph.nodes.some((node) => node.id === id)) commands.push({ type: 'delete-node', graph: graphName, id });
  }
  return { type: 'batch', commands };
}

export function connect(document: GraphDocument, graph: string, from: string, to: string): Command {
  return { type: 'insert-edge', graph, index: graphOf(document, graph).edges.length, edge: { from, to } };
}

/** Takes the edges with these ends, wherever they stand. */
export function disconnect(
  document: GraphDocument,
  graphName: string,
  edges: readonly { from: string; to: string }[],
): Command {
  const graph = graphOf(document, graphName);
  const commands: Command[] = [];
  for (let index = graph.edges.length - 1; index >= 0; index -= 1) {
    const edge = graph.edges[index];
    if (edge && edges.some((each) => each.from === edge.from && each.to === edge.to)) {
      commands.push({ type: 'delete-edge', graph: graphName, index });
    }
  }
  return { type: 'batch', commands };
}

/** Changes members of a node and takes the optional ones named in `drop`. */
export function changeNode(
  node: GraphNode,
  graph: string,
  change: Partial<Omit<GraphNode, 'id'>>,
  drop: readonly ('title' | 'notes' | 'repair' | 'policy')[] = [],
): Command {
  const next: GraphNode = { ...node, ...change };
  for (const key of drop) delete next[key];
  return { type: 'replace-node', graph, node: next };
}

export function removeInput(document: GraphDocument, graphName: string, name: string): Command {
  const end = formatEnd({ node: '$inputs', port: name });
  const graph = graphOf(document, graphName);
  const outputs = Object.entries(graph.outputs).filter(([, from]) => from === end);
  return {
    type: 'batch',
    commands: [
      disconnect(
        document,
        graphName,
        graph.edges.filter((edge) => edge.from === end),
      ),
      ...outputs.map(([output]): Command => ({ type: 'set-output', graph: graphName, name: output, end: undefined })),
      { type: 'set-input', graph: graphName, name, input: undefined },
    ],
  };
}

/** Renames an input of a graph together with the edges and outputs that read it. */
export function renameInput(document: GraphDocument, graphName: string, from: string, to: string): Command {
  const graph = graphOf(document, graphName);
  const input: GraphInput | undefined = graph.inputs[from];
  const [before, after] = [`$inputs.${from}`, `$inputs.${to}`];
  const commands: Command[] = [];
  graph.edges.forEach((edge, index) => {
    if (edge.from !== before) return;
    commands.push(
      { type: 'delete-edge', graph: graphName, index },
      { type: 'insert-edge', graph: graphName, index, edge: { from: after, to: edge.to } },
    );
  });
  for (const [name, end] of Object.entries(graph.outputs)) {
    if (end === before) commands.push({ type: 'set-output', graph: graphName, name, end: after });
  }
  commands.push(
    { type: 'set-input', graph: graphName, name: from, input: undefined },
    { type: 'set-input', graph: graphName, name: to, input },
  );
  return { type: 'batch', commands };
}
