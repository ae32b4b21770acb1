import { z } from 'zod';
import {
  EdgeEnd,
  type Graph,
  type GraphDocument,
  GraphInput,
  type GraphNode,
  MAIN_GRAPH,
  NodeId,
  PortName,
} from './document.ts';
import { ForgeError } from './errors.ts';
import { Json } from './json.ts';

const graph = { graph: z.string().optional().describe('Name of a subgraph; left out, the main graph.') };

/** One change of a document in words that a model or a script can write. */
export const DocumentEdit = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('add-node'),
    ...graph,
    id: NodeId,
    kind: z.string(),
    title: z.string().max(200).optional(),
    params: z.record(z.string(), Json).default({}),
  }),
  z.strictObject({ do: z.literal('remove-node'), ...graph, id: NodeId }),
  z.strictObject({
    do: z.literal('set-params'),
    ...graph,
    id: NodeId,
    params: z.record(z.string(), Json).describe('Params to replace; null takes one away; the others stay.'),
  }),
  z.strictObject({ do: z.literal('set-title'), ...graph, id: NodeId, title: z.string().min(1).max(200) }),
  z.strictObject({ do: z.literal('connect'), ...graph, from: EdgeEnd, to: EdgeEnd }),
  z.strictObject({ do: z.literal('disconnect'), ...graph, from: EdgeEnd, to: EdgeEnd }),
  z.strictObject({ do: z.literal('set-input'), ...graph, name: PortName, input: GraphInput }),
  z.strictObject({ do: z.literal('remove-input'), ...graph, name: PortName }),
  z.strictObject({ do: z.literal('set-output'), ...graph, name: PortName, from: EdgeEnd }),
  z.strictObject({ do: z.literal('remove-output'), ...graph, name: PortName }),
  z.strictObject({ do: z.literal('describe'), title: z.string().min(1).max(200), description: z.string().optional() }),
]);
export type DocumentEdit = z.infer<typeof DocumentEdit>;

/**
 * The document after all edits, in order. Removing a node or an input takes its edges and the outputs it feeds along; a new node gets the
 * newest version of its kind by `versionOf`. @throws ForgeError `document.invalid` when an edit names what is not there, or is there already
 */
export function applyEdits(
  document: GraphDocument,
  edits: readonly DocumentEdit[],
  versionOf: (kind: string) => number,
): GraphDocument {
  let current = document;
  for (const edit of edits) {
    if (edit.do === 'describe') {
      const { do: _, ...meta } = edit;
      current = { ...current, ...meta };
      continue;
    }
    const name = edit.graph ?? MAIN_GRAPH;
    const before = name === MAIN_GRAPH ? current : current.graphs[name];
    if (before === undefined) throw refused(edit, `there is no graph "${name}"`);
    const change = changeGraph(before, edit, versionOf);
    current =
      name === MAIN_GRAPH
        ? { ...current, ...change }
        : { ...current, graphs: { ...current.graphs, [name]: { ...before, ...change } } };
  }
  return current;
}

type GraphEdit = Exclude<DocumentEdit, { do: 'describe' }>;

function changeGraph(graph: Graph, edit: GraphEdit, versionOf: (kind: string) => number): Partial<Graph> {
  const known = (id: string): GraphNode => {
    const node = graph.nodes.find((one) => one.id === id);
    if (node === undefined) throw refused(edit, `there is no node "${id}"`);
    return node;
  };
  const withNode = (node: GraphNode): Partial<Graph> => ({
    nodes: graph.nodes.map((one) => (one.id === node.id ? node : one)),
  });
  switch (edit.do) {
    case 'add-node': {
      const { id, kind, title, params } = edit;
      if (graph.nodes.some((one) => one.id === id)) throw refused(edit, `there is a node "${id}" already`);
      const node = { id, kind, version: versionOf(kind), ...(title === undefined ? {} : { title }), params };
      return { nodes: [...graph.nodes, node] };
    }
    case 'remove-node':
      known(edit.id);
      return {
        nodes: graph.nodes.filter(({ id }) => id !== edit.id),
        ...withoutEnds(graph, (end) => end.startsWith(`${edit.id}.`)),
      };
    case 'set-params': {
      const node = known(edit.id);
      const params = Object.entries({ ...node.params, ...edit.params }).filter(
        ([name, value]) => value !== null || !Object.hasOwn(edit.params, name),
      );
      return withNode({ ...node, params: Object.fromEntries(params) });
    }
    case 'set-title':
      return withNode({ ...known(edit.id), title: edit.title });
    case 'connect': {
      const { from, to } = edit;
      const there = graph.edges.some((edge) => edge.from === from && edge.to === to);
      return there ? {} : { edges: [...graph.edges, { from, to }] };
    }
    case 'disconnect': {
      const edges = graph.edges.filter((edge) => edge.from !== edit.from || edge.to !== edit.to);
      if (edges.length === graph.edges.length) throw refused(edit, `there is no edge from ${edit.from} to ${edit.to}`);
      return { edges };
    }
    case 'set-input':
      return { inputs: { ...graph.inputs, [edit.name]: edit.input } };
    case 'remove-input':
      if (!Object.hasOwn(graph.inputs, edit.name)) throw refused(edit, `there is no input "${edit.name}"`);
      return {
        inputs: without(graph.inputs, edit.name),
        ...withoutEnds(graph, (end) => end === `$inputs.${edit.name}`),
      };
    case 'set-output':
      return { outputs: { ...graph.outputs, [edit.name]: edit.from } };
    case 'remove-output':
      if (!Object.hasOwn(graph.outputs, edit.name)) throw refused(edit, `there is no output "${edit.name}"`);
      return { outputs: without(graph.outputs, edit.name) };
  }
}

function withoutEnds(graph: Graph, gone: (end: string) => boolean): Pick<Graph, 'edges' | 'outputs'> {
  return {
    edges: graph.edges.filter(({ from, to }) => !gone(from) && !gone(to)),
    outputs: Object.fromEntries(Object.entries(graph.outputs).filter(([, end]) => !gone(end))),
  };
}

const without = <T>(record: Record<string, T>, name: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

const refused = (edit: DocumentEdit, why: string): ForgeError =>
  new ForgeError('document.invalid', `The edit ${edit.do} cannot be made: ${why}.`, {
    fix: 'Name what the document has, in the order in which the edits are made.',
  });
