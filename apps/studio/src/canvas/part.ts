import { boxesIn } from './far.ts';
import type { GraphModel } from './graph-model.ts';
import { boxesOf } from './moving.ts';

/** Ids of cards, notes and frames, and of wires. */
export interface Part {
  cards: ReadonlySet<string>;
  wires: ReadonlySet<string>;
}

interface View {
  x: number;
  y: number;
  zoom: number;
}
interface Size {
  width: number;
  height: number;
}

/** What a view shows of a graph: the cards in it, their wires, and the cards at the other ends of those. */
export function partIn(model: GraphModel, view: View, size: Size): Part {
  const area = {
    x: -view.x / view.zoom,
    y: -view.y / view.zoom,
    width: size.width / view.zoom,
    height: size.height / view.zoom,
  };
  const seen = new Set(boxesIn(boxesOf(model), area).map(({ id }) => id));
  const wires = model.edges.filter(({ source, target }) => seen.has(source) || seen.has(target));
  return {
    cards: new Set([...seen, ...wires.flatMap(({ source, target }) => [source, target])]),
    wires: new Set(wires.map(({ id }) => id)),
  };
}
