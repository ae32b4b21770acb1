import type { Json, JsonObject } from '@cua-forge/spec/json';
import { Table } from '@cua-forge/spec/task';
import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { table } from './table.node.ts';

const orders = [
  { Order: 'A-1', Shop: 'Lund', Date: '2024-01-05', Units: 3, Price: 9.5 },
  { Order: 'A-2', Shop: 'Kiel', Date: '2024-01-09', Units: 2, Price: 20 },
  { Order: 'A-3', Shop: 'Lund', Date: '2024-02-01', Units: 1, Price: 4 },
  { Order: 'A-4', Shop: null, Date: '2024-02-03', Units: 5, Price: 0.1 },
];
const regions = {
  columns: ['Shop', 'Region'],
  rows: [
    ['Lund', 'North'],
    ['Kiel', 'Coast'],
    ['Oslo', 'Far'],
  ],
};

async function apply(steps: Json[], start: Json | undefined = orders, more: JsonObject = {}) {
  const inputs = { regions, ...more };
  const types = Object.fromEntries(Object.keys(inputs).map((name) => [name, 'json']));
  const outputs = await runKind(table, {
    params: { steps, inputs: types },
    inputs: { ...inputs, ...(start === undefined ? {} : { table: start }) },
  });
  const made = Table.parse(outputs.table);
  return { ...made, names: made.columns.map(({ name }) => name), types: made.columns.map(({ type }) => type), outputs };
}
const rows = async (steps: Json[], start?: Json) => (await apply(steps, start)).rows;

describe('what it begins with', () => {
  it('lists of objects, tables, rows of its own, or what an expression finds', async () => {
    const listed = await apply([{ op: 'limit', count: 1 }], [{ a: 1 }, { b: 'x', a: 2 }]);
    expect([listed.names, listed.types, listed.rows]).toEqual([['a', 'b'], ['integer', 'text'], [[1, null]]]);
    expect(listed.outputs).toMatchObject({ list: [{ a: 1, b: null }], count: 1 });
    const whole = {
      columns: [{ name: 'p', type: 'percent', format: '0%' }],
      rows: [[0.5], [{ formula: 'A1', result: 0.25 }]],
    };
    expect(await apply([{ op: 'limit', count: 9 }], whole)).toMatchObject({
      columns: whole.columns,
      rows: [[0.5], [0.25]],
    });
    const columns = [
      { name: 'Day', type: 'date' },
      { name: 'Sum', type: 'number' },
    ];
    expect(
      await rows(
        [
          {
            op: 'rows',
            columns,
            rows: [
              ['2024-05-01', '12.5'],
              [null, 3],
            ],
          },
        ],
        undefined,
      ),
    ).toEqual([
      ['2024-05-01', 12.5],
      [null, 3],
    ]);
    expect(
      (
        await apply([{ op: 'from', expression: 'bag.items[n > 1]' }], undefined, {
          bag: { items: [{ n: 1 }, { n: 2 }, { n: 3 }] },
        })
      ).rows,
    ).toEqual([[2], [3]]);
  });

  it.each<[string, Json | undefined, Json[], string, string]>([
    ['nothing', undefined, [{ op: 'limit', count: 1 }], 'params.invalid', 'Step 1 (limit): there is no table yet.'],
    [
      'a number',
      5,
      [{ op: 'limit', count: 1 }],
      'input.invalid',
      'The input table: this is neither a table nor a list of objects.',
    ],
    [
      'nested values',
      [{ a: 1 }, { a: [2] }],
      [{ op: 'limit', count: 1 }],
      'input.invalid',
      'The input table: "a" of object 2 is a list or an object.',
    ],
    [
      'ragged rows',
      { columns: ['a'], rows: [[1], [1, 2]] },
      [{ op: 'limit', count: 1 }],
      'input.invalid',
      'The input table: row 2 has more cells than there are columns.',
    ],
    [
      'twins',
      { columns: ['a', 'a'], rows: [] },
      [{ op: 'limit', count: 1 }],
      'params.invalid',
      'The input table: two columns have the name "a".',
    ],
    [
      'short rows',
      undefined,
      [{ op: 'rows', columns: [{ name: 'a', type: 'text' }], rows: [[]] }],
      'params.invalid',
      'Step 1 (rows): row 1 has 0 cells, and there are 1 columns.',
    ],
  ])('refuses %s', async (_name, start, steps, code, message) => {
    await expect(
      runKind(table, { params: { steps }, inputs: start === undefined ? {} : { table: start } }),
    ).rejects.toMatchObject({ code, message });
  });
});

