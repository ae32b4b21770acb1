import { consistency } from '@cua-forge/gates/spec/consistency.gate';
import type { Cell, RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { basePackages } from '../bases.ts';
import { at, bad, changed, type GateCorpus, good } from '../example.ts';
import { addColumn, columnOf, type Grid, gridsOf, withTable } from '../tables.ts';

const check = {
  mentions: 'mentions are found',
  totals: 'totals add up',
  columns: 'columns fit together',
  keys: 'keys mean one thing',
  references: 'references resolve',
  spelling: 'values are spelled one way',
  years: 'years agree',
  counts: 'counts agree',
};

const csvFile = (id: string, head: string[], rows: Cell[][]): RequiredFile => ({
  id,
  path: `/home/user/Documents/${id}.csv`,
  type: 'csv',
  content: {
    columns: head.map((name, i) => ({ name, type: typeof rows[0]?.[i] === 'number' ? 'number' : 'text' })),
    rows,
  },
});

/** Price × quantity, with a rounding of its own. */
const lineTotals = (grid: Grid) => {
  addColumn(grid, { name: 'Hours', type: 'number' }, (row) => 2 + ((row * 5) % 9));
  addColumn(grid, { name: 'Rate', type: 'currency' }, (row) => 41.35 + ((row * 3) % 7));
  addColumn(grid, { name: 'Fee', type: 'currency' }, (row) =>
    Number(((2 + ((row * 5) % 9)) * (41.35 + ((row * 3) % 7))).toFixed(2)),
  );
};
const lookup = (rows: Cell[][]) => csvFile('suppliers', ['Supplier Code', 'Supplier'], rows);
const supplierRows: Cell[][] = [
  ['S1', 'Harrow Mills'],
  ['S2', 'Lindgren Foods'],
  ['S3', 'Okafor Paper'],
  ['S4', 'Brandt Tools'],
  ['S5', 'Velasco Glass'],
];
const deliveries = (codeOf: (row: number) => string, nameOf?: (row: number) => string) =>
  csvFile(
    'deliveries',
    ['Delivery', 'Supplier Code', 'Boxes', ...(nameOf === undefined ? [] : ['Supplier'])],
    Array.from({ length: 15 }, (_, row): Cell[] => [
      `D${70 + row}`,
      codeOf(row),
      3 + ((row * 7) % 12),
      ...(nameOf === undefined ? [] : [nameOf(row)]),
    ]),
  );
const known = (row: number) => `S${1 + ((row * 2) % 5)}`;
const nameFor = (code: string) => String(supplierRows.find(([one]) => one === code)?.[1] ?? '');

export const consistencyCorpus: GateCorpus = {
  gate: consistency,
  async examples() {
    const bases = await basePackages();
    const [orders, stock, staff, , budget, visits] = bases;
    if (!orders || !stock || !staff || !budget || !visits) throw new Error('the six by hand come first');
    const tabular = bases.filter(({ spec }) => gridsOf(spec.files).some(({ rows }) => rows.length >= 9));
    const dated = bases.filter(({ spec }) =>
      spec.files.some(
        ({ type, content }) => type === 'xlsx' && content.sheets[0]?.columns.some((column) => column.type === 'date'),
      ),
    );
    const show = (spec: TaskSpecification) => ({ inputs: { spec } });
    const files = (spec: TaskSpecification, ...more: RequiredFile[]) =>
      changed(spec, (copy) => {
        copy.files.push(...more);
      });
    const note = (spec: TaskSpecification, text: Cell) =>
      changed(spec, (copy) => {
        const file = copy.files.find(({ type }) => type === 'xlsx');
        if (file?.type === 'xlsx' && file.content.sheets[0]) file.content.sheets[0].notes.Z1 = text;
      });
    const count = (spec: TaskSpecification) => gridsOf(spec.files)[0]?.rows.length ?? 0;
    const cell = (spec: TaskSpecification, name: string, row: number, value: (old: Cell) => Cell) =>
      withTable(spec, (grid) => {
        const at = columnOf(grid, (column) => column.name === name);
        const cells = grid.rows[row];
        if (cells !== undefined) cells[at] = value(cells[at] ?? null);
      });
    const spelled = (i: number, change: (value: string) => string) =>
      withTable(at(tabular, i).spec, (grid) => {
        const regions = ['Northern region', 'Southern region', 'Harbour branch'];
        addColumn(grid, { name: 'Territory', type: 'text' }, (row) =>
          row === 4 ? change(at(regions, row)) : at(regions, row),
        );
      });
    return [
      ...bases.map(({ name, spec }) => good(name, show(spec))),
      ...[0, 2, 5, 8].map((i) => good(`lines that multiply ${i}`, show(withTable(at(tabular, i).spec, lineTotals)))),
      good('two files with one key', show(files(stock.spec, lookup(supplierRows), deliveries(known)))),
      good(
        'two files that repeat a name',
        show(
          files(
            stock.spec,
            lookup(supplierRows),
            deliveries(known, (row) => nameFor(known(row))),
          ),
        ),
      ),
      good(
        'values that are alike but differ',
        show(
          withTable(staff.spec, (grid) =>
            addColumn(grid, { name: 'Room', type: 'text' }, (row) => at(['Room 101', 'Room 102', 'Room 110'], row)),
          ),
        ),
      ),
      good(
        'names that are alike',
        show(
          withTable(stock.spec, (grid) =>
            addColumn(grid, { name: 'Contact', type: 'text' }, (row) =>
              at(['Jensen', 'Jansen', 'Hansen', 'Jensen', 'Jensen'], row),
            ),
          ),
        ),
      ),
      good('a count that is right', show(note(staff.spec, `${count(staff.spec)} rows`))),
      good('a total in the notes', show(note(budget.spec, 'All amounts in euros'))),
      good('a year that fits', show(note(at(bases, 7).spec, 'Status of 2025'))),
      good('a year of a law', show(note(orders.spec, 'Kept under the Act of 1998'))),
      good('a total of averages', show(cell(budget.spec, 'Planned', 6, () => 5638.333))),
      good(
        'a column that is the sum of two only at times',
        show(
          withTable(stock.spec, (grid) => {
            addColumn(grid, { name: 'Front', type: 'integer' }, (row) => 2 + (row % 5));
            addColumn(grid, { name: 'Back', type: 'integer' }, (row) => 1 + (row % 3));
            addColumn(grid, { name: 'Seen', type: 'integer' }, (row) => 3 + (row % 5) + (row % 3) + (row % 2));
          }),
        ),
      ),
      good(
        'names that are alike in two files',
        show(
          files(
            orders.spec,
            csvFile(
              'towns',
              ['Town', 'Shops'],
              [
                ['Halden', 3],
                ['Haldern', 5],
                ['Halle', 2],
              ],
            ),
          ),
        ),
      ),
      good('rounded totals', show(cell(budget.spec, 'Spent', 6, (old) => Math.round(Number(old))))),
      ...['Zylograph', 'archive_2031.xlsx', 'Sheet of Doom', 'Ledger 77'].map((mention, i) =>
        bad(
          'a mention from nowhere',
          check.mentions,
          mention,
          show(
            changed(at(bases, i * 4).spec, ({ outcome }) => {
              outcome.mentions.push(mention);
            }),
          ),
        ),
      ),
      ...['Planned', 'Spent'].map((name) =>
        bad('a total that is wrong', check.totals, name, show(cell(budget.spec, name, 6, (old) => Number(old) + 310))),
      ),
      ...[1, 4, 7].map((i) =>
        bad(
          'a total that is wrong',
          check.totals,
          `added to ${at(tabular, i).name}`,
          show(
            withTable(at(tabular, i).spec, (grid) => {
              const number = columnOf(
                grid,
                ({ name, type }) =>
                  !name.includes('Price') && (type === 'number' || type === 'currency' || type === 'integer'),
              );
              const first = columnOf(grid, ({ type }) => type === 'text');
              grid.rows.push(
                grid.columns.map(
                  (_, index): Cell =>
                    index === first ? at(['Total', 'Grand total', 'Sum'], i) : index === number ? 77 : null,
                ),
              );
            }),
          ),
        ),
      ),
      ...[0, 3, 6, 9].map((i) =>
        bad(
          'a line that does not multiply',
          check.columns,
          at(tabular, i).name,
          show(
            withTable(at(tabular, i).spec, (grid) => {
              lineTotals(grid);
              const row = grid.rows[3];
              if (row !== undefined) row[row.length - 1] = 12.5;
            }),
          ),
        ),
      ),
      bad(
        'a line that does not multiply',
        check.columns,
        'stock value',
        show(cell(stock.spec, 'Value', 5, (old) => Number(old) * 10)),
      ),
      bad(
        'a line that does not subtract',
        check.columns,
        'remaining',
        show(cell(budget.spec, 'Remaining', 2, (old) => -Number(old))),
      ),
      ...[1, 2, 3].map((i) =>
        bad(
          'one key, two names',
          check.keys,
          `variant ${i}`,
          show(
            files(
              at(bases, i * 4).spec,
              lookup(supplierRows),
              deliveries(known, (row) => (row === i ? 'Nordholm Freight' : nameFor(known(row)))),
            ),
          ),
        ),
      ),
      bad(
        'one key, two names',
        check.keys,
        'one price list twice',
        show(
          files(
            visits.spec,
            csvFile(
              'fees',
              ['Service Code', 'Fee'],
              [
                ['PH-1', 62.4],
                ['MA-2', 84.9],
                ['US-4', 31.75],
              ],
            ),
          ),
        ),
      ),
      ...[0, 2, 4].map((i) =>
        bad(
          'a key that leads nowhere',
          check.references,
          `variant ${i}`,
          show(
            files(
              at(bases, i + 1).spec,
              lookup(supplierRows),
              deliveries((row) => (row === i ? 'S9' : known(row))),
            ),
          ),
        ),
      ),
      bad(
        'a key that leads nowhere',
        check.references,
        'a visit',
        show(cell(visits.spec, 'Service Code', 6, () => 'ZZ-8')),
      ),
      bad(
        'a key that leads nowhere',
        check.references,
        'an absence',
        show(cell(staff.spec, 'Employee ID', 6, () => 'E999')),
      ),
      ...[
        (value: string) => value.toLowerCase(),
        (value: string) => `${value} `,
        (value: string) => value.replace('regi', 'rigi'),
        (value: string) => value.replace(' ', '  '),
      ].map((change, i) =>
        bad('a value spelled two ways', check.spelling, change('Southern region'), show(spelled(i * 2, change))),
      ),
      ...['Figures for 2019', 'Planning 2034'].map((text, i) =>
        bad('another year', check.years, text, show(note(at(dated, i * 2).spec, text))),
      ),
      bad(
        'another year',
        check.years,
        'in the name of the sheet',
        show(
          changed(orders.spec, ({ files: [file] }) => {
            if (file?.type === 'xlsx' && file.content.sheets[0]) file.content.sheets[0].name = 'Orders 2017';
          }),
        ),
      ),
      ...[`${count(staff.spec) + 4} rows`, 'Entries: 250'].map((text) =>
        bad('a wrong count', check.counts, text, show(note(staff.spec, text))),
      ),
      bad('a wrong count', check.counts, '12 records', show(note(orders.spec, 'This list has 12 records'))),
    ];
  },
};
