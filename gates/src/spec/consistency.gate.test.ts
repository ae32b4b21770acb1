import { type Cell, TaskSpecification } from '@cua-forge/spec/task';
import { judge } from '@cua-forge/testing/judge';
import { describe, expect, it } from 'vitest';
import { consistency } from './consistency.gate.ts';
import { exampleSpec } from './example-spec.ts';

const spec = TaskSpecification.parse(exampleSpec);
const csv = (id: string, head: string[], rows: Cell[][]) => ({
  id,
  path: `/home/user/${id}.csv`,
  type: 'csv',
  content: {
    columns: head.map((name, i) => ({ name, type: typeof rows[0]?.[i] === 'number' ? 'number' : 'text' })),
    rows,
  },
});
const look = (files: object[], params = {}, mentions: string[] = []) =>
  judge(consistency, { params, inputs: { spec: { ...spec, files, outcome: { ...spec.outcome, mentions } } } });
const prices = csv(
  'prices',
  ['Code', 'Price'],
  [
    ['A1', 2.5],
    ['A2', 3.1],
    ['A3', 4.7],
    ['A4', 1.2],
    ['A5', 9.9],
  ],
);
const lines: Cell[][] = [
  ['A1', 3, 2.5, 7.5],
  ['A2', 2, 3.1, 6.2],
  ['A3', 5, 4.7, 23.5],
  ['A4', 4, 1.2, 4.8],
  ['A5', 6, 9.9, 59.4],
];
const head = ['Code', 'Count', 'Each', 'Sum'];

describe('gate.consistency', () => {
  it('passes what agrees, and hands the specification on', async () => {
    expect(await judge(consistency)).toMatchObject({ verdict: 'pass', passed: ['spec'] });
    expect((await look([prices, csv('lines', head, lines)])).failed).toEqual([]);
  });

  it.each<[string, object[], RegExp]>([
    [
      'a line that does not multiply',
      [csv('lines', head, lines.with(2, ['A3', 5, 4.7, 20]))],
      /Sum is 20, but Count × Each is 23\.5/,
    ],
    [
      'a total that is wrong',
      [csv('lines', head, [...lines, ['Total', 20, null, 111]])],
      /the total of Sum is 111, but its rows sum to 101\.4/,
    ],
    [
      'a key with two values',
      [
        prices,
        csv(
          'other',
          ['Code', 'Price'],
          [
            ['A1', 2.5],
            ['A2', 3.1],
            ['A3', 4.9],
          ],
        ),
      ],
      /price of code A3 is 4\.\d in/,
    ],
    [
      'a key that leads nowhere',
      [prices, csv('lines', ['Code'], [['A1'], ['A2'], ['A3'], ['A4'], ['A5'], ['A9']])],
      /code A9 of lines\.csv is not in prices\.csv/,
    ],
    [
      'two spellings',
      [csv('shops', ['Region'], [['North'], ['South'], ['North'], ['south'], ['South'], ['North']])],
      /region has “south” beside “South”/,
    ],
  ])('asks to repair %s', async (_, files, message) => {
    const { verdict, failed, passed } = await look(files);
    expect({ verdict, passed }).toEqual({ verdict: 'repair', passed: [] });
    expect(failed.join('\n')).toMatch(message);
  });

  it('looks for mentions, years and counts', async () => {
    expect((await look([prices], {}, ['Zylograph'])).failed.join()).toMatch(/“Zylograph” is to be mentioned/);
    const sheet = {
      name: 'Orders 2017',
      notes: { A1: '9 rows' },
      headerRow: 3,
      firstColumn: 1,
      style: {},
      columns: [{ name: 'Day', type: 'date' }],
      rows: [['2025-03-04'], ['2025-04-01']],
    };
    const { failed } = await look([{ id: 'b', path: '/home/user/b.xlsx', type: 'xlsx', content: { sheets: [sheet] } }]);
    expect(failed.join('\n')).toMatch(/“Orders 2017” speaks of 2017; the data is of 2025/);
    expect(failed.join('\n')).toMatch(/“9 rows” stands on Orders 2017, which has 2 rows/);
  });

  it('leaves out the checks that the task is about', async () => {
    const files = [csv('lines', head, [...lines, ['Total', 20, null, 111]])];
    const { verdict, checks } = await look(files, { except: ['totals add up'] });
    expect(verdict).toBe('pass');
    expect(checks).not.toContain('totals add up');
  });
});
