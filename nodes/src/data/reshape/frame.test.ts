import { Sheet } from '@cua-forge/spec/task';
import { describe, expect, it } from 'vitest';
import { frameOf, placeRows, selectColumns } from './frame.ts';

const sheet = Sheet.parse({
  name: 'Data',
  notes: {},
  headerRow: 3,
  firstColumn: 2,
  style: {},
  columns: ['Item', 'Units', 'Price', 'Sum', 'Band', 'Share'].map((name) => ({ name, type: 'text' })),
  rows: [
    [
      'A1',
      2,
      5,
      { formula: '$C4*D4', result: 10 },
      { formula: 'IF(E4>9,"C4 or more","less")', result: 'C4 or more' },
      { formula: 'E4/SUM(E4:E5)', result: 0.25 },
    ],
    [
      'B1',
      3,
      10,
      { formula: 'C5*D5', result: 30 },
      { formula: 'IF(E4>9,"x","y")', result: 'x' },
      { formula: 'LOG10(E5)', result: 1.477 },
    ],
  ],
});
const all = sheet.columns.map((column) => column.name);

describe('frames', () => {
  it('move formulas over one row along, and leave quoted text alone', () => {
    const frame = selectColumns(frameOf(sheet, all, [1, 0]), ['Sum', 'Price', 'Units', 'Band']);
    expect(placeRows(frame, 10, 1)).toEqual([
      [{ formula: 'C10*B10', result: 30 }, 10, 3, 'x'],
      [{ formula: 'C11*B11', result: 10 }, 5, 2, { formula: 'IF(A11>9,"C4 or more","less")', result: 'C4 or more' }],
    ]);
  });

  it('turn formulas into values where they reach further than their row or its columns are gone', () => {
    const frame = frameOf(sheet, all, [0, 1]);
    expect(placeRows(selectColumns(frame, ['Share']), 2, 1)).toEqual([[0.25], [1.477]]);
    expect(placeRows(selectColumns(frame, ['Sum', 'Units']), 2, 1)).toEqual([
      [10, 2],
      [30, 3],
    ]);
  });
});
