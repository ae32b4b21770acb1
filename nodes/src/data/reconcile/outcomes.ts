import { cellAddress } from '@cua-forge/spec/cell-address';
import type { Cell, Column, Sheet } from '@cua-forge/spec/task';
import type { Random } from '../random.ts';
import { cents, type Invoice, type Line } from './bills.ts';
import type { AddedColumn, Layout } from './ledger.ts';

/** What the work is done on. */
export interface Case {
  lines: readonly Line[];
  invoices: readonly Invoice[];
  layout: Layout;
}

/** What the work leaves behind, and how it is asked for. */
export interface Result {
  label: string;
  lines: readonly Line[];
  added?: AddedColumn;
  extra?: Sheet;
  aim: string;
  requirements: { id: string; text: string; must: boolean }[];
  mentions: string[];
  answers: { label: string; value: string | number }[];
}

type Solve = (given: Case, random: Random) => Result;

const nameOf = ({ layout }: Case, field: string) =>
  layout.fields.find((each) => each.field === field)?.column.name ?? field;
const invoiceOf = (given: Case, number: string) => given.invoices.find((invoice) => invoice.number === number);
const byNumber = <T extends { number: string }>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => (a.number < b.number ? -1 : 1));
const differing = (given: Case) =>
  given.lines.filter((line) => {
    const invoice = invoiceOf(given, line.number);
    return invoice !== undefined && line.amount !== null && invoice.total !== line.amount;
  });

/** Cell of the heading of a new column right of the table. */
const besideTable = ({ layout }: Case) => cellAddress(layout.headerRow, layout.firstColumn + layout.fields.length);

function columnTask(given: Case, column: Column, values: Cell[], label: string, what: string, aim: string): Result {
  const answers = given.lines.flatMap((line, index) => {
    const value = values[index];
    return typeof value === 'number' && value !== 0 ? [{ label: `${column.name} of ${line.number}`, value }] : [];
  });
  return {
    label,
    lines: given.lines,
    added: { column, values },
    aim,
    requirements: [
      {
        id: 'column',
        text: `The sheet ${given.layout.sheet} has a new column “${column.name}” right of the table, with its heading in cell ${besideTable(given)}`,
        must: true,
      },
      { id: 'values', text: what, must: true },
    ],
    mentions: [given.layout.sheet, column.name],
    answers,
  };
}

const money: Pick<Column, 'type' | 'format'> = { type: 'number', format: '#,##0.00' };

const status: Solve = (given, random) => {
  const [same, other, none, again] = random.pick<[string, string, string, string]>([
    ['OK', 'amount differs', 'no invoice', 'double'],
    ['matched', 'mismatch', 'missing', 'repeated'],
    ['fine', 'check amount', 'ask for invoice', 'booked twice'],
  ]);
  const name = random.pick(['Status', 'Check', 'Result']);
  const values = given.lines.map((line, index): Cell => {
    if (given.lines.findIndex((each) => each.number === line.number) < index) return again;
    const invoice = invoiceOf(given, line.number);
    return invoice === undefined ? none : invoice.total === line.amount ? same : other;
  });
  const what = `In it, every line says “${again}” if its invoice number already stands in a line above, else “${none}” if the PDFs hold no invoice with its number, else “${same}” if the total of that invoice is the one that is booked, else “${other}”`;
  return columnTask(
    given,
    { name, type: 'text', width: 18 },
    values,
    'words',
    what,
    'a check of every booked line against the invoices',
  );
};

const difference: Solve = (given, random) => {
  const name = random.pick(['Difference', 'Deviation', 'Too much or too little']);
  const values = given.lines.map((line): Cell => {
    const invoice = invoiceOf(given, line.number);
    return invoice === undefined ? null : cents(invoice.total - (line.amount ?? 0));
  });
  const what = `In it, every line has the total of the invoice with its number less what is booked under “${nameOf(given, 'amount')}”, 0 where they agree, and nothing where the PDFs hold no such invoice`;
  return columnTask(
    given,
    { name, ...money, width: 14 },
    values,
    'amounts',
    what,
    'the difference of every line to its invoice',
  );
};

const fromInvoices: Solve = (given, random) => {
  const [name, field, words] = random.pick<[string, 'tax' | 'net' | 'due', string]>([
    ['Tax', 'tax', 'the tax'],
    ['Net amount', 'net', 'the net amount'],
    ['Payable by', 'due', 'the day by which it is payable, as a date,'],
  ]);
  const values = given.lines.map((line): Cell => invoiceOf(given, line.number)?.[field] ?? null);
  const column: Column =
    field === 'due' ? { name, type: 'date', format: 'yyyy-mm-dd', width: 13 } : { name, ...money, width: 13 };
  const what = `In it, every line has ${words} that the invoice with its number states, and nothing where the PDFs hold no such invoice`;
  return columnTask(given, column, values, field, what, 'what the invoices say beside every line');
};

