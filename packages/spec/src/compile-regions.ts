import type { GraphEdge } from './document.ts';
import { splitEnd } from './graph-order.ts';
import { ERROR_PORT } from './ports.ts';

/**
 * Numbers the connected groups of cheap nodes, from 0 in the order given; a cheap node without cheap neighbours is a
 * group of its own. Error edges do not connect.
 */
export function regionsOf(cheap: readonly string[], edges: readonly GraphEdge[]): Map<string, number> {
  const parent = new Map(cheap.map((id) => [id, id]));
  const rootOf = (id: string): string => {
    let at = id;
    for (let up = parent.get(at); up !== undefined && up !== at; up = parent.get(at)) {
      parent.set(at, parent.get(up) ?? up);
      at = up;
    }
    return at;
  };
  for (const edge of edges) {
    const from = splitEnd(edge.from);
    const to = splitEnd(edge.to);
    if (from.node === null || to.node === null || from.port === ERROR_PORT) continue;
    if (!parent.has(from.node) || !parent.has(to.node)) continue;
    parent.set(rootOf(to.node), rootOf(from.node));
  }
  const numbers = new Map<string, number>();
  const regions = new Map<string, number>();
  for (const id of cheap) {
    const root = rootOf(id);
    const number = numbers.get(root) ?? numbers.size;
    numbers.set(root, number);
    regions.set(id, number);
  }
  return regions;
}
