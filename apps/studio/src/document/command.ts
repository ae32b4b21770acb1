import type {
  Annotation,
  Graph,
  GraphDocument,
  GraphEdge,
  GraphInput,
  GraphNode,
  Position,
} from '@cua-forge/spec/document';
import { MAIN_GRAPH } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import type { z } from 'zod';

export type Point = z.infer<typeof Position>;
/** The document's own fields that are no graph. */
export interface Meta {
  title: string;
  description: string | undefined;
  skill: string | undefined;
}

/** One edit of a document. Each has an exact inverse; `graph` is `$main` or the name of a subgraph. */
export type Command =
  | { type: 'insert-node'; graph: string; index: number; node: GraphNode; position: Point | undefined }
  /** Takes the node and its position; its edges, outputs and repair references must be taken by commands of their own. */
  | { type: 'delete-node'; graph: string; id: string }
  | { type: 'replace-node'; graph: string; node: GraphNode }
  /** Renames a node with every edge, output and repair rule that refers to it. */
  | { type: 'rename-node'; graph: string; from: string; to: string }
  | { type: 'insert-edge'; graph: string; index: number; edge: GraphEdge }
  | { type: 'delete-edge'; graph: string; index: number }
  | { type: 'move'; graph: string; positions: Record<string, Point | undefined> }
  | { type: 'set-input'; graph: string; name: string; input: GraphInput | undefined }
  | { type: 'set-output'; graph: string; name: string; end: string | undefined }
  | { type: 'set-graph'; name: string; graph: Graph | undefined }
  /** Makes, changes or (undefined) takes a note or frame. */
  | { type: 'set-annotation'; graph: string; id: string; annotation: Annotation | undefined }
  | { type: 'set-meta'; meta: Meta }
  /** Puts another document in the place of all of it: an older revision, or the outcome of a merge. */
  | { type: 'set-document'; document: GraphDocument }
  | { type: 'batch'; commands: Command[] };

export interface Applied {
  document: GraphDocument;
  inverse: Command;
}

/** The graph of that name. @throws ForgeError `document.invalid` when there is none */
export function graphOf(document: GraphDocument, name: string): Graph {
  if (name === MAIN_GRAPH) return document;
  const graph = document.graphs[name];
  if (graph === undefined) throw new ForgeError('document.invalid', `The document has no graph named ${name}.`);
  return graph;
}

function withGraph(document: GraphDocument, name: string, change: Partial<Graph>): GraphDocument {
  if (name === MAIN_GRAPH) return { ...document, ...change };
  return { ...document, graphs: { ...document.graphs, [name]: { ...graphOf(document, name), ...change } } };
}

function withPositions(
  document: GraphDocument,
  name: string,
  change: Record<string, Point | undefined>,
): GraphDocument {
  const all = document.layout[name] ?? {};
  const next = setMembers(all, change);
  return {
    ...document,
    layout: setMembers(document.layout, { [name]: Object.keys(next).length === 0 ? undefined : next }),
  };
}

function withAnnotation(
  document: GraphDocument,
  name: string,
  id: string,
  annotation: Annotation | undefined,
): GraphDocument {
  const own = setMembers(document.annotations?.[name] ?? {}, { [id]: annotation });
  const all = setMembers(document.annotations ?? {}, { [name]: Object.keys(own).length === 0 ? undefined : own });
  const { annotations: _, ...rest } = document;
  return Object.keys(all).length === 0 ? rest : { ...rest, annotations: all };
}

function setMembers<T>(record: Record<string, T>, change: Record<string, T | undefined>): Record<string, T> {
  const next: Record<string, T> = { ...record };
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) delete next[key];
    else next[key] = value;
  }
  return next;
}

function nodeIndex(graph: Graph, id: string): number {
  const index = graph.nodes.findIndex((node) => node.id === id);
  if (index < 0) throw new ForgeError('document.invalid', `The graph has no node ${id}.`);
  return index;
}

/**
 * Carries out one command. Everything that the command does not touch keeps its identity.
 * @throws ForgeError `document.invalid` when the command refers to something that is not there
 */
export function apply(document: GraphDocument, command: Command): Applied {
  switch (command.type) {
    case 'batch': {
      let current = document;
      const inverses: Command[] = [];
      for (const each of command.commands) {
        const applied = apply(current, each);
        current = applied.document;
        inverses.unshift(applied.inverse);
      }
      return { document: current, inverse: { type: 'batch', commands: inverses } };
    }
    case 'set-meta': {
      const { title, description, skill } = document;
      const { description: _d, skill: _s, ...rest } = document;
      const next = {
        ...rest,
        title: command.meta.title,
        ...(command.meta.description === undefined ? {} : { description: command.meta.description }),
        ...(command.meta.skill === undefined ? {} : { skill: command.meta.skill }),
      };
      return { document: next, inverse: { type: 'set-meta', meta: { title, description, skill } } };
    }
    case 'set-document':
      return { document: command.document, inverse: { type: 'set-document', document } };
    case 'set-graph':
      return {
        document: { ...document, graphs: setMembers(document.graphs, { [command.name]: command.graph }) },
        inverse: { type: 'set-graph', name: command.name, graph: document.graphs[command.name] },
      };
    default:
      return applyToGraph(document, command);
  }
}

