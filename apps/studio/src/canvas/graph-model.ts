import type { Graph, GraphDocument, GraphNode } from '@cua-forge/spec/document';
import { MAIN_GRAPH } from '@cua-forge/spec/document';
import type { KindMeta } from '@cua-forge/spec/kind';
import { kindIndex } from '@cua-forge/spec/kind-index';
import type { PortType } from '@cua-forge/spec/port-type';
import { ERROR_PORT, type NodePorts, own, PortResolver } from '@cua-forge/spec/ports';
import { type Edge, type Node, type NodeHandle, Position } from '@xyflow/react';
import { type End, INPUTS_NODE, OUTPUTS_NODE, parseEnd } from '../document/edge-end.ts';
import { type AnnotationCard, annotationCards } from './annotations.ts';
import { CARD, cardHeight, footerMiddle, placesOfMissing, rowMiddle } from './geometry.ts';

export interface Port {
  name: string;
  type: PortType;
  doc: string;
  required: boolean;
  multiple: boolean;
}

/** What a card shows of a node; replaced only when something of it changes. */
export interface CardModel {
  id: string;
  node: GraphNode;
  kind: KindMeta | undefined;
  inputs: readonly Port[];
  /** Without the error port, which has its own place. */
  outputs: readonly Port[];
  height: number;
  handles: NodeHandle[];
}

export type NodeCard = Node<{ card: CardModel }, 'node'>;
/** The graph's own inputs or outputs, drawn as a card at its border. */
export type BorderCard = Node<{ side: 'inputs' | 'outputs'; ports: readonly Port[] }, 'border'>;
export type Card = NodeCard | BorderCard;
export type Wire = Edge<{ type: PortType; onError: boolean }, 'wire'>;

/** Handle of the outputs card that makes a new output. */
export const NEW_OUTPUT = '+';

const handling = new WeakMap<Graph['edges'], ReadonlySet<string>>();

/** Nodes whose failure an edge of the graph handles. */
export function handledNodes(edges: Graph['edges']): ReadonlySet<string> {
  let known = handling.get(edges);
  if (known === undefined) {
    known = new Set(
      edges.map((edge) => parseEnd(edge.from)).flatMap((end) => (end.port === ERROR_PORT ? [end.node] : [])),
    );
    handling.set(edges, known);
  }
  return known;
}

interface Kept {
  graphs: GraphDocument['graphs'];
  kinds: readonly KindMeta[];
  card: CardModel;
}
const cards = new WeakMap<GraphNode, Kept>();

/** The card of a node; the same object for as long as the node, the subgraphs and the kinds are the same. */
export function cardOf(
  node: GraphNode,
  document: GraphDocument,
  kinds: readonly KindMeta[],
  resolver: PortResolver,
): CardModel {
  const kept = cards.get(node);
  if (kept !== undefined && kept.graphs === document.graphs && kept.kinds === kinds) return kept.card;
  const kind = kindIndex(kinds).usable(node.kind, node.version);
  const card: CardModel = { id: node.id, node, kind, ...shapeOf(resolver.portsOf(node)) };
  cards.set(node, { graphs: document.graphs, kinds, card });
  return card;
}

type Shape = Pick<CardModel, 'inputs' | 'outputs' | 'height' | 'handles'>;
const shapes = new WeakMap<NodePorts, Shape>();

/** What of a card follows from its ports alone: cards with the same ports share it. */
function shapeOf(ports: NodePorts): Shape {
  let shape = shapes.get(ports);
  if (shape === undefined) {
    const [inputs, outputs] = [inputsOf(ports), outputsOf(ports)];
    const height = cardHeight(inputs.length, outputs.length);
    shape = { inputs, outputs, height, handles: handles(inputs, outputs, height, true) };
    shapes.set(ports, shape);
  }
  return shape;
}

const inputsOf = (ports: NodePorts): Port[] =>
  Object.entries(ports.inputs).map(([name, { type, doc, required, multiple }]) => ({
    name,
    type,
    doc,
    required,
    multiple,
  }));

const outputsOf = (ports: NodePorts): Port[] =>
  Object.entries(ports.outputs)
    .filter(([name]) => name !== ERROR_PORT)
    .map(([name, { type, doc }]) => ({ name, type, doc, required: false, multiple: true }));

export function borderPorts(graph: Graph, side: 'inputs' | 'outputs', resolver: PortResolver): Port[] {
  if (side === 'inputs') {
    return Object.entries(graph.inputs).map(([name, input]) => ({
      name,
      type: input.type,
      doc: input.doc ?? '',
      required: false,
      multiple: true,
    }));
  }
  return Object.entries(graph.outputs).map(([name, end]) => ({
    name,
    type: resolver.source(graph, end)?.type ?? 'any',
    doc: `Value of ${end}.`,
    required: false,
    multiple: false,
  }));
}

function handles(inputs: readonly Port[], outputs: readonly Port[], height: number, withError: boolean): NodeHandle[] {
  const at = (id: string, type: 'source' | 'target', middle: number): NodeHandle => ({
    id,
    type,
    position: type === 'target' ? Position.Left : Position.Right,
    x: (type === 'target' ? 0 : CARD.width) - CARD.handle / 2,
    y: middle - CARD.handle / 2,
    width: CARD.handle,
    height: CARD.handle,
  });
  return [
    ...inputs.map((port, index) => at(port.name, 'target', rowMiddle(index))),
    ...outputs.map((port, index) => at(port.name, 'source', rowMiddle(index))),
    ...(withError ? [at(ERROR_PORT, 'source', footerMiddle(height))] : []),
  ];
}

