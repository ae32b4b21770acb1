import type { ReactFlowState } from '@xyflow/react';
import type { Placed } from '../document/arrange.ts';

/** Below this zoom nothing on a card but its title could be read, so nothing else is drawn. */
const FAR = 0.28;
/** From so many cards on, far cards are drawn in one layer instead of being mounted one by one. */
const MANY = 150;

export const isFar = (state: ReactFlowState): boolean => state.transform[2] < FAR;
export const isMany = (cards: number): boolean => cards > MANY;

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The uppermost box at a point: the last that holds it, as later ones lie above. */
export function boxAt<B extends Area>(boxes: readonly B[], at: { x: number; y: number }): B | undefined {
  return boxes.findLast(
    (box) => at.x >= box.x && at.x <= box.x + box.width && at.y >= box.y && at.y <= box.y + box.height,
  );
}

/** The boxes that an area touches. */
export const boxesIn = <B extends Area>(boxes: readonly B[], area: Area): B[] =>
  boxes.filter(
    (box) =>
      box.x < area.x + area.width &&
      box.x + box.width > area.x &&
      box.y < area.y + area.height &&
      box.y + box.height > area.y,
  );

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/** The next box in a direction: near, and rather straight ahead than aside. Without a start, the first from the upper left. */
export function boxBeside(boxes: readonly Placed[], from: Placed | undefined, to: Direction): Placed | undefined {
  if (from === undefined) return boxes.toSorted((a, b) => a.x - b.x || a.y - b.y)[0];
  const center = (box: Area) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const start = center(from);
  let best: { box: Placed; cost: number } | undefined;
  for (const box of boxes) {
    const { x, y } = center(box);
    const ahead =
      to === 'ArrowLeft'
        ? start.x - x
        : to === 'ArrowRight'
          ? x - start.x
          : to === 'ArrowUp'
            ? start.y - y
            : y - start.y;
    const aside = Math.abs(to === 'ArrowLeft' || to === 'ArrowRight' ? y - start.y : x - start.x);
    if (box.id === from.id || ahead <= 0) continue;
    const cost = ahead + aside * 2;
    if (best === undefined || cost < best.cost) best = { box, cost };
  }
  return best?.box;
}

/** Smallest area around all boxes; undefined for none. */
export function boundsOf(boxes: readonly Area[]): Area | undefined {
  if (boxes.length === 0) return undefined;
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -Infinity, -Infinity];
  for (const box of boxes) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
