import { table } from '@cua-forge/gates/data/table.gate';
import type { JsonObject } from '@cua-forge/spec/json';
import type { Cell, Sheet, Workbook } from '@cua-forge/spec/task';
import { basePackages } from '../bases.ts';
import { at, bad, changed, type GateCorpus, good } from '../example.ts';

const check = {
  sheets: 'sheets have names of their own',
  headings: 'headings have names of their own',
  width: 'rows are as wide as the header',
  types: 'cells have the type of their column',
  filled: 'required cells are filled',
  keys: 'keys are unique',
  references: 'references resolve',
  bounds: 'values are within bounds',
};
const style = { headerRow: 1, firstColumn: 1, notes: {}, style: {} };

/** Orders that refer to customers; `i` makes it another workbook. */
function workbook(i: number): Workbook {
  const customers: Cell[][] = Array.from({ length: 5 + (i % 4) }, (_, n) => [
    `C${10 + n}`,
    at(['Harrow Mills', 'Okafor Paper', 'Brandt Tools', 'Velasco Glass'], n + i),
    n % 3 === 0 ? null : 'yearly',
  ]);
  const orders: Cell[][] = Array.from({ length: 8 + (i % 6) }, (_, n) => [
    i * 100 + n,
    `C${10 + ((n * 3) % customers.length)}`,
    `2025-0${1 + (n % 9)}-1${n % 10}`,
    n % 5 === 2 ? { formula: `E${n + 2}*2`, result: 12.5 + n } : 12.5 + n,
    0.05 * (n % 4),
    n % 2 === 0,
    at(['open', 'paid', 'late'], n + i),
  ]);
  return {
    sheets: [
      {
        name: 'Customers',
        ...style,
        columns: [
          { name: 'Code', type: 'text' },
          { name: 'Name', type: 'text' },
          { name: 'Remark', type: 'text' },
        ],
        rows: customers,
      },
      {
        name: 'Orders',
        ...style,
        columns: [
          { name: 'Order', type: 'integer' },
          { name: 'Customer', type: 'text' },
          { name: 'Date', type: 'date' },
          { name: 'Amount', type: 'currency' },
          { name: 'Discount', type: 'percent' },
          { name: 'Shipped', type: 'boolean' },
          { name: 'State', type: 'text' },
        ],
        rows: orders,
      },
    ],
  };
}
const rules: JsonObject = {
  keys: [
    { sheet: 'Customers', columns: ['Code'] },
    { sheet: 'Orders', columns: ['Order'] },
  ],
  references: [{ sheet: 'Orders', column: 'Customer', toSheet: 'Customers', toColumn: 'Code' }],
  required: [{ sheet: 'Orders', columns: ['Order', 'Customer', 'Date'] }],
  bounds: [
    { sheet: 'Orders', column: 'Discount', minimum: 0, maximum: 0.5 },
    { sheet: 'Orders', column: 'State', oneOf: ['open', 'paid', 'late'] },
    { sheet: 'Orders', column: 'Date', minimum: '2025-01-01', maximum: '2025-12-31' },
  ],
};
type Change = (sheets: { customers: Sheet; orders: Sheet; all: Sheet[] }, i: number) => void;
const put =
  (which: 'customers' | 'orders', row: number, column: number, value: Cell): Change =>
  (sheets) => {
    const cells = sheets[which].rows[row];
    if (cells !== undefined) cells[column] = value;
  };

