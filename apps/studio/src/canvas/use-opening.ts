import { useEffect, useLayoutEffect, useState } from 'react';
import { afterPaint } from '../ui/after-paint.ts';
import { isMany } from './far.ts';
import { firstView } from './geometry.ts';
import type { GraphModel } from './graph-model.ts';
import { type Part, partIn } from './part.ts';

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
