import { realism } from '@cua-forge/gates/spec/realism.gate';
import type { TaskSpecification } from '@cua-forge/spec/task';
import { basePackages } from '../bases.ts';
import { at, bad, changed, type GateCorpus, good } from '../example.ts';
import { addColumn, columnOf, fill, type Grid, gridsOf, isNumeric, withTable } from '../tables.ts';

const check = {
  filler: 'no filler stands for content',
  dates: 'dates can be',
  columns: 'columns vary',
  rows: 'rows differ',
  numbers: 'numbers look measured',
  headings: 'headings are names',
  people: 'people and companies have names',
  characters: 'every character is sound',
};
type Change = (grid: Grid) => void;
type Fault = [kind: string, check: string, name: string, change: Change];

const text =
  (name: string, value: (row: number) => string): Change =>
  (grid) =>
    addColumn(grid, { name, type: 'text' }, value);

/** Data that is real though it looks odd. */
const odd: [string, Change][] = [
  ['a currency that is the same everywhere', text('Currency', () => 'EUR')],
  ['a year that is the same everywhere', (grid) => addColumn(grid, { name: 'Year', type: 'integer' }, () => 2025)],
  ['running numbers', (grid) => addColumn(grid, { name: 'No.', type: 'integer' }, (row) => row + 1)],
  ['running codes', text('Ticket', (row) => `T-${1000 + row}`)],
  ['few categories', text('Size', (row) => at(['S', 'M', 'L'], row * 5))],
  ['empty remarks', text('Remark', (row) => (row % 9 === 4 ? 'to be collected' : ''))],
  [
    'round amounts',
    (grid) => addColumn(grid, { name: 'Deposit', type: 'currency' }, (row) => at([50, 100, 200, 250], row * 3)),
  ],
  [
    'leap day',
    (grid) =>
      addColumn(grid, { name: 'Due', type: 'date' }, (row) => at(['2024-02-29', '2024-03-31', '2024-12-31'], row)),
  ],
  ['history', (grid) => addColumn(grid, { name: 'Founded', type: 'date' }, (row) => `19${62 + (row % 30)}-05-01`)],
  ['accents', text('City', (row) => at(['Zürich', 'São Paulo', 'Łódź', 'Århus', 'Besançon'], row))],
  ['words with test in them', text('Stage', (row) => at(['Tested', 'In contest', 'Latest', 'Attested'], row))],
  [
    'zeros',
    (grid) => addColumn(grid, { name: 'Returns', type: 'integer' }, (row) => (row % 6 === 2 ? 1 + (row % 3) : 0)),
  ],
  [
    'high growth',
    (grid) => addColumn(grid, { name: 'Growth', type: 'percent' }, (row) => ((row * 37) % 140) / 100 - 0.2),
  ],
  ['a repeated row', (grid) => grid.rows.push([...at(grid.rows, 1)])],
];

const onColumn =
  (fits: Parameters<typeof columnOf>[1], value: (row: number) => string | number | null): Change =>
  (grid) =>
    fill(grid, columnOf(grid, fits), value);
const isText = ({ type }: { type: string }) => type === 'text';
const isMeasure = (column: Parameters<typeof isNumeric>[0]) => isNumeric(column) && column.name !== 'Year';

