import type { Graph } from '@cua-forge/spec/document';
import type { Point } from '../document/command.ts';
import { INPUTS_NODE, OUTPUTS_NODE, parseEnd } from '../document/edge-end.ts';

/** Sizes of a card in canvas units. Cards are never measured: edges and hit tests follow from these alone. */
export const CARD = { width: 224, header: 50, row: 22, footer: 28, padding: 5, handle: 11 } as const;

export const cardHeight = (inputs: number, outputs: number): number =>
  CARD.header + Math.max(inputs, outputs) * CARD.row + CARD.padding * 2 + CARD.footer;

/** Middle of the row of a port, from the top of the card. */
export const rowMiddle = (index: number): number => CARD.header + CARD.padding + index * CARD.row + CARD.row / 2;
export const footerMiddle = (height: number): number => height - CARD.footer / 2;

const COLUMN = CARD.width + 64;
const GAP = 34;

/**
 * Places for everything of a graph that has none in its layout, and for that alone: columns by the longest way from the inputs, rows by the
 * order of the document. Where some have a place, the rest goes below, and the borders left and right. `heightOf` gives a card's height.
 */
export function placesOfMissing(
  graph: Graph,
  layout: Readonly<Record<string, Point>>,
  heightOf: (id: string) => number,
): Record<string, Point> {
  const known = Object.entries(layout).filter(([id]) => id !== INPUTS_NODE && id !== OUTPUTS_NODE);
  const xs = known.map(([, point]) => point.x);
  const top = Math.max(-80, ...known.map(([id, point]) => point.y + heightOf(id))) + 80;
  const left = known.length === 0 ? 0 : Math.min(...xs);
  const placed: Record<string, Point> = {};
  if (known.length > 0) {
    const first = graph.edges.find((edge) => parseEnd(edge.from).node === INPUTS_NODE);
    const last = Object.values(graph.outputs)[0];
    const beside = (id: string | undefined) => (id === undefined ? undefined : layout[id])?.y ?? known[0]?.[1].y ?? 0;
    if (!Object.hasOwn(layout, INPUTS_NODE))
      placed[INPUTS_NODE] = { x: left - COLUMN, y: beside(first && parseEnd(first.to).node) };
    if (!Object.hasOwn(layout, OUTPUTS_NODE))
      placed[OUTPUTS_NODE] = { x: Math.max(...xs) + COLUMN, y: beside(last && parseEnd(last).node) };
  }
  const missing = [INPUTS_NODE, ...graph.nodes.map((node) => node.id), OUTPUTS_NODE].filter(
    (id) => !(Object.hasOwn(layout, id) || Object.hasOwn(placed, id)),
  );
  if (missing.length === 0) return placed;
  const level = levels(graph);
  const bottom = new Map<number, number>();
  for (const id of missing) {
    const column = level.get(id) ?? 0;
    const y = bottom.get(column) ?? (known.length === 0 ? 0 : top);
    placed[id] = { x: left + column * COLUMN, y };
    bottom.set(column, y + heightOf(id) + GAP);
  }
  return placed;
}

export interface Box {
  position: { x: number; y: number };
  width?: number;
  height?: number;
}

const MARGIN = 48;
const READABLE = 0.6;

/**
 * What is seen first of a graph: all of it where it stays readable, else its left part. `size` is that of the canvas in pixels.
 */
export function firstView(
  boxes: readonly Box[],
  size: { width: number; height: number },
): { x: number; y: number; zoom: number } {
  if (boxes.length === 0) return { x: MARGIN, y: MARGIN, zoom: 1 };
  const left = Math.min(...boxes.map((box) => box.position.x));
  const top = Math.min(...boxes.map((box) => box.position.y));
  const width = Math.max(...boxes.map((box) => box.position.x + (box.width ?? CARD.width))) - left;
  const height = Math.max(...boxes.map((box) => box.position.y + (box.height ?? 140))) - top;
  const whole = Math.min(1, (size.width - MARGIN * 2) / width, (size.height - MARGIN * 2) / height);
  const zoom = Math.max(READABLE, whole);
  const start = (space: number, from: number, length: number) =>
    length * zoom <= space - MARGIN ? (space - length * zoom) / 2 - from * zoom : MARGIN - from * zoom;
  return { x: start(size.width, left, width), y: start(size.height, top, height), zoom };
}

function levels(graph: Graph): Map<string, number> {
  const after = new Map<string, string[]>();
  for (const edge of graph.edges) {
    const from = parseEnd(edge.from).node;
    const targets = after.get(from) ?? [];
    targets.push(parseEnd(edge.to).node);
    after.set(from, targets);
  }
  const level = new Map<string, number>([[INPUTS_NODE, 0]]);
  for (const node of graph.nodes) level.set(node.id, 1);
  // One sweep a node is enough for any graph without a cycle; one with a cycle stops there too.
  let queue = [INPUTS_NODE, ...graph.nodes.map((node) => node.id)];
  for (let sweep = 0; sweep <= graph.nodes.length && queue.length > 0; sweep += 1) {
    const raised = new Set<string>();
    for (const id of queue) {
      const next = (level.get(id) ?? 0) + 1;
      for (const target of after.get(id) ?? []) {
        if ((level.get(target) ?? 0) < next) {
          level.set(target, next);
          raised.add(target);
        }
      }
    }
    queue = [...raised];
  }
  level.set(OUTPUTS_NODE, Math.max(0, ...level.values()) + 1);
  return level;
}
