import type { Cell, ColumnType, Sheet } from '@cua-forge/spec/task';
import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { profile } from './profile.node.ts';
import { Profile, profileWorkbook } from './profile.ts';

function sheet(name: string, columns: Record<string, ColumnType>, rows: Cell[][]): Sheet {
  return {
    name,
    notes: {},
    headerRow: 1,
    firstColumn: 1,
    style: {},
    rows,
    columns: Object.entries(columns).map(([heading, type]) => ({ name: heading, type })),
  };
}
const of = (...sheets: Sheet[]) => profileWorkbook({ sheets });

describe('data.profile', () => {
  it('runs its example', async () => {
    const found = Profile.parse((await runKind(profile)).profile);
    expect(found).toMatchObject({
      basis: 'dates',
      period: 'Date',
      grain: 'month',
      periods: ['2024-01', '2024-02', '2024-03'],
      measures: [{ column: 'Amount' }],
    });
  });

  it('leaves out totals, ids, rates and prices, and prefers the table with time', () => {
    const found = of(
      sheet('Items', { Kind: 'text', Stock: 'integer' }, [
        ['a', 1],
        ['b', 2],
        ['a', 3],
        ['b', 4],
        ['a', 9],
      ]),
      sheet(
        'Sales',
        {
          Id: 'integer',
          Month: 'text',
          Region: 'text',
          'Unit Price': 'number',
          Units: 'integer',
          'Margin %': 'number',
        },
        [
          [1, 'Jan', 'N', 2.5, 10, 40],
          [2, 'Jan', 'S', 2.5, 20, 30],
          [3, 'Feb', 'N', 3.5, 30, 20],
          [4, 'Mar', 'S', 3.5, 40, 10],
          ['Total', null, null, null, 100, null],
        ],
      ),
    );
    expect(found).toMatchObject({
      sheet: 'Sales',
      basis: 'months',
      rows: [0, 1, 2, 3],
      measures: [{ column: 'Units' }],
      others: ['Id', 'Unit Price', 'Margin %'],
    });
    expect(found.outcomes).toContain('running-total');
    expect(found.outcomes).not.toContain('two-measures');
  });

  it('reads quarters out of headings', () => {
    const found = of(
      sheet(
        'Year',
        {
          Team: 'text',
          'Q1 Revenue': 'integer',
          'Q2 Revenue': 'integer',
          'Q3 Revenue': 'integer',
          'Q1-Q2 %': 'number',
        },
        [
          ['a', 1, 2, 3, 0.5],
          ['b', 4, 5, 6, 0.2],
          ['c', 4, 5, 7, 0.3],
        ],
      ),
    );
    expect(found).toMatchObject({
      basis: 'period columns',
      grain: 'quarter',
      measures: [{ column: 'Revenue' }],
      periods: ['0000-Q1', '0000-Q2', '0000-Q3'],
    });
    expect(found.wide).toHaveLength(3);
  });

  it('goes by year where months would be nearly empty, and by category without time', () => {
    const hired = [2015, 2017, 2018, 2020, 2021, 2023].map((year, index): Cell[] => [
      `${year}-0${index + 1}-10`,
      index % 2 === 0 ? 'A' : 'B',
      1000 + index,
    ]);
    expect(of(sheet('Staff', { Start: 'date', Team: 'text', Salary: 'integer' }, hired)).grain).toBe('year');
    const found = of(
      sheet('Stock', { Kind: 'text', Stock: 'integer' }, [
        ['a', 1],
        ['b', 2],
        ['a', 3],
        ['b', 4],
      ]),
    );
    expect(found).toMatchObject({ basis: 'categories', grain: null });
    expect(found.chosen).toContain('by category (“Kind”)');
  });

  it('says for each sheet why it cannot be summarised', () => {
    expect(() =>
      of(
        sheet('Names', { First: 'text', Last: 'text' }, [
          ['a', 'b'],
          ['c', 'd'],
          ['e', 'f'],
        ]),
        sheet('One', { A: 'text', B: 'integer' }, [['x', 1]]),
      ),
    ).toThrow(/“Names”: no column of numbers.*“One”: fewer than two rows/);
    expect(() =>
      of(
        sheet('Plain', { Label: 'text', Amount: 'integer' }, [
          ['a', 1],
          ['b', 2],
          ['c', 3],
        ]),
      ),
    ).toThrow(/neither a date.*nor a column of categories/);
  });
});
