import { cellAddress } from '@cua-forge/spec/cell-address';
import type { Cell, Column, Sheet, Workbook } from '@cua-forge/spec/task';
import type { Random } from '../random.ts';
import type { Bills, Line } from './bills.ts';

export type Field = 'number' | 'supplier' | 'date' | 'currency' | 'amount' | 'other';

/** How the ledger is laid out: the same before and after the work. */
export interface Layout {
  sheet: string;
  fields: { field: Field; column: Column }[];
  headerRow: number;
  firstColumn: number;
  notes: Record<string, Cell>;
  style: Sheet['style'];
  /** A further sheet that has nothing to do with the task. */
  beside: Sheet | undefined;
  besideFirst: boolean;
}

const usable = (name: string | undefined, taken: readonly string[]): string | undefined =>
  name !== undefined && name !== '' && name.length <= 30 && !taken.includes(name.toLowerCase()) ? name : undefined;

export function layoutOf(
  bills: Bills,
  lines: readonly Line[],
  company: string,
  random: Random,
): { layout: Layout; traits: Record<string, string> } {
  const number = random.pick(['Invoice no.', 'Invoice', 'Reference', 'Bill no.']);
  const date = random.pick(['Date', 'Booked on', 'Invoice date']);
  const taken = [number.toLowerCase(), date.toLowerCase(), 'currency'];
  const supplier =
    (random.chance(0.6) ? usable(bills.names.supplier, taken) : undefined) ??
    random.pick(['Supplier', 'Vendor', 'Creditor']);
  taken.push(supplier.toLowerCase());
  const amount =
    (random.chance(0.6) ? usable(bills.names.amount, taken) : undefined) ??
    random.pick(['Amount', 'Booked amount', 'Gross']);
  taken.push(amount.toLowerCase());
  const other = random.chance(0.6) ? usable(bills.other?.name, taken) : undefined;
  const several = new Set(lines.map((line) => line.currency)).size > 1;
  const format = random.pick(['#,##0.00', '0.00', '#,##0.00']);
  const columns: Record<Field, Column> = {
    number: { name: number, type: 'text', width: 14 },
    supplier: { name: supplier, type: 'text', width: 26 },
    date: { name: date, type: 'date', format: random.pick(['yyyy-mm-dd', 'dd/mm/yyyy', 'd mmm yyyy']), width: 13 },
    currency: { name: 'Currency', type: 'text', width: 10 },
    amount: { name: amount, type: 'number', format, width: 14 },
    other: { name: other ?? '', type: 'text', width: 18 },
  };
  const base = random.pick<Field[]>([
    ['number', 'supplier', 'date', 'amount'],
    ['date', 'number', 'supplier', 'amount'],
    ['supplier', 'number', 'amount', 'date'],
    ['number', 'date', 'amount', 'supplier'],
  ]);
  const withCurrency = several || random.chance(0.3);
  const fields = base.flatMap((field): Field[] =>
    field === 'amount' && withCurrency ? ['currency', 'amount'] : [field],
  );
  if (other !== undefined) fields.splice(random.integer(1, fields.length), 0, 'other');
  const headerRow = random.pick([1, 1, 3, 4]);
  const firstColumn = random.pick([1, 1, 2]);
  const notes: Record<string, Cell> =
    headerRow > 1
      ? { [cellAddress(1, firstColumn)]: `${random.pick(['Ledger', 'Booked invoices', 'Open items'])} of ${company}` }
      : {};
  const fill = random.pick([undefined, 'FF1F4E78', 'FF385723', 'FFD9E2F3']);
  const style: Sheet['style'] = {
    ...(fill === undefined ? {} : { headerFill: fill, headerFont: fill === 'FFD9E2F3' ? 'FF000000' : 'FFFFFFFF' }),
    ...(random.chance(0.5) ? { freezeHeader: true } : {}),
    ...(random.chance(0.3) ? { banded: true } : {}),
  };
  const beside: Sheet | undefined = random.chance(0.5)
    ? {
        name: random.pick(['Suppliers', 'Contacts', 'Accounts']),
        notes: {},
        headerRow: 1,
        firstColumn: 1,
        columns: [
          { name: 'Name', type: 'text', width: 26 },
          { name: 'Account', type: 'text', width: 12 },
        ],
        rows: [...new Set(lines.map((line) => line.supplier))]
          .sort()
          .map((name, index) => [name, `70${310 + index * 7}`]),
        style: {},
      }
    : undefined;
  const layout: Layout = {
    sheet: random.pick(['Ledger', 'Payables', 'Booked', 'Open items']),
    fields: fields.map((field) => ({ field, column: columns[field] })),
    headerRow,
    firstColumn,
    notes,
    style,
    beside,
    besideFirst: random.chance(0.3),
  };
  return {
    layout,
    traits: {
      columns: fields.join(', '),
      'ledger headings': `${supplier === bills.names.supplier ? 'own' : 'usual'} supplier, ${amount === bills.names.amount ? 'own' : 'usual'} amount`,
      heading: `row ${headerRow}, column ${firstColumn}`,
      header: fill === undefined ? 'plain' : 'filled',
      'other sheet': beside === undefined ? 'none' : layout.besideFirst ? 'in front' : 'behind',
    },
  };
}

const cellOf = (line: Line, field: Field): Cell => line[field];

/** A column beside those of the ledger, with a value for each line. */
export interface AddedColumn {
  column: Column;
  values: Cell[];
}

export function workbookOf(
  layout: Layout,
  lines: readonly Line[],
  added: AddedColumn | undefined,
  extra: Sheet | undefined,
): Workbook {
  const sheet: Sheet = {
    name: layout.sheet,
    notes: layout.notes,
    headerRow: layout.headerRow,
    firstColumn: layout.firstColumn,
    columns: [...layout.fields.map(({ column }) => column), ...(added === undefined ? [] : [added.column])],
    rows: lines.map((line, index) => [
      ...layout.fields.map(({ field }) => cellOf(line, field)),
      ...(added === undefined ? [] : [added.values[index] ?? null]),
    ]),
    style: layout.style,
  };
  const beside = layout.beside === undefined ? [] : [layout.beside];
  const sheets = layout.besideFirst ? [...beside, sheet] : [sheet, ...beside];
  return { sheets: [...sheets, ...(extra === undefined ? [] : [extra])], activeSheet: layout.sheet };
}
