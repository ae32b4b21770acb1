import type { Graph, GraphDocument, GraphNode } from './document.ts';
import { splitEnd } from './graph-order.ts';
import type { Json } from './json.ts';
import type { InputPortMeta, KindMeta, OutputPortMeta } from './kind.ts';
import { kindIndex } from './kind-index.ts';
import { PortType } from './port-type.ts';

export interface NodePorts {
  inputs: Record<string, InputPortMeta>;
  outputs: Record<string, OutputPortMeta>;
  /** False when the kind or the graph it names is unknown: a port that is missing here may exist all the same. */
  complete: boolean;
}

/** Output port that every node has: an edge from it is followed when the node fails. */
export const ERROR_PORT = 'error';

const errorPort: OutputPortMeta = { type: 'error', doc: 'The failure, when the node fails.', hidden: false };

/** The graph of a document by its name (`$main` for the top level). */
export function graphOf(document: GraphDocument, name: string): Graph | undefined {
  if (name === '$main') return document;
  return Object.hasOwn(document.graphs, name) ? document.graphs[name] : undefined;
}

/** Name of the graph that a flow.subgraph, flow.map or flow.repeat node runs; undefined for other kinds or when it is not given. */
export function bodyName(node: GraphNode, kind: KindMeta): string | undefined {
  if (kind.flow !== 'subgraph' && kind.flow !== 'map' && kind.flow !== 'repeat') return undefined;
  const name = node.params.graph;
  return typeof name === 'string' ? name : undefined;
}

/** All ports of a node: those of its kind, those its params declare, those of the graph it runs, and `error`. */
export function portsOf(node: GraphNode, document: GraphDocument, kinds: readonly KindMeta[]): NodePorts {
  return new PortResolver(document, kinds).portsOf(node);
}

/** Finds the ports of many nodes of one document; remembers what it found, so the document must not change meanwhile. */
export class PortResolver {
  readonly #document: GraphDocument;
  readonly #kinds: readonly KindMeta[];
  readonly #ports = new Map<GraphNode, NodePorts>();
  readonly #outputs = new Map<string, Record<string, OutputPortMeta>>();
  readonly #nodes = new Map<Graph, Map<string, GraphNode>>();
  /** Nodes of one kind that declare the same have the same ports: the very same object. */
  readonly #alike = new Map<KindMeta, Map<string, NodePorts>>();

  constructor(document: GraphDocument, kinds: readonly KindMeta[]) {
    this.#document = document;
    this.#kinds = kinds;
  }

  portsOf(node: GraphNode): NodePorts {
    const found = this.#ports.get(node) ?? this.#find(node);
    this.#ports.set(node, found);
    return found;
  }

  /** The first node of that id in the graph. */
  nodeOf(graph: Graph, id: string): GraphNode | undefined {
    let nodes = this.#nodes.get(graph);
    if (nodes === undefined) {
      nodes = new Map();
      for (const node of graph.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node);
      this.#nodes.set(graph, nodes);
    }
    return nodes.get(id);
  }

  /** The port an edge or an output of `graph` starts from; undefined when there is none or it cannot be known. */
  source(graph: Graph, end: string): OutputPortMeta | undefined {
    const { node: id, port } = splitEnd(end);
    if (id === null) {
      const input = Object.hasOwn(graph.inputs, port) ? graph.inputs[port] : undefined;
      return input && { type: input.type, doc: input.doc ?? '', hidden: input.type === 'hidden' };
    }
    const node = this.nodeOf(graph, id);
    return node === undefined ? undefined : own(this.portsOf(node).outputs, port);
  }

  #find(node: GraphNode): NodePorts {
    const kind = kindIndex(this.#kinds).usable(node.kind, node.version);
    if (kind === undefined) return { inputs: {}, outputs: { [ERROR_PORT]: errorPort }, complete: false };
    if (kind.flow === 'subgraph' || kind.flow === 'map') return this.#make(node, kind);
    let alike = this.#alike.get(kind);
    if (alike === undefined) {
      alike = new Map();
      this.#alike.set(kind, alike);
    }
    const key = JSON.stringify([declaredBy(node, kind.inputsFromParam), declaredBy(node, kind.outputsFromParam)]);
    const ports = alike.get(key) ?? this.#make(node, kind);
    alike.set(key, ports);
    return ports;
  }

  #make(node: GraphNode, kind: KindMeta): NodePorts {
    const inputs = { ...kind.inputs };
    const outputs = { ...kind.outputs };
    for (const [name, type] of declared(node, kind.inputsFromParam)) {
      addPort(inputs, name, { type, doc: '', required: kind.flow !== 'merge', multiple: false });
    }
    for (const [name, type] of declared(node, kind.outputsFromParam)) {
      addPort(outputs, name, { type, doc: '', hidden: type === 'hidden' });
    }
    const complete = this.#addBodyPorts(node, kind, inputs, outputs);
    return { inputs, outputs: { ...outputs, [ERROR_PORT]: errorPort }, complete };
  }

  #addBodyPorts(node: GraphNode, kind: KindMeta, inputs: NodePorts['inputs'], outputs: NodePorts['outputs']): boolean {
    if (kind.flow !== 'subgraph' && kind.flow !== 'map') return true;
    const name = bodyName(node, kind);
    const body = name === undefined ? undefined : graphOf(this.#document, name);
    if (name === undefined || body === undefined) return false;
    for (const [port, input] of Object.entries(body.inputs)) {
      if (kind.flow === 'map' && port === 'item') continue;
      const required = input.default === undefined;
      addPort(inputs, port, { type: input.type, doc: input.doc ?? '', required, multiple: false });
    }
    if (kind.flow === 'subgraph') Object.assign(outputs, this.#outputsOf(name, body));
    return true;
  }

  #outputsOf(name: string, body: Graph): Record<string, OutputPortMeta> {
    const found = this.#outputs.get(name);
    if (found !== undefined) return found;
    // Ports of unknown type stand in while the body is looked at, so that a graph that contains itself ends here.
    const outputs: Record<string, OutputPortMeta> = {};
    for (const port of Object.keys(body.outputs)) outputs[port] = { type: 'any', doc: '', hidden: false };
    this.#outputs.set(name, outputs);
    for (const [port, end] of Object.entries(body.outputs)) {
      const source = this.source(body, end);
      if (source !== undefined) outputs[port] = source;
    }
    return outputs;
  }
}

/** A member of a record by a name that may come from outside. */
export function own<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function addPort<T>(ports: Record<string, T>, name: string, port: T): void {
  if (!Object.hasOwn(ports, name)) ports[name] = port;
}

const declaredBy = (node: GraphNode, param: string | undefined): Json | undefined =>
  param === undefined ? undefined : node.params[param];

/** A type that is not one stands as `any`: the param itself is what is wrong then, not the edges at the port. */
function declared(node: GraphNode, param: string | undefined): [string, PortType][] {
  const record = declaredBy(node, param);
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return [];
  return Object.entries(record).map(([name, type]) => [name, PortType.safeParse(type).data ?? 'any']);
}