const corrected: Solve = (given) => ({
  label: 'in place',
  lines: given.lines.map((line) => ({ ...line, amount: invoiceOf(given, line.number)?.total ?? line.amount })),
  aim: 'amounts that agree with the invoices',
  requirements: [
    {
      id: 'amounts',
      text: `On the sheet ${given.layout.sheet}, what stands under “${nameOf(given, 'amount')}” is the total of the invoice with the number of the line`,
      must: true,
    },
    { id: 'others', text: 'Lines whose number is on no invoice in the PDFs keep their amount', must: true },
  ],
  mentions: [given.layout.sheet, nameOf(given, 'amount')],
  answers: differing(given).map((line) => ({
    label: `amount of ${line.number}`,
    value: invoiceOf(given, line.number)?.total ?? 0,
  })),
});

const filled: Solve = (given) => ({
  label: 'empty cells',
  lines: given.lines.map((line) => ({ ...line, amount: line.amount ?? invoiceOf(given, line.number)?.total ?? null })),
  aim: 'an amount in every line that has an invoice',
  requirements: [
    {
      id: 'filled',
      text: `On the sheet ${given.layout.sheet}, every empty cell under “${nameOf(given, 'amount')}” holds the total of the invoice with the number of its line`,
      must: true,
    },
    { id: 'kept', text: 'Amounts that were there already stay, even where an invoice says something else', must: true },
  ],
  mentions: [given.layout.sheet, nameOf(given, 'amount')],
  answers: given.lines
    .filter((line) => line.amount === null)
    .map((line) => ({ label: `amount of ${line.number}`, value: invoiceOf(given, line.number)?.total ?? 0 })),
});

const unbooked = (given: Case) =>
  given.invoices.filter((invoice) => !given.lines.some((line) => line.number === invoice.number));

const addMissing: Solve = (given) => {
  const missing = byNumber(unbooked(given));
  const columns = given.layout.fields.map(({ column }) => column.name);
  const empty = given.layout.fields.some(({ field }) => field === 'other')
    ? `, with nothing under “${nameOf(given, 'other')}”`
    : '';
  return {
    label: 'below the table',
    lines: [
      ...given.lines,
      ...missing.map(
        ({ number, supplier, date, currency, total }): Line => ({
          number,
          supplier,
          date,
          currency,
          amount: total,
          other: null,
        }),
      ),
    ],
    aim: 'a line for every invoice',
    requirements: [
      {
        id: 'added',
        text: `On the sheet ${given.layout.sheet}, every invoice of the PDFs that has no line gets one directly below the last line, in the order of their numbers`,
        must: true,
      },
      {
        id: 'content',
        text: `The new lines hold number, supplier, date, ${columns.includes('Currency') ? 'currency (as EUR, USD or GBP) ' : ''}and total of the invoice in the columns where the other lines have them${empty}`,
        must: true,
      },
    ],
    mentions: [given.layout.sheet],
    answers: missing.map(({ number, total }) => ({ label: `total of ${number}`, value: total })),
  };
};

const deduplicated: Solve = (given) => ({
  label: 'second ones go',
  lines: given.lines.filter((line, index) => given.lines.findIndex((each) => each.number === line.number) === index),
  aim: 'every invoice booked once, at the right amount',
  requirements: [
    {
      id: 'once',
      text: `On the sheet ${given.layout.sheet}, of lines with the same “${nameOf(given, 'number')}” only the first one is left, and no empty rows remain between the lines`,
      must: true,
    },
  ],
  mentions: [given.layout.sheet, nameOf(given, 'number')],
  answers: [],
});

/** The second lines go, and what is left agrees with the invoices. */
const cleaned: Solve = (given, random) => {
  const once = deduplicated(given, random);
  const right = corrected({ ...given, lines: once.lines }, random);
  return {
    ...right,
    label: 'once and corrected',
    aim: once.aim,
    requirements: [...once.requirements, ...right.requirements],
    mentions: [...new Set([...once.mentions, ...right.mentions])],
  };
};

const newSheet = (name: string, columns: Column[], rows: Cell[][]): Sheet => ({
  name,
  notes: {},
  headerRow: 1,
  firstColumn: 1,
  columns,
  rows,
  style: {},
});