type GraphCommand = Exclude<Command, { type: 'batch' | 'set-meta' | 'set-graph' | 'set-document' }>;

function applyToGraph(document: GraphDocument, command: GraphCommand): Applied {
  const name = command.graph;
  const graph = graphOf(document, name);
  switch (command.type) {
    case 'insert-node': {
      const nodes = graph.nodes.toSpliced(command.index, 0, command.node);
      const next = withGraph(document, name, { nodes });
      return {
        document:
          command.position === undefined ? next : withPositions(next, name, { [command.node.id]: command.position }),
        inverse: { type: 'delete-node', graph: name, id: command.node.id },
      };
    }
    case 'delete-node': {
      const index = nodeIndex(graph, command.id);
      const node = graph.nodes[index];
      if (node === undefined) throw new ForgeError('document.invalid', `The graph has no node ${command.id}.`);
      const position = document.layout[name]?.[command.id];
      const next = withGraph(document, name, { nodes: graph.nodes.toSpliced(index, 1) });
      return {
        document: position === undefined ? next : withPositions(next, name, { [command.id]: undefined }),
        inverse: { type: 'insert-node', graph: name, index, node, position },
      };
    }
    case 'replace-node': {
      const index = nodeIndex(graph, command.node.id);
      const before = graph.nodes[index] ?? command.node;
      return {
        document: withGraph(document, name, { nodes: graph.nodes.with(index, command.node) }),
        inverse: { type: 'replace-node', graph: name, node: before },
      };
    }
    case 'rename-node':
      return {
        document: renameNode(document, name, command.from, command.to),
        inverse: { type: 'rename-node', graph: name, from: command.to, to: command.from },
      };
    case 'insert-edge':
      return {
        document: withGraph(document, name, { edges: graph.edges.toSpliced(command.index, 0, command.edge) }),
        inverse: { type: 'delete-edge', graph: name, index: command.index },
      };
    case 'delete-edge': {
      const edge = graph.edges[command.index];
      if (edge === undefined)
        throw new ForgeError('document.invalid', `The graph has no edge number ${command.index}.`);
      return {
        document: withGraph(document, name, { edges: graph.edges.toSpliced(command.index, 1) }),
        inverse: { type: 'insert-edge', graph: name, index: command.index, edge },
      };
    }
    case 'move': {
      const before = document.layout[name] ?? {};
      const positions = Object.fromEntries(Object.keys(command.positions).map((id) => [id, before[id]]));
      return {
        document: withPositions(document, name, command.positions),
        inverse: { type: 'move', graph: name, positions },
      };
    }
    case 'set-annotation': {
      const before = document.annotations?.[name]?.[command.id];
      return {
        document: withAnnotation(document, name, command.id, command.annotation),
        inverse: { type: 'set-annotation', graph: name, id: command.id, annotation: before },
      };
    }
    case 'set-input':
      return {
        document: withGraph(document, name, { inputs: setMembers(graph.inputs, { [command.name]: command.input }) }),
        inverse: { type: 'set-input', graph: name, name: command.name, input: graph.inputs[command.name] },
      };
    case 'set-output':
      return {
        document: withGraph(document, name, { outputs: setMembers(graph.outputs, { [command.name]: command.end }) }),
        inverse: { type: 'set-output', graph: name, name: command.name, end: graph.outputs[command.name] },
      };
  }
}

function renameNode(document: GraphDocument, name: string, from: string, to: string): GraphDocument {
  const graph = graphOf(document, name);
  if (graph.nodes.some((node) => node.id === to)) {
    throw new ForgeError('document.invalid', `The graph has a node ${to} already.`, { fix: 'Choose another id.' });
  }
  const end = (text: string): string => (text.startsWith(`${from}.`) ? to + text.slice(from.length) : text);
  const nodes = graph.nodes.map((node) => {
    const renamed = node.id === from ? { ...node, id: to } : node;
    return renamed.repair?.target === from ? { ...renamed, repair: { ...renamed.repair, target: to } } : renamed;
  });
  const edges = graph.edges.map((edge) => {
    const next = { from: end(edge.from), to: end(edge.to) };
    return next.from === edge.from && next.to === edge.to ? edge : next;
  });
  const outputs = Object.fromEntries(Object.entries(graph.outputs).map(([key, value]) => [key, end(value)]));
  const next = withGraph(document, name, { nodes, edges, outputs });
  const position = document.layout[name]?.[from];
  return position === undefined ? next : withPositions(next, name, { [from]: undefined, [to]: position });
}
