import { exampleAnswers, exampleSpecification } from '@cua-forge/nodes/spec/example-specification';
import type { Cell, Column, RequiredFile, Sheet } from '@cua-forge/spec/task';
import { HiddenAnswers, TaskSpecification } from '@cua-forge/spec/task';

const columns = (...names: [string, Column['type']][]): Column[] => names.map(([name, type]) => ({ name, type }));
const sheet = (name: string, head: Column[], rows: Cell[][], notes: Sheet['notes'] = {}): Sheet => ({
  name,
  notes,
  headerRow: Object.keys(notes).length > 0 ? 3 : 1,
  firstColumn: 1,
  columns: head,
  rows,
  style: {},
});
const day = (index: number) => `2025-0${1 + (index % 6)}-${String(3 + ((index * 5) % 24)).padStart(2, '0')}`;
const draw = <T>(list: readonly T[], index: number): T => {
  const member = list[(index * 11 + 3) % list.length];
  if (member === undefined) throw new Error('nothing to draw from');
  return member;
};
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

interface Made {
  spec: TaskSpecification;
  hidden: HiddenAnswers;
}

interface Plain {
  kind: string;
  summary: string;
  musts: [string, string][];
  wishes?: [string, string][];
  mentions: string[];
  scenario: [string, string, string, string];
  files: RequiredFile[];
  constraints?: string[];
  answers: HiddenAnswers['answers'];
  expected: RequiredFile[];
}

function made(plain: Plain): Made {
  const [person, role, company, motive] = plain.scenario;
  const requirement =
    (must: boolean) =>
    ([id, text]: [string, string]) => ({ id, text, must });
  return {
    spec: TaskSpecification.parse({
      skill: 'bench',
      domain: 'office',
      applications: ['libreoffice-calc'],
      outcome: {
        kind: plain.kind,
        summary: plain.summary,
        requirements: [...plain.musts.map(requirement(true)), ...(plain.wishes ?? []).map(requirement(false))],
        mentions: plain.mentions,
      },
      scenario: { person, role, company, motive },
      files: plain.files,
      preconditions: plain.files.map(({ id }) => ({ type: 'file-present', file: id })),
      constraints: plain.constraints ?? [],
      traits: {},
    }),
    hidden: HiddenAnswers.parse({ answers: plain.answers, expected: plain.expected, derivation: 'by hand' }),
  };
}

const stockItems = ['Desk lamp', 'Oak shelf', 'Cork board', 'Paper tray', 'Wall clock', 'Task chair', 'Coat rack'];
const stockRows: Cell[][] = times(14, (i) => {
  const [count, price] = [4 + ((i * 11) % 37), 6.5 + ((i * 13) % 29) * 1.25];
  return [`SK-${2040 + i * 3}`, draw(stockItems, i), count, price, Number((count * price).toFixed(2))];
});
const stockHead = columns(
  ['SKU', 'text'],
  ['Item', 'text'],
  ['Quantity', 'integer'],
  ['Unit Price', 'currency'],
  ['Value', 'currency'],
);
const stock = made({
  kind: 'restock list',
  summary: 'stock.csv has a column Restock that says yes for every item with fewer than 10 pieces',
  musts: [
    ['column', 'stock.csv has a column Restock after its last column'],
    ['values', 'Restock holds yes where Quantity is below 10 and no everywhere else'],
    ['unchanged', 'The columns that were there keep their values'],
  ],
  mentions: ['stock.csv', 'Restock', 'Quantity'],
  scenario: ['Priya Nair', 'warehouse lead', 'Norrland Interiors', 'the supplier takes orders until Friday'],
  files: [
    {
      id: 'stock',
      path: '/home/user/Documents/stock.csv',
      type: 'csv',
      content: { columns: stockHead, rows: stockRows },
    },
  ],
  answers: [{ label: 'value of the items to restock', value: 1846.35 }],
  expected: [
    {
      id: 'stock',
      path: '/home/user/Documents/stock.csv',
      type: 'csv',
      content: {
        columns: [...stockHead, ...columns(['Restock', 'text'])],
        rows: stockRows.map((row) => [...row, Number(row[2]) < 10 ? 'yes' : 'no']),
      },
    },
  ],
});