const faults: [kind: string, check: string, name: string, change: Change][] = [
  [
    'names of sheets',
    check.sheets,
    'twice, in another case',
    ({ orders }) => {
      orders.name = 'CUSTOMERS';
    },
  ],
  [
    'names of sheets',
    check.sheets,
    'a slash',
    ({ all }) => {
      all.push({ ...structuredClone(at(all, 0)), name: 'Q1/Q2' });
    },
  ],
  [
    'names of sheets',
    check.sheets,
    'an apostrophe first',
    ({ all }) => {
      all.push({ ...structuredClone(at(all, 0)), name: "'Data" });
    },
  ],
  [
    'headings',
    check.headings,
    'twice',
    ({ orders }) => {
      at(orders.columns, 6).name = 'Shipped';
    },
  ],
  [
    'headings',
    check.headings,
    'twice, in another case',
    ({ customers }) => {
      at(customers.columns, 2).name = 'NAME';
    },
  ],
  [
    'headings',
    check.headings,
    'blank',
    ({ customers }) => {
      at(customers.columns, 2).name = '  ';
    },
  ],
  [
    'width',
    check.width,
    'a cell too many',
    ({ orders }) => {
      at(orders.rows, 3).push('x');
    },
  ],
  [
    'width',
    check.width,
    'a cell too few',
    ({ orders }) => {
      at(orders.rows, 4).pop();
    },
  ],
  [
    'width',
    check.width,
    'an empty row',
    ({ customers }) => {
      customers.rows.push([]);
    },
  ],
  ['type', check.types, 'a number as text', put('orders', 2, 3, '17.50')],
  ['type', check.types, 'a word among amounts', put('orders', 1, 3, 'n/a')],
  ['type', check.types, 'a fraction among integers', put('orders', 1, 0, 101.5)],
  ['type', check.types, 'a date in words', put('orders', 5, 2, '3 May 2025')],
  ['type', check.types, 'a date that cannot be', put('orders', 5, 2, '2025-02-30')],
  ['type', check.types, 'a word for yes', put('orders', 3, 5, 'yes')],
  ['type', check.types, 'a number among texts', put('customers', 2, 1, 4711)],
  ['type', check.types, 'a formula that gives text', put('orders', 2, 3, { formula: 'A1', result: 'none' })],
  ['type', check.types, 'a yes among amounts', put('orders', 4, 3, true)],
  ['empty', check.filled, 'no date', put('orders', 4, 2, null)],
  ['empty', check.filled, 'a customer of spaces', put('orders', 6, 1, ' ')],
  ['empty', check.filled, 'no number', put('orders', 0, 0, null)],
  [
    'key',
    check.keys,
    'an order twice',
    ({ orders }) => {
      orders.rows.push([...at(orders.rows, 2)]);
    },
  ],
  ['key', check.keys, 'a customer twice', put('customers', 3, 0, 'C11')],
  ['key', check.keys, 'a customer twice, with a space', put('customers', 4, 0, 'C11 ')],
  ['reference', check.references, 'an unknown customer', put('orders', 3, 1, 'C99')],
  ['reference', check.references, 'another case', put('orders', 5, 1, 'c11')],
  ['reference', check.references, 'a name for a code', put('orders', 5, 1, 'Brandt Tools')],
  [
    'reference',
    check.references,
    'a customer that is gone',
    ({ customers }) => {
      customers.rows.shift();
    },
  ],
  ['bounds', check.bounds, 'a discount of 60 %', put('orders', 2, 4, 0.6)],
  ['bounds', check.bounds, 'a negative discount', put('orders', 2, 4, -0.05)],
  ['bounds', check.bounds, 'an unknown state', put('orders', 1, 6, 'lost')],
  ['bounds', check.bounds, 'a day before', put('orders', 1, 2, '2024-12-31')],
];

export const tableCorpus: GateCorpus = {
  gate: table,
  async examples() {
    const bases = await basePackages();
    return [
      ...Array.from({ length: 18 }, (_, i) =>
        good(`workbook ${i}`, { params: rules, inputs: { workbook: workbook(i) } }),
      ),
      ...bases.flatMap(({ name, spec }) =>
        spec.files.flatMap((file) =>
          file.type === 'xlsx' ? [good(name, { inputs: { workbook: file.content }, params: {} })] : [],
        ),
      ),
      ...faults.map(([kind, of, name, change], i) => {
        const faulty = changed(workbook(i), ({ sheets }) => {
          change({ customers: at(sheets, 0), orders: at(sheets, 1), all: sheets }, i);
        });
        // A sheet that has lost its name cannot be ruled by it.
        return bad(kind, of, name, {
          params: of === check.sheets || of === check.headings ? {} : rules,
          inputs: { workbook: faulty },
        });
      }),
    ];
  },
};
