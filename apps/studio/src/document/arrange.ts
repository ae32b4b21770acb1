import type { Point } from './command.ts';

/** A card or note on the canvas, in canvas units. */
export interface Placed {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export const alignments = ['left', 'right', 'top', 'bottom', 'center', 'middle'] as const;
/** `center` puts the centres on one vertical line, `middle` on one horizontal line. */
export type Alignment = (typeof alignments)[number];
export type Axis = 'horizontal' | 'vertical';

/** Distance of the lines that cards snap to. */
export const GRID = 20;

export const onGrid = (value: number): number => Math.round(value / GRID) * GRID;

type Places = Record<string, Point>;

/** New places of the boxes that move; those at their place already are left out. Fewer than two give nothing. */
export function align(boxes: readonly Placed[], to: Alignment): Places {
  if (boxes.length < 2) return {};
  const left = Math.min(...boxes.map((box) => box.x));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const top = Math.min(...boxes.map((box) => box.y));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return moved(boxes, (box) => {
    switch (to) {
      case 'left':
        return { x: left, y: box.y };
      case 'right':
        return { x: right - box.width, y: box.y };
      case 'top':
        return { x: box.x, y: top };
      case 'bottom':
        return { x: box.x, y: bottom - box.height };
      case 'center':
        return { x: (left + right - box.width) / 2, y: box.y };
      case 'middle':
        return { x: box.x, y: (top + bottom - box.height) / 2 };
    }
  });
}

/** Equal gaps between the boxes along the axis; the outermost two stay. Fewer than three give nothing. */
export function distribute(boxes: readonly Placed[], along: Axis): Places {
  if (boxes.length < 3) return {};
  const start = (box: Placed) => (along === 'horizontal' ? box.x : box.y);
  const size = (box: Placed) => (along === 'horizontal' ? box.width : box.height);
  const sorted = [...boxes].sort((a, b) => start(a) - start(b) || a.id.localeCompare(b.id));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return {};
  const taken = sorted.slice(0, -1).reduce((sum, box) => sum + size(box), 0);
  const gap = (start(last) - start(first) - taken) / (sorted.length - 1);
  const places = new Map<string, number>();
  let at = start(first);
  for (const box of sorted) {
    places.set(box.id, at);
    at += size(box) + gap;
  }
  return moved(boxes, (box) => {
    const place = places.get(box.id) ?? start(box);
    return along === 'horizontal' ? { x: place, y: box.y } : { x: box.x, y: place };
  });
}

/** Puts each box on the nearest lines of the grid. */
export const snap = (boxes: readonly Placed[]): Places =>
  moved(boxes, (box) => ({ x: onGrid(box.x), y: onGrid(box.y) }));

function moved(boxes: readonly Placed[], place: (box: Placed) => { x: number; y: number }): Places {
  const places: Places = {};
  for (const box of boxes) {
    const { x, y } = place(box);
    const point = { x: Math.round(x), y: Math.round(y) };
    if (point.x !== box.x || point.y !== box.y) places[box.id] = point;
  }
  return places;
}

/** The boxes whose middle lies in the frame: they move with it. */
export function membersOf(frame: Omit<Placed, 'id'>, boxes: readonly Placed[]): Placed[] {
  return boxes.filter(({ x, y, width, height }) => {
    const [middleX, middleY] = [x + width / 2, y + height / 2];
    return (
      middleX >= frame.x && middleX <= frame.x + frame.width && middleY >= frame.y && middleY <= frame.y + frame.height
    );
  });
}

/** The frame around boxes, with room for its title; undefined when there are none. */
export function around(boxes: readonly Placed[]): Omit<Placed, 'id'> | undefined {
  if (boxes.length === 0) return undefined;
  const [side, head] = [28, 48];
  const x = Math.min(...boxes.map((box) => box.x)) - side;
  const y = Math.min(...boxes.map((box) => box.y)) - head;
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + side;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + side;
  return { x: Math.round(x), y: Math.round(y), width: Math.round(right - x), height: Math.round(bottom - y) };
}
