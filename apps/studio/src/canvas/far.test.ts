import { describe, expect, it } from 'vitest';
import { boundsOf, boxAt, boxBeside, boxesIn } from './far.ts';

const box = (id: string, x: number, y: number) => ({ id, x, y, width: 100, height: 50 });
const row = [box('a', 0, 0), box('b', 200, 0), box('c', 400, 10), box('below', 210, 300)];

describe('cards seen from afar', () => {
  it('are hit where they lie, the upper one first', () => {
    expect(boxAt([...row, box('over', 50, 20)], { x: 60, y: 30 })?.id).toBe('over');
    expect(boxAt(row, { x: 150, y: 20 })).toBeUndefined();
  });

  it('are caught by a rectangle that touches them', () => {
    expect(boxesIn(row, { x: 90, y: 40, width: 150, height: 10 }).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(boxesIn(row, { x: 101, y: 0, width: 98, height: 400 })).toEqual([]);
  });

  it('are walked by arrow: ahead rather than aside, from the upper left', () => {
    expect(boxBeside(row, undefined, 'ArrowRight')?.id).toBe('a');
    expect(boxBeside(row, row[0], 'ArrowRight')?.id).toBe('b');
    expect(boxBeside(row, row[1], 'ArrowDown')?.id).toBe('below');
    expect(boxBeside(row, row[0], 'ArrowLeft')).toBeUndefined();
  });

  it('have bounds, and none where there are none', () => {
    expect(boundsOf(row)).toEqual({ x: 0, y: 0, width: 500, height: 350 });
    expect(boundsOf([])).toBeUndefined();
  });
});
