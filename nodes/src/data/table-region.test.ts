import type { Cell } from '@cua-forge/spec/task';
import { describe, expect, it } from 'vitest';
import { findTable } from './table-region.ts';

const at = (...rows: Cell[][]) => findTable(rows);

describe('findTable', () => {
  it('finds the header below titles and past empty rows and columns', () => {
    expect(
      at(['Report'], ['2025', 'draft'], [], [null, 'Day', 'Region', 'Sum'], [null, 'd1', 'N', 1], [null, 'd2', 'S', 2]),
    ).toEqual({ headerRow: 3, lastRow: 5, firstColumn: 1, lastColumn: 3 });
  });

  it('ends at a gap before totals, and goes on over a gap between full rows', () => {
    const data: Cell[][] = [
      ['A', 'B', 'C'],
      ['x', 1, 2],
      ['y', 3, 4],
    ];
    expect(at(...data, [], ['Total', 4])?.lastRow).toBe(2);
    expect(at(...data, [], ['z', 5, 6])?.lastRow).toBe(4);
  });

  it('takes in columns without a heading, and stops at an empty column', () => {
    expect(at(['A', 'B', null, null, 'Note'], ['x', 1, 9, null, 'n'], ['y', 2, 8])).toMatchObject({
      firstColumn: 0,
      lastColumn: 2,
    });
  });

  it('counts the first row as header where none looks like one, and finds nothing in an empty sheet', () => {
    expect(at([1, 2], [3, 4])).toMatchObject({ headerRow: 0, lastRow: 1 });
    expect(at([], [null, ''])).toBeUndefined();
  });
});