export interface GraphModel {
  nodes: Card[];
  edges: Wire[];
  annotations: AnnotationCard[];
}

/** Cards and wires of one graph, reusing those of `before` that have not changed. */
export function graphModel(
  document: GraphDocument,
  graphName: string,
  kinds: readonly KindMeta[],
  readOnly: boolean,
  before: GraphModel | null,
): GraphModel {
  const graph = graphName === MAIN_GRAPH ? document : document.graphs[graphName];
  if (graph === undefined) return { nodes: [], edges: [], annotations: [] };
  const resolver = new PortResolver(document, kinds);
  const models = graph.nodes.map((node) => cardOf(node, document, kinds, resolver));
  const borders = (['inputs', 'outputs'] as const).map((side) => ({ side, ports: borderPorts(graph, side, resolver) }));
  const heights = new Map(models.map((card) => [card.id, card.height]));
  for (const { side, ports } of borders)
    heights.set(side === 'inputs' ? INPUTS_NODE : OUTPUTS_NODE, borderHeight(side, ports.length, readOnly));
  const layout = document.layout[graphName] ?? {};
  const missing = placesOfMissing(graph, layout, (id) => heights.get(id) ?? 100);
  const placeOf = (id: string) => {
    const { x = 0, y = 0 } = own(layout, id) ?? own(missing, id) ?? {};
    return { x, y };
  };
  const previous = new Map(before?.nodes.map((node) => [node.id, node]));

  const nodes: Card[] = models.map((card) => {
    const position = placeOf(card.id);
    const old = previous.get(card.id);
    if (old?.type === 'node' && old.data.card === card && same(old.position, position)) return old;
    const { height } = card;
    return {
      id: card.id,
      type: 'node',
      position,
      width: CARD.width,
      height,
      measured: { width: CARD.width, height },
      handles: card.handles,
      data: { card },
      ariaLabel: `${card.node.title ?? card.id}, ${card.kind?.title ?? card.node.kind}`,
    };
  });
  for (const { side, ports } of borders) {
    const id = side === 'inputs' ? INPUTS_NODE : OUTPUTS_NODE;
    const position = placeOf(id);
    const old = previous.get(id);
    if (
      old?.type === 'border' &&
      JSON.stringify(old.data.ports) === JSON.stringify(ports) &&
      same(old.position, position)
    ) {
      nodes.push(old);
      continue;
    }
    const shown = side === 'outputs' && !readOnly ? [...ports, newOutput] : ports;
    const height = borderHeight(side, ports.length, readOnly);
    nodes.push({
      id,
      type: 'border',
      position,
      width: CARD.width,
      height,
      measured: { width: CARD.width, height },
      handles: side === 'inputs' ? handles([], ports, height, false) : handles(shown, [], height, false),
      data: { side, ports },
      ariaLabel: side === 'inputs' ? 'Inputs of the graph' : 'Outputs of the graph',
    });
  }
  return { nodes, edges: wires(graph, models, before), annotations: annotationCards(document, graphName) };
}

const newOutput: Port = {
  name: NEW_OUTPUT,
  type: 'any',
  doc: 'Makes a new output of what is connected here.',
  required: false,
  multiple: true,
};

const borderHeight = (side: 'inputs' | 'outputs', ports: number, readOnly: boolean): number => {
  const rows = side === 'outputs' && !readOnly ? ports + 1 : Math.max(ports, 1);
  return CARD.header + rows * CARD.row + CARD.padding * 2;
};

const same = (a: { x: number; y: number }, b: { x: number; y: number }): boolean => a.x === b.x && a.y === b.y;

/** Id of the wire of an edge; outputs of the graph end at the outputs card. */
export const wireId = (from: string, to: string): string => `${from}>${to}`;

/** Type of what an edge carries, by the cards that are there already. */
function carried(graph: Graph, cards: ReadonlyMap<string, CardModel>, { node, port }: End): PortType {
  if (node === INPUTS_NODE) return graph.inputs[port]?.type ?? 'any';
  if (port === ERROR_PORT) return 'error';
  return cards.get(node)?.outputs.find(({ name }) => name === port)?.type ?? 'any';
}

function wires(graph: Graph, models: readonly CardModel[], before: GraphModel | null): Wire[] {
  const cards = new Map(models.map((card) => [card.id, card]));
  const previous = new Map(before?.edges.map((edge) => [edge.id, edge]));
  const ends = [
    ...graph.edges,
    ...Object.entries(graph.outputs).map(([name, from]) => ({ from, to: `${OUTPUTS_NODE}.${name}` })),
  ];
  const made = new Map<string, Wire>();
  for (const { from, to } of ends) {
    const id = wireId(from, to);
    const source = parseEnd(from);
    const type = carried(graph, cards, source);
    const old = previous.get(id);
    if (old?.data?.type === type) {
      made.set(id, old);
      continue;
    }
    const target = parseEnd(to);
    const onError = source.port === ERROR_PORT && source.node !== INPUTS_NODE;
    made.set(id, {
      id,
      type: 'wire',
      source: source.node,
      sourceHandle: source.port,
      target: target.node,
      targetHandle: target.port,
      data: { type, onError },
      ariaLabel: `${onError ? 'On error edge' : 'Edge'} from ${from} to ${to}`,
    });
  }
  return [...made.values()];
}