const faults: Fault[] = [
  [
    'filler',
    check.filler,
    'lorem ipsum',
    onColumn(isText, (row) => at(['Lorem ipsum dolor', 'sit amet', 'consectetur adipiscing'], row)),
  ],
  ['filler', check.filler, 'TODO', text('Remark', (row) => (row === 2 ? 'TODO: fill in' : 'checked'))],
  ['filler', check.filler, 'TBD', text('Owner', (row) => (row % 2 === 0 ? 'TBD' : 'Ines Halloran'))],
  ['filler', check.filler, 'foo and bar', onColumn(isText, (row) => at(['foo', 'bar', 'baz', 'qux'], row))],
  ['filler', check.filler, 'asdf', text('Comment', (row) => at(['asdf', 'asdfasdf', 'qwerty'], row))],
  ['filler', check.filler, 'sample text', text('Description', (row) => `Sample text ${row + 1}`)],
  ['filler', check.filler, 'xxx', onColumn(isText, () => 'xxx')],
  ['filler', check.filler, 'a template', text('Customer', (row) => (row === 3 ? '{{ customer }}' : 'Harrow Mills'))],
  ['filler', check.filler, 'undefined', text('Branch', (row) => (row % 5 === 0 ? 'undefined' : 'North'))],
  ['counted names', check.filler, 'Customer 1', onColumn(isText, (row) => `Customer ${row + 1}`)],
  [
    'counted names',
    check.filler,
    'Product A',
    onColumn(isText, (row) => `Product ${String.fromCharCode(65 + (row % 20))}`),
  ],
  ['counted names', check.filler, 'Employee_07', text('Assignee', (row) => `Employee_0${row}`)],
  [
    'impossible dates',
    check.dates,
    '30 February',
    (grid) => addColumn(grid, { name: 'Paid', type: 'date' }, (row) => (row === 2 ? '2025-02-30' : '2025-02-12')),
  ],
  [
    'impossible dates',
    check.dates,
    'month 13',
    (grid) =>
      addColumn(grid, { name: 'Sent', type: 'date' }, (row) =>
        row === 1 ? '2025-13-04' : `2025-03-0${1 + (row % 9)}`,
      ),
  ],
  [
    'impossible dates',
    check.dates,
    'the year 0025',
    (grid) =>
      addColumn(grid, { name: 'Booked', type: 'date' }, (row) =>
        row === 1 ? '0025-03-04' : `2025-04-0${1 + (row % 9)}`,
      ),
  ],
  [
    'impossible dates',
    check.dates,
    'the year 9999',
    (grid) =>
      addColumn(grid, { name: 'Ends', type: 'date' }, (row) =>
        row === 4 ? '9999-12-31' : `2025-05-0${1 + (row % 9)}`,
      ),
  ],
  ['one value', check.columns, 'all amounts equal', onColumn(isMeasure, () => 100)],
  ['one value', check.columns, 'all zero', (grid) => addColumn(grid, { name: 'Weight', type: 'number' }, () => 0)],
  ['one value', check.columns, 'all the same name', text('Customer', () => 'Harrow Mills')],
  [
    'one value',
    check.columns,
    'an empty column',
    (grid) => addColumn(grid, { name: 'Score', type: 'number' }, () => null),
  ],
  ['copied rows', check.rows, 'all of them twice', (grid) => grid.rows.push(...structuredClone(grid.rows))],
  [
    'copied rows',
    check.rows,
    'one row many times',
    (grid) => grid.rows.push(...Array.from({ length: grid.rows.length }, () => [...at(grid.rows, 0)])),
  ],
  ['made-up numbers', check.numbers, 'hundreds in a row', onColumn(isMeasure, (row) => (row + 1) * 100)],
  ['made-up numbers', check.numbers, 'counting', onColumn(isMeasure, (row) => row + 1)],
  [
    'made-up numbers',
    check.numbers,
    '12345',
    (grid) =>
      addColumn(grid, { name: 'Revenue 2024', type: 'currency' }, (row) =>
        at([12345, 1234.56, 11111, 99999, 123456], row),
      ),
  ],
  [
    'impossible numbers',
    check.numbers,
    'ages',
    (grid) => addColumn(grid, { name: 'Age', type: 'integer' }, (row) => (row === 2 ? 214 : 24 + ((row * 7) % 40))),
  ],
  [
    'impossible numbers',
    check.numbers,
    'percentages',
    (grid) => addColumn(grid, { name: 'Margin', type: 'percent' }, (row) => 18 + ((row * 13) % 60)),
  ],
  [
    'bad headings',
    check.headings,
    'Column1',
    (grid) =>
      grid.columns.forEach((column, i) => {
        column.name = `Column${i + 1}`;
      }),
  ],
  [
    'bad headings',
    check.headings,
    'an empty one',
    (grid) => addColumn(grid, { name: ' ', type: 'text' }, (row) => `note ${row * 7}`),
  ],
  [
    'bad headings',
    check.headings,
    'Unnamed: 0',
    (grid) => addColumn(grid, { name: 'Unnamed: 0', type: 'integer' }, (row) => (row * 7) % 11),
  ],
  [
    'bad headings',
    check.headings,
    'twice the same',
    (grid) => addColumn(grid, { ...at(grid.columns, 0) }, (row) => `n${row * 3}`),
  ],
  [
    'broken characters',
    check.characters,
    'read as Latin-1',
    text('City', (row) => at(['ZÃ¼rich', 'MalmÃ¶', 'Bern'], row)),
  ],
  [
    'broken characters',
    check.characters,
    'replacement',
    text('Contact', (row) => at(['J\uFFFDrgen', 'Anna', 'Uwe'], row)),
  ],
];
const names: [string, Partial<TaskSpecification['scenario']>][] = [
  ['John Doe', { person: 'John Doe' }],
  ['Test User', { person: 'Test User' }],
  ['Acme', { company: 'ACME Corp' }],
  ['Company Name', { company: 'Company Name' }],
];

export const realismCorpus: GateCorpus = {
  gate: realism,
  async examples() {
    const bases = await basePackages();
    const withTables = bases.filter(({ spec }) => gridsOf(spec.files).some(({ rows }) => rows.length >= 9));
    const show = (spec: TaskSpecification) => ({ inputs: { spec } });
    return [
      ...bases.map(({ name, spec }) => good(name, show(spec))),
      ...odd.map(([name, change], i) => good(name, show(withTable(at(withTables, i).spec, change)))),
      ...faults.map(([kind, of, name, change], i) =>
        bad(kind, of, name, show(withTable(at(withTables, i * 3 + 1).spec, change))),
      ),
      ...names.map(([name, scenario], i) =>
        bad(
          'placeholder names',
          check.people,
          name,
          show(changed(at(bases, i * 4).spec, (spec) => Object.assign(spec.scenario, scenario))),
        ),
      ),
    ];
  },
};