describe('columns', () => {
  it('are selected, renamed, dropped', async () => {
    const made = await apply([
      { op: 'select', columns: ['Units', { column: 'Shop', as: 'Branch' }, 'Price'] },
      { op: 'rename', columns: { Units: 'Pieces' } },
      { op: 'drop', columns: ['Price'] },
    ]);
    expect([made.names, made.rows[0]]).toEqual([
      ['Pieces', 'Branch'],
      [3, 'Lund'],
    ]);
  });

  it('are computed from each row, new or in their place', async () => {
    const made = await apply([
      { op: 'compute', column: 'Value', type: 'currency', value: 'Units * Price' },
      { op: 'compute', column: 'Shop', value: 'Shop ? $uppercase(Shop) : "?"' },
    ]);
    expect(made.names).toEqual(['Order', 'Shop', 'Date', 'Units', 'Price', 'Value']);
    expect(made.types).toEqual(['text', 'text', 'date', 'integer', 'number', 'currency']);
    expect(made.rows.map((row) => [row[1], row[5]])).toEqual([
      ['LUND', 28.5],
      ['KIEL', 40],
      ['LUND', 4],
      ['?', 0.5],
    ]);
  });

  it('are read as another type, and filled', async () => {
    const start = [
      { n: '1.50', b: 'true', d: '2024-02-29', i: '7' },
      { n: '', b: null, d: null, i: null },
    ];
    const made = await apply(
      [
        { op: 'type', columns: { n: 'number', b: 'boolean', d: 'date', i: 'integer' } },
        { op: 'fill', columns: ['i'], value: 0 },
      ],
      start,
    );
    expect([made.types, made.rows]).toEqual([
      ['number', 'boolean', 'date', 'integer'],
      [
        [1.5, true, '2024-02-29', 7],
        [null, null, null, 0],
      ],
    ]);
  });
});

describe('rows', () => {
  it('are filtered, sorted, limited and made unique', async () => {
    expect(
      await rows([
        { op: 'filter', where: 'Units > 1 and Shop' },
        { op: 'select', columns: ['Order'] },
      ]),
    ).toEqual([['A-1'], ['A-2']]);
    const sorted = [
      { op: 'sort', by: [{ column: 'Shop', descending: true }, 'Units'] },
      { op: 'select', columns: ['Order'] },
    ];
    expect((await rows(sorted)).flat()).toEqual(['A-3', 'A-1', 'A-2', 'A-4']);
    expect(
      (
        await rows([
          { op: 'limit', count: 2, skip: 1 },
          { op: 'select', columns: ['Order'] },
        ])
      ).flat(),
    ).toEqual(['A-2', 'A-3']);
    expect(
      (
        await rows([
          { op: 'unique', columns: ['Shop'] },
          { op: 'select', columns: ['Order'] },
        ])
      ).flat(),
    ).toEqual(['A-1', 'A-2', 'A-4']);
    expect(await rows([{ op: 'unique' }], [{ a: 1 }, { a: '1' }, { a: 1 }])).toEqual([[1], ['1']]);
  });

  it('are grouped, with totals of every sort', async () => {
    const totals = ['count', 'distinct', 'sum', 'mean', 'median', 'min', 'max', 'first', 'last', 'join'].map(
      (total) => ({ as: total, total, column: 'n' }),
    );
    const made = await apply(
      [{ op: 'group', by: ['k'], totals }],
      [
        { k: 'a', n: 0.1 },
        { k: 'b', n: 5 },
        { k: 'a', n: 0.2 },
        { k: 'a', n: null },
        { k: 'a', n: 0.2 },
      ],
    );
    expect(made.rows).toEqual([
      ['a', 3, 2, 0.5, 0.166666666667, 0.2, 0.1, 0.2, 0.1, 0.2, '0.1, 0.2'],
      ['b', 1, 1, 5, 5, 5, 5, 5, 5, 5, '5'],
    ]);
    expect(made.types.slice(1, 4)).toEqual(['integer', 'integer', 'number']);
    expect(await rows([{ op: 'group', totals: [{ as: 'n', total: 'count' }] }])).toEqual([[4]]);
    expect(
      await rows([
        { op: 'filter', where: 'false' },
        {
          op: 'group',
          totals: [
            { as: 'n', total: 'sum', column: 'Units' },
            { as: 'm', total: 'mean', column: 'Units' },
          ],
        },
      ]),
    ).toEqual([[0, null]]);
  });

  it('are joined: with partners, all, or those without', async () => {
    const joined = (keep: string) =>
      rows([
        { op: 'select', columns: ['Order', 'Shop'] },
        { op: 'join', with: 'regions', on: ['Shop'], keep },
      ]);
    expect(await joined('matching')).toEqual([
      ['A-1', 'Lund', 'North'],
      ['A-2', 'Kiel', 'Coast'],
      ['A-3', 'Lund', 'North'],
    ]);
    expect((await joined('left')).at(-1)).toEqual(['A-4', null, null]);
    expect(await joined('unmatched')).toEqual([['A-4', null]]);
    const named = await apply([
      {
        op: 'join',
        with: 'regions',
        on: [{ left: 'Shop', right: 'Shop' }],
        columns: ['Region', 'Shop'],
        prefix: 'Of ',
      },
    ]);
    expect(named.names.slice(-2)).toEqual(['Of Region', 'Of Shop']);
  });

  it('are appended, pivoted and turned back', async () => {
    expect(
      await rows([
        { op: 'append', with: 'regions' },
        { op: 'select', columns: ['Order', 'Shop', 'Region'] },
        { op: 'limit', count: 9, skip: 4 },
      ]),
    ).toEqual([
      [null, 'Lund', 'North'],
      [null, 'Kiel', 'Coast'],
      [null, 'Oslo', 'Far'],
    ]);
    const month = { op: 'compute', column: 'Month', value: '$substring(Date, 0, 7)' };
    const wide = await apply([month, { op: 'pivot', rows: ['Shop'], columns: 'Month', value: 'Units', fill: 0 }]);
    expect([wide.names, wide.rows]).toEqual([
      ['Shop', '2024-01', '2024-02'],
      [
        ['Lund', 3, 1],
        ['Kiel', 2, 0],
        [null, 0, 5],
      ],
    ]);
    expect(await rows([month, { op: 'pivot', rows: ['Shop'], columns: 'Month', total: 'count' }])).toEqual([
      ['Lund', 1, 1],
      ['Kiel', 1, null],
      [null, null, 1],
    ]);
    const long = await apply([
      month,
      { op: 'pivot', rows: ['Shop'], columns: 'Month', value: 'Units' },
      { op: 'unpivot', columns: ['2024-01', '2024-02'], name: 'Month', value: 'Units' },
    ]);
    expect([long.names, long.types, long.rows[1]]).toEqual([
      ['Shop', 'Month', 'Units'],
      ['text', 'text', 'integer'],
      ['Lund', '2024-02', 1],
    ]);
  });
});

