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
 * Places for everything of a graph that has none in its layout: columns by the longest way from the inputs, rows by the
 * order of the document. `heightOf` gives a card's height.
 */
export function placeMissing(
  graph: Graph,
  layout: Readonly<Record<string, Point>>,
  heightOf: (id: string) => number,
): Record<string, Point> {
  const ids = [INPUTS_NODE, ...graph.nodes.map((node) => node.id), OUTPUTS_NODE];
  const missing = ids.filter((id) => layout[id] === undefined);
  if (missing.length === 0) return { ...layout };
  const level = levels(graph);
  const known = Object.values(layout);
  // A graph that is partly laid out keeps its shape: what is new goes below.
  const top = known.length === 0 ? 0 : Math.max(...known.map((point) => point.y + (point.height ?? 180))) + 80;
  const left = known.length === 0 ? 0 : Math.min(...known.map((point) => point.x));
  const bottom = new Map<number, number>();
  const placed: Record<string, Point> = { ...layout };
  for (const id of missing) {
    const column = level.get(id) ?? 0;
    const y = bottom.get(column) ?? top;
    placed[id] = { x: left + column * COLUMN, y };
    bottom.set(column, y + heightOf(id) + GAP);
  }
  return placed;
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
