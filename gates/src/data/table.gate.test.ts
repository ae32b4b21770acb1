import type { Cell } from '@cua-forge/spec/task';
import { judge } from '@cua-forge/testing/judge';
import { describe, expect, it } from 'vitest';
import { table } from './table.gate.ts';

const sheet = (name: string, columns: [string, string][], rows: Cell[][]) => ({
  name,
  notes: {},
  headerRow: 2,
  firstColumn: 2,
  style: {},
  columns: columns.map(([heading, type]) => ({ name: heading, type })),
  rows,
});
const staff = sheet(
  'Staff',
  [
    ['Code', 'text'],
    ['Name', 'text'],
  ],
  [
    ['S1', 'Ines'],
    ['S2', 'Tom'],
  ],
);
const shifts = (rows: Cell[][]) =>
  sheet(
    'Shifts',
    [
      ['Code', 'text'],
      ['Day', 'date'],
      ['Hours', 'number'],
    ],
    rows,
  );
const rules = {
  keys: [
    { sheet: 'Staff', columns: ['Code'] },
    { sheet: 'Shifts', columns: ['Code', 'Day'] },
  ],
  references: [{ sheet: 'Shifts', column: 'Code', toSheet: 'Staff', toColumn: 'Code' }],
  required: [{ sheet: 'Shifts', columns: ['Day'] }],
  bounds: [{ sheet: 'Shifts', column: 'Hours', minimum: 0.5, maximum: 12 }],
};
const look = (sheets: object[], params: object = rules) =>
  judge(table, { params: { ...params }, inputs: { workbook: { sheets } } });
const fine: Cell[][] = [
  ['S1', '2025-03-04', 8],
  ['S1', '2025-03-05', { formula: 'D3/2', result: 4 }],
  ['S2', '2025-03-04', null],
];

describe('gate.table', () => {
  it('passes tables that are in order, and hands the workbook on', async () => {
    expect(await look([staff, shifts(fine)])).toMatchObject({ verdict: 'pass', failed: [], passed: ['workbook'] });
  });

  it.each<[string, Cell[][], RegExp]>([
    ['a cell of another type', [['S1', '2025-02-30', 8]], /Shifts!C3 \(Day, date\) is "2025-02-30"/],
    ['a row of another width', [['S1', '2025-03-04']], /row 3 of Shifts has 2 cells, not 3/],
    ['a key twice', [...fine, ['S1', '2025-03-04', 2]], /Code and Day S1, 2025-03-04 is in Shifts more than once/],
    ['a reference to nothing', [['S9', '2025-03-04', 8]], /Shifts!B3: S9 is not in Code of Staff/],
    ['an empty cell that is required', [['S1', null, 8]], /Shifts!C3 \(Day\) is empty/],
    ['a value out of bounds', [['S1', '2025-03-04', 13]], /Shifts!D3 \(Hours\) is 13/],
  ])('asks to repair a table with %s', async (_, rows, message) => {
    const { verdict, failed, passed } = await look([staff, shifts(rows)]);
    expect({ verdict, passed }).toEqual({ verdict: 'repair', passed: [] });
    expect(failed.join('\n')).toMatch(message);
  });

  it('asks to repair names that collide and rules about what is not there', async () => {
    expect((await look([staff, { ...staff, name: 'STAFF' }], {})).failed.join()).toMatch(/STAFF is there twice/);
    expect(
      (
        await look(
          [
            sheet(
              'A',
              [
                ['X', 'text'],
                ['x', 'text'],
              ],
              [],
            ),
          ],
          {},
        )
      ).failed.join(),
    ).toMatch(/A!C2 is “x” again/);
    expect((await look([staff], rules)).failed).toContainEqual(
      'rules are about what is there: there is no sheet Shifts',
    );
  });
});