describe('mistakes are told with the step, the column and the row', () => {
  it.each<[Json[], string, string]>([
    [
      [
        { op: 'limit', count: 3 },
        { op: 'drop', columns: ['Prise'] },
      ],
      'params.invalid',
      'Step 2 (drop): there is no column "Prise".',
    ],
    [
      [{ op: 'select', columns: ['Shop', 'Shop'] }],
      'params.invalid',
      'Step 1 (select): two columns have the name "Shop".',
    ],
    [
      [{ op: 'drop', columns: ['Order', 'Shop', 'Date', 'Units', 'Price'] }],
      'params.invalid',
      'Step 1 (drop): no column would be left.',
    ],
    [
      [{ op: 'type', columns: { Order: 'integer' } }],
      'params.invalid',
      'Step 1 (type): "A-1" in row 1 of "Order" is no integer.',
    ],
    [
      [{ op: 'compute', column: 'x', value: 'Units = 2 ? [1, 2] : 1' }],
      'params.invalid',
      'Step 1 (compute): "x" of row 2 would be a list.',
    ],
    [
      [{ op: 'compute', column: 'x', type: 'date', value: '"soon"' }],
      'params.invalid',
      'Step 1 (compute): "soon" in row 1 of "x" is no date.',
    ],
    [
      [{ op: 'group', by: ['Shop'], totals: [{ as: 'n', total: 'sum' }] }],
      'params.invalid',
      'Step 1 (group): the total sum needs a column.',
    ],
    [
      [{ op: 'group', totals: [{ as: 'n', total: 'sum', column: 'Shop' }] }],
      'params.invalid',
      'Step 1 (group): sum of "Shop" meets "Lund", which is no number.',
    ],
    [[{ op: 'group' }], 'params.invalid', 'Step 1 (group): there is neither a column to group by nor a total.'],
    [
      [{ op: 'join', with: 'region', on: ['Shop'] }],
      'params.invalid',
      'Step 1 (join): nothing arrives at the input "region".',
    ],
    [
      [{ op: 'join', with: 'regions', on: [{ left: 'Shop', right: 'Branch' }] }],
      'params.invalid',
      'Step 1 (join), in regions: there is no column "Branch".',
    ],
    [
      [{ op: 'filter', where: 'Units >' }],
      'expression.invalid',
      'Step 1 (filter): The expression could not be compiled at line 1',
    ],
    [
      [{ op: 'filter', where: '$uppercase(Units)' }],
      'expression.invalid',
      'Step 1 (filter), row 1: The expression could not be evaluated',
    ],
    [
      [{ op: 'filter', where: '$random() > 0' }],
      'expression.invalid',
      'Step 1 (filter), row 1: The expression calls $random',
    ],
  ])('%j', async (steps, code, message) => {
    await expect(apply(steps)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('with what may have been meant', async () => {
    await expect(apply([{ op: 'drop', columns: ['Prise'] }])).rejects.toMatchObject({ fix: 'Did you mean "Price"?' });
    await expect(apply([{ op: 'join', with: 'region', on: ['Shop'] }])).rejects.toMatchObject({
      fix: 'Did you mean "regions"?',
    });
  });

  it('and a join that multiplies without end stops', async () => {
    const many = Array.from({ length: 700 }, () => ({ k: 1 }));
    const joined = apply([{ op: 'join', with: 'others', on: ['k'] }], many, { others: many });
    await expect(joined).rejects.toMatchObject({ code: 'params.invalid', message: expect.stringContaining('rows.') });
  });
});
