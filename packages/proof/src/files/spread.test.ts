import { describe, expect, it } from 'vitest';
import { acrossCells, spread } from './spread.ts';

const grid = (rows: number, columns: number) =>
  Array.from({ length: rows * columns }, (_, index) => ({
    sheet: 'Data',
    address: `${String.fromCharCode(65 + (index % columns))}${1 + Math.floor(index / columns)}`,
  }));

describe('spread', () => {
  it('takes the first, the last, and some between', () => {
    expect(spread([1, 2, 3], 5)).toEqual([1, 2, 3]);
    expect(spread([1, 2, 3], 1)).toEqual([1]);
    expect(
      spread(
        Array.from({ length: 101 }, (_, index) => index),
        5,
      ),
    ).toEqual([0, 25, 50, 75, 100]);
  });
});

describe('acrossCells', () => {
  it('takes all where there are few', () => {
    expect(acrossCells(grid(2, 3), (cell) => cell, 6)).toEqual(grid(2, 3));
  });

  it('touches every row and every column as far as they go', () => {
    const chosen = acrossCells(grid(12, 10), (cell) => cell, 32);
    expect(chosen).toHaveLength(32);
    expect(new Set(chosen.map(({ address }) => address[0])).size).toBe(10);
    expect(new Set(chosen.map(({ address }) => address.slice(1))).size).toBe(12);
    for (const column of 'ABCDEFGHIJ') expect(chosen).toContainEqual({ sheet: 'Data', address: `${column}1` });
  });
});