const people = [
  'Ines Halloran',
  'Tom Akande',
  'Mei Castellan',
  'Jonas Weber',
  'Greta Lund',
  'Rafael Ortiz',
  'Amina Diallo',
  'Piotr Zielinski',
  'Lucia Ferri',
];
const departments = ['Finance', 'Sales', 'Logistics', 'Design'];
const staffSheets = [
  sheet(
    'People',
    columns(['Employee ID', 'text'], ['Name', 'text'], ['Department', 'text'], ['Start Date', 'date']),
    people.map((name, i) => [`E${310 + i * 4}`, name, draw(departments, i), `20${14 + i}-0${1 + (i % 8)}-15`]),
  ),
  sheet(
    'Absences',
    columns(['Employee ID', 'text'], ['From', 'date'], ['Days', 'integer']),
    times(16, (i) => [`E${310 + ((i * 5) % 9) * 4}`, day(i), 1 + ((i * 3) % 8)]),
  ),
];
const staffTotals: Cell[][] = departments.map((department, i) => [department, 17 + i * 3]);
const staff = made({
  kind: 'absence totals',
  summary: 'staff.xlsx has a sheet Overview with the days of absence of each department',
  musts: [
    ['sheet', 'staff.xlsx has a sheet named Overview'],
    ['totals', 'Overview has one row for each Department with the sum of Days of its people'],
    ['order', 'The rows of Overview are sorted by Department'],
  ],
  wishes: [['bold', 'The headings of Overview are bold']],
  mentions: ['staff.xlsx', 'Overview', 'Department', 'Days'],
  scenario: ['Tom Akande', 'HR coordinator', 'Vellmar Logistics', 'the works council asked for the figures'],
  files: [{ id: 'staff', path: '/home/user/Documents/staff.xlsx', type: 'xlsx', content: { sheets: staffSheets } }],
  constraints: ['The sheets People and Absences stay as they are'],
  answers: [{ label: 'absence of all departments', value: 1297 }],
  expected: [
    {
      id: 'staff',
      path: '/home/user/Documents/staff.xlsx',
      type: 'xlsx',
      content: {
        sheets: [...staffSheets, sheet('Overview', columns(['Department', 'text'], ['Days', 'integer']), staffTotals)],
      },
    },
  ],
});

const minutesText = [
  'Minutes of the garden committee, 14 May 2025',
  '',
  'Present: Lucia Ferri, Piotr Zielinski, Amina Diallo',
  '',
  'The beds along the fence get new soil. Piotr asks two suppliers for offers.',
  'The shed key moves to the office. Amina keeps the second one.',
  'Next meeting on 11 June at the pavilion.',
].join('\n');
const minutes = made({
  kind: 'action list',
  summary: 'minutes.txt ends with a list headed Actions that names each task and who does it',
  musts: [
    ['heading', 'minutes.txt has a line Actions after the last paragraph'],
    ['tasks', 'Below Actions there is one line for each task, with the name of the person who does it'],
    ['kept', 'The text above Actions is as it was'],
  ],
  mentions: ['minutes.txt', 'Actions'],
  scenario: ['Lucia Ferri', 'secretary', 'Lindenhof Allotments', 'the minutes go out tonight'],
  files: [{ id: 'minutes', path: '/home/user/Documents/minutes.txt', type: 'text', content: minutesText }],
  answers: [{ label: 'who asks for offers', value: 'Piotr asks for offers' }],
  expected: [
    {
      id: 'minutes',
      path: '/home/user/Documents/minutes.txt',
      type: 'text',
      content: `${minutesText}\n\nActions\nPiotr Zielinski: ask two suppliers\nAmina Diallo: keep the second key`,
    },
  ],
});

