import { type Cell, TaskSpecification } from '@cua-forge/spec/task';
import { judge } from '@cua-forge/testing/judge';
import { describe, expect, it } from 'vitest';
import { exampleSpec } from './example-spec.ts';
import { realism } from './realism.gate.ts';

const spec = TaskSpecification.parse(exampleSpec);
const withColumn = (name: string, type: 'text' | 'number' | 'date' | 'percent', values: Cell[]) => ({
  ...spec,
  files: [
    {
      id: 'f',
      path: '/home/user/f.csv',
      type: 'csv' as const,
      content: {
        columns: [
          { name: 'Shop', type: 'text' as const },
          { name, type },
        ],
        rows: values.map((value, i) => [`Shop ${'ABCDEFG'[i]}${i * 7}`, value]),
      },
    },
  ],
});
const look = (of: object) => judge(realism, { params: {}, inputs: { spec: of } });

describe('gate.realism', () => {
  it('passes a specification that looks real, and hands it on', async () => {
    expect(await judge(realism)).toMatchObject({ verdict: 'pass', failed: [], passed: ['spec'] });
  });

  it.each<[string, object, RegExp]>([
    ['filler', withColumn('Remark', 'text', ['TODO', 'sent', 'open', 'paid']), /“TODO” is filler/],
    [
      'counted names',
      withColumn('Customer', 'text', ['Customer 1', 'Customer 2', 'Customer 3']),
      /Customer of f\.csv is numbered through/,
    ],
    ['a date that cannot be', withColumn('Sent', 'date', ['2025-02-30']), /f\.csv, row 1, Sent \(Sent\) is 2025-02-30/],
    ['one value throughout', withColumn('Fee', 'number', [5, 5, 5, 5]), /Fee of f\.csv is 5 in all 4 rows/],
    ['an even progression', withColumn('Fee', 'number', [10, 20, 30, 40, 50]), /Fee of f\.csv grows by 10/],
    ['a share above 1,000 %', withColumn('Margin', 'percent', [0.2, 35]), /Margin of f\.csv has 35 as a share of 1/],
    ['no heading', withColumn(' ', 'number', [3, 1]), /heading 2 of f\.csv is blank/],
    [
      'a placeholder for a person',
      { ...spec, scenario: { ...spec.scenario, person: 'John Doe' } },
      /the person is “John Doe”/,
    ],
    ['a wrong encoding', withColumn('City', 'text', ['ZÃ¼rich', 'Bern']), /wrong encoding/],
  ])('asks to repair %s', async (_, of, message) => {
    const { verdict, failed, passed } = await look(of);
    expect({ verdict, passed }).toEqual({ verdict: 'repair', passed: [] });
    expect(failed.join('\n')).toMatch(message);
  });

  it('takes running numbers, years and a column that the task fills for what they are', async () => {
    expect((await look(withColumn('No.', 'number', [1, 2, 3, 4, 5]))).failed).toEqual([]);
    expect((await look(withColumn('Year', 'number', [2025, 2025, 2025, 2025, 2025]))).failed).toEqual([]);
    expect((await look(withColumn('Cost', 'number', [null, null, null, null]))).failed).toEqual([]);
    expect((await look(withColumn('Score', 'number', [null, null, null, null]))).failed).toEqual([
      'columns vary: Score of f.csv is empty',
    ]);
  });
});
