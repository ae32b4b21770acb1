import { useEffect, useLayoutEffect, useState } from 'react';
import { afterPaint } from '../ui/after-paint.ts';
import { boxesIn, isMany } from './far.ts';
import { firstView } from './geometry.ts';
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

interface Opening {
  graph: string;
  /** Null for all of it. */
  part: Part | null;
}

/**
 * How much of the graph that is shown reaches React Flow. It takes each of its properties by itself and looks at every card after each, so nothing (undefined)
 * comes before the rest is there; of a large graph first what is in view, and all (null) once that was painted.
 */
export function useOpening(
  graph: string,
  model: GraphModel,
  area: { readonly current: Element | null },
): Part | null | undefined {
  const [opening, setOpening] = useState<Opening | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another graph opens anew; edits come when all is there
  useLayoutEffect(() => {
    const size = area.current?.getBoundingClientRect();
    const part =
      size !== undefined && isMany(model.nodes.length) ? partIn(model, firstView(model.nodes, size), size) : null;
    setOpening({ graph, part });
  }, [graph]);
  const waits = opening?.graph === graph && opening.part !== null;
  useEffect(() => {
    if (!waits) return;
    return afterPaint(() => setOpening({ graph, part: null }));
  }, [waits, graph]);
  return opening?.graph === graph ? opening.part : undefined;
}