const lines: [string, number, number][] = [
  ['Rent', 14400, 13212.4],
  ['Insurance', 2350, 2291.15],
  ['Travel', 6800, 7214.9],
  ['Training', 3900, 1842.6],
  ['Software', 5120, 4987.35],
  ['Catering', 1260, 903.2],
];
const sumOf = (index: 1 | 2) => Number(lines.reduce((total, line) => total + line[index], 0).toFixed(2));
const budgetSheet = sheet(
  'Budget',
  columns(['Item', 'text'], ['Planned', 'currency'], ['Spent', 'currency'], ['Remaining', 'currency']),
  [
    ...lines.map(([item, planned, spent]): Cell[] => [item, planned, spent, Number((planned - spent).toFixed(2))]),
    ['Total', sumOf(1), sumOf(2), Number((sumOf(1) - sumOf(2)).toFixed(2))],
  ],
  { A1: 'Budget of the youth centre' },
);
const budget = made({
  kind: 'share of budget',
  summary: 'budget.xlsx shows in a column Share how much of the plan each item has spent',
  musts: [
    ['share', 'The sheet Budget has a column Share to the right of Remaining, with Spent divided by Planned'],
    ['percent', 'Share is shown as a percentage with one decimal'],
    ['all-rows', 'Every item and the row Total has its Share'],
  ],
  mentions: ['budget.xlsx', 'Share', 'Spent', 'Planned'],
  scenario: ['Amina Diallo', 'treasurer', 'Youth Centre Halden', 'the council meets next week'],
  files: [{ id: 'budget', path: '/home/user/Documents/budget.xlsx', type: 'xlsx', content: { sheets: [budgetSheet] } }],
  answers: [{ label: 'share of Travel', value: 1.06101 }],
  expected: [
    {
      id: 'budget',
      path: '/home/user/Documents/budget.xlsx',
      type: 'xlsx',
      content: {
        sheets: [
          {
            ...budgetSheet,
            columns: [...budgetSheet.columns, { name: 'Share', type: 'percent' }],
            rows: budgetSheet.rows.map((row) => [...row, Number((Number(row[2]) / Number(row[1])).toFixed(5))]),
          },
        ],
      },
    },
  ],
});

const services: [string, string, number][] = [
  ['PH-1', 'Physiotherapy', 62.4],
  ['MA-2', 'Massage', 48.9],
  ['US-4', 'Ultrasound', 31.75],
  ['EX-7', 'Exercise class', 19.2],
  ['CO-9', 'Consultation', 84.6],
];
const visitRows: Cell[][] = times(18, (i) => [
  day(i),
  draw(services, i)[0],
  1 + (i % 3),
  draw(['North', 'South', 'Harbour'], i),
]);
const visitHead = columns(
  ['Visit Date', 'date'],
  ['Service Code', 'text'],
  ['Sessions', 'integer'],
  ['Branch', 'text'],
);
const pricesSheet = sheet(
  'Prices',
  columns(['Service Code', 'text'], ['Service', 'text'], ['Fee', 'currency']),
  services.map((row): Cell[] => [...row]),
);
const visits = made({
  kind: 'fees of visits',
  summary: 'prices.xlsx has a sheet Billing that lists every visit of visits.csv with its fee',
  musts: [
    ['sheet', 'prices.xlsx has a sheet named Billing'],
    ['rows', 'Billing has a row for every visit of visits.csv, in the same order'],
    ['fees', 'The column Amount of Billing is Sessions times the Fee of the Service Code'],
  ],
  mentions: ['prices.xlsx', 'visits.csv', 'Billing', 'Sessions', 'Fee', 'Amount'],
  scenario: ['Jonas Weber', 'practice manager', 'Harbour Therapy Group', 'the insurer wants the list by noon'],
  files: [
    {
      id: 'visits',
      path: '/home/user/Documents/visits.csv',
      type: 'csv',
      content: { columns: visitHead, rows: visitRows },
    },
    { id: 'prices', path: '/home/user/Documents/prices.xlsx', type: 'xlsx', content: { sheets: [pricesSheet] } },
  ],
  answers: [{ label: 'all fees', value: 1733.05 }],
  expected: [
    {
      id: 'prices',
      path: '/home/user/Documents/prices.xlsx',
      type: 'xlsx',
      content: {
        sheets: [
          pricesSheet,
          sheet(
            'Billing',
            [...visitHead, ...columns(['Amount', 'currency'])],
            visitRows.map((row) => [
              ...row,
              Number((Number(row[2]) * (services.find(([code]) => code === row[1])?.[2] ?? 0)).toFixed(2)),
            ]),
          ),
        ],
      },
    },
  ],
});

const example: Made = {
  spec: TaskSpecification.parse(exampleSpecification),
  hidden: HiddenAnswers.parse(exampleAnswers),
};

/** Specifications written by hand, of several domains and file types. */
export const handMade: readonly Made[] = [example, stock, staff, minutes, budget, visits];
