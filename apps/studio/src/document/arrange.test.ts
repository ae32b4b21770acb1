import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { align, alignments, around, distribute, GRID, membersOf, type Placed, snap } from './arrange.ts';

const box = fc.record({
  x: fc.integer({ min: -2000, max: 2000 }),
  y: fc.integer({ min: -2000, max: 2000 }),
  width: fc.integer({ min: 10, max: 300 }),
  height: fc.integer({ min: 10, max: 300 }),
});
const boxes = fc
  .array(box, { minLength: 3, maxLength: 12 })
  .map((list) => list.map((each, index): Placed => ({ ...each, id: `n${index}` })));
const placed = (list: readonly Placed[], places: Record<string, { x: number; y: number }>): Placed[] =>
  list.map((each) => ({ ...each, ...places[each.id] }));

describe('arranging', () => {
  it('aligns every box, keeps the other axis, and has nothing left to do afterwards', () => {
    fc.assert(
      fc.property(boxes, fc.constantFrom(...alignments), (list, to) => {
        const after = placed(list, align(list, to));
        const line = (each: Placed): number => {
          if (to === 'left') return each.x;
          if (to === 'right') return each.x + each.width;
          if (to === 'top') return each.y;
          if (to === 'bottom') return each.y + each.height;
          return to === 'center' ? each.x + each.width / 2 : each.y + each.height / 2;
        };
        const lines = after.map(line);
        expect(Math.max(...lines) - Math.min(...lines)).toBeLessThanOrEqual(1);
        const kept = to === 'left' || to === 'right' || to === 'center' ? 'y' : 'x';
        expect(after.map((each) => each[kept])).toEqual(list.map((each) => each[kept]));
      }),
    );
  });

  it('makes gaps equal and leaves the outermost boxes', () => {
    fc.assert(
      fc.property(boxes, fc.constantFrom('horizontal' as const, 'vertical' as const), (list, along) => {
        const [at, size] = along === 'horizontal' ? (['x', 'width'] as const) : (['y', 'height'] as const);
        const sorted = [...list].sort((a, b) => a[at] - b[at] || a.id.localeCompare(b.id));
        const places = distribute(list, along);
        expect(places[sorted[0]?.id ?? '']).toBeUndefined();
        expect(places[sorted.at(-1)?.id ?? '']).toBeUndefined();
        const after = placed(sorted, places);
        const gaps = after
          .slice(1)
          .map((each, index) => each[at] - (after[index]?.[at] ?? 0) - (after[index]?.[size] ?? 0));
        expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('does nothing to too few boxes', () => {
    const two: Placed[] = [
      { id: 'a', x: 0, y: 0, width: 10, height: 10 },
      { id: 'b', x: 50, y: 9, width: 10, height: 10 },
    ];
    expect(align(two.slice(0, 1), 'left')).toEqual({});
    expect(distribute(two, 'horizontal')).toEqual({});
  });

  it('snaps to the grid, and only what is off it', () => {
    const list: Placed[] = [
      { id: 'on', x: GRID * 2, y: 0, width: 10, height: 10 },
      { id: 'off', x: GRID * 2 + 3, y: -GRID + 1, width: 10, height: 10 },
    ];
    expect(snap(list)).toEqual({ off: { x: GRID * 2, y: -GRID } });
  });

  it('makes a frame that holds what it was made around, and nothing beside it', () => {
    fc.assert(
      fc.property(boxes, (list) => {
        const frame = around(list);
        if (frame === undefined) throw new Error('There are boxes.');
        expect(membersOf(frame, list)).toEqual(list);
        const beside = { id: 'z', x: frame.x + frame.width, y: frame.y, width: 100, height: 100 };
        expect(membersOf(frame, [beside])).toEqual([]);
      }),
    );
    expect(around([])).toBeUndefined();
  });
});