function sheetTask(given: Case, sheet: Sheet, label: string, what: string, order: string, aim: string): Result {
  const quoted = sheet.columns.map((column) => `“${column.name}”`);
  const answers = sheet.rows.flatMap((row) =>
    row.flatMap((value, index) =>
      typeof value === 'number' && value !== 0
        ? [{ label: `${sheet.columns[index]?.name ?? ''} of ${String(row[0])}`, value }]
        : [],
    ),
  );
  return {
    label,
    lines: given.lines,
    extra: sheet,
    aim,
    requirements: [
      {
        id: 'sheet',
        text: `A new sheet named ${sheet.name} behind the others has the headings ${quoted.join(', ')} in its first row from cell A1 on`,
        must: true,
      },
      { id: 'lines', text: what, must: true },
      { id: 'order', text: order, must: true },
    ],
    mentions: [given.layout.sheet, sheet.name],
    answers,
  };
}

const differences: Solve = (given, random) => {
  const name = random.pick(['Differences', 'To clear', 'Mismatches']);
  const columns: Column[] = [
    { name: 'Number', type: 'text', width: 14 },
    { name: 'Booked', ...money, width: 13 },
    { name: 'Invoiced', ...money, width: 13 },
    { name: 'Difference', ...money, width: 13 },
  ];
  const rows = byNumber(differing(given)).map((line): Cell[] => {
    const total = invoiceOf(given, line.number)?.total ?? 0;
    return [line.number, line.amount, total, cents(total - (line.amount ?? 0))];
  });
  return sheetTask(
    given,
    newSheet(name, columns, rows),
    'list of differences',
    `It has one line for each line of the sheet ${given.layout.sheet} whose amount is not the total of the invoice with its number: the number, the booked amount, the total of the invoice, and the total less the booked amount`,
    'The lines are sorted by number from small to large',
    'a list of what does not agree',
  );
};

const gaps: Solve = (given, random) => {
  const name = random.pick(['Gaps', 'Unmatched', 'To ask for']);
  const [booked, invoiced] = [
    random.pick(['Only booked', 'Without invoice']),
    random.pick(['Only invoiced', 'Not booked']),
  ];
  const without = byNumber(given.lines.filter((line) => invoiceOf(given, line.number) === undefined)).map(
    ({ number }) => number,
  );
  const missing = byNumber(unbooked(given)).map(({ number }) => number);
  const rows = Array.from({ length: Math.max(without.length, missing.length) }, (_, index): Cell[] => [
    without[index] ?? null,
    missing[index] ?? null,
  ]);
  const columns: Column[] = [
    { name: booked, type: 'text', width: 16 },
    { name: invoiced, type: 'text', width: 16 },
  ];
  return sheetTask(
    given,
    newSheet(name, columns, rows),
    'two lists',
    `Under “${booked}” it has the numbers of the sheet ${given.layout.sheet} that are on no invoice in the PDFs, under “${invoiced}” the numbers of the invoices that have no line there`,
    'Both lists are sorted from small to large and have no gaps',
    'a list of what is on one side alone',
  );
};

const bySupplier: Solve = (given, random) => {
  const name = random.pick(['By supplier', 'Suppliers compared', 'Balance']);
  const suppliers = [...new Set(given.invoices.map((invoice) => invoice.supplier))].sort();
  const rows = suppliers.map((supplier): Cell[] => {
    const invoiced = cents(
      given.invoices.filter((each) => each.supplier === supplier).reduce((sum, each) => sum + each.total, 0),
    );
    const booked = cents(
      given.lines.filter((each) => each.supplier === supplier).reduce((sum, each) => sum + (each.amount ?? 0), 0),
    );
    return [supplier, invoiced, booked, cents(invoiced - booked)];
  });
  const columns: Column[] = [
    { name: 'Supplier', type: 'text', width: 26 },
    { name: 'Invoiced', ...money, width: 14 },
    { name: 'Booked', ...money, width: 14 },
    { name: 'Open', ...money, width: 14 },
  ];
  return sheetTask(
    given,
    newSheet(name, columns, rows),
    'sums by supplier',
    `It has one line for each supplier that the PDFs hold an invoice of: the name, the sum of the totals of its invoices, the sum of its lines on the sheet ${given.layout.sheet}, and the first sum less the second`,
    'The lines are sorted by the name of the supplier from A to Z',
    'a comparison of what each supplier invoiced and what was booked',
  );
};

/** Every kind of reconciliation by its name, with the faults that it needs. */
export const reconciliations: Record<string, { solve: Solve; duplicates?: true; empty?: true }> = {
  'status of lines': { solve: status, duplicates: true },
  'difference of lines': { solve: difference },
  'column from invoices': { solve: fromInvoices },
  'corrected amounts': { solve: corrected },
  'filled amounts': { solve: filled, empty: true },
  'missing lines': { solve: addMissing },
  'double lines': { solve: cleaned, duplicates: true },
  'list of differences': { solve: differences },
  'list of gaps': { solve: gaps },
  'sums by supplier': { solve: bySupplier },
};
