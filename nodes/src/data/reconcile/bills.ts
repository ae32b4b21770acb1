import type { Cell, Sheet, Workbook } from '@cua-forge/spec/task';
import { isEmpty, isIsoDate, numberOf, shown } from '../cell-values.ts';
import type { Random } from '../random.ts';

/** An invoice as its sender writes it. Amounts have two decimals. */
export interface Invoice {
  number: string;
  supplier: string;
  date: string;
  due: string;
  currency: string;
  /** Share of tax, for example 0.19. */
  rate: number;
  net: number;
  tax: number;
  total: number;
  items: { text: string; net: number }[];
}

/** A line of the ledger. */
export interface Line {
  number: string;
  supplier: string;
  date: string;
  currency: string;
  amount: number | null;
  /** Content of a further column of the user's workbook. */
  other: Cell;
}

export interface Bills {
  invoices: Invoice[];
  /** The further column, when the user's table has one to spare. */
  other: { name: string } | undefined;
  /** Headings of the user's table for what was taken from it. */
  names: { supplier: string | undefined; amount: string | undefined };
  others: Cell[];
}

export const cents = (value: number): number => Math.round(value * 100) / 100;

const fallbackSuppliers = [
  'Harrow Mills',
  'Bexley Print & Paper',
  'Nordlys Elektro',
  'Castellan Cleaning',
  'Ortiz Logistics',
  'Lund Catering',
  'Weber Werkzeuge',
  'Akande Consulting',
];
const goods = [
  'Delivery',
  'Maintenance',
  'Spare parts',
  'Consulting',
  'Packaging',
  'Licences',
  'Transport',
  'Office supplies',
];

const largest = (workbook: Workbook): Sheet | undefined =>
  [...workbook.sheets].sort((a, b) => b.rows.length * b.columns.length - a.rows.length * a.columns.length)[0];

const usableText = (cell: Cell | undefined): string | undefined => {
  const value = shown(cell);
  if (typeof value !== 'string') return undefined;
  const text = value.replace(/\s+/g, ' ').trim();
  return /\p{L}{3}/u.test(text) && text.length <= 40 && !/^\W/.test(text) ? text : undefined;
};

/** The text column with the most different names, which serve as suppliers. */
function supplierColumn(sheet: Sheet): number {
  const scores = sheet.columns.map((_, index) => {
    const texts = sheet.rows.flatMap((row) => usableText(row[index]) ?? []);
    const different = new Set(texts).size;
    return texts.length >= sheet.rows.length * 0.6 && different >= 3 ? different : 0;
  });
  const best = Math.max(0, ...scores);
  return best === 0 ? -1 : scores.indexOf(best);
}

/** The column of positive numbers with the largest mean; columns of money come first. */
function amountColumn(sheet: Sheet): number {
  const scores = sheet.columns.map((column, index) => {
    if (!['currency', 'number', 'integer'].includes(column.type)) return 0;
    const values = sheet.rows.flatMap((row) => numberOf(row[index]) ?? []).filter((value) => value > 0 && value < 1e7);
    if (values.length < Math.max(3, sheet.rows.length * 0.5)) return 0;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return mean * (column.type === 'currency' ? 1_000 : 1);
  });
  const best = Math.max(0, ...scores);
  return best === 0 ? -1 : scores.indexOf(best);
}

const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

function itemsOf(net: number, random: Random): Invoice['items'] {
  const count = net < 20 ? 1 : random.integer(1, 3);
  const texts = random.shuffle(goods).slice(0, count);
  let left = net;
  return texts.map((text, index) => {
    const part = index === count - 1 ? cents(left) : cents(left * (random.integer(30, 60) / 100));
    left = cents(left - part);
    return { text, net: part };
  });
}

/**
 * Invoices whose suppliers, amounts and dates come from the largest table of a workbook where it has such columns, and are made up
 * where it has not.
 */
export function billsOf(workbook: Workbook, count: number, random: Random): Bills {
  const sheet = largest(workbook);
  const columns = sheet === undefined ? [] : sheet.columns;
  const [supplierAt, amountAt] = sheet === undefined ? [-1, -1] : [supplierColumn(sheet), amountColumn(sheet)];
  const dateAt = columns.findIndex((column) => column.type === 'date');
  const rows = random.shuffle(sheet?.rows ?? []).filter((row) => (numberOf(row[amountAt]) ?? 1) > 0);
  const otherAt = columns.findIndex(
    (column, index) =>
      column.type === 'text' &&
      index !== supplierAt &&
      index !== dateAt &&
      column.name.trim() !== '' &&
      rows.filter((row) => !isEmpty(row[index])).length >= rows.length * 0.6,
  );
  const named = [...new Set(rows.flatMap((row) => usableText(row[supplierAt]) ?? []))];
  const suppliers = random.shuffle(named.length >= 3 ? named : fallbackSuppliers).slice(0, random.integer(3, 5));
  const currencies = random.shuffle(['EUR', 'USD', 'GBP']).slice(0, random.pick([1, 1, 2]));
  const rates = random.shuffle([0.19, 0.2, 0.07, 0.1, 0]);
  const prefix = random.pick(['INV-', 'R', 'F-', 'BILL-', 'A']);
  const start = random.integer(1_001, 8_800);
  const year = random.integer(2022, 2025);
  const seen = new Set<number>();
  const invoices = Array.from({ length: count }, (_, index): Invoice => {
    const row = rows[index % Math.max(1, rows.length)];
    const place = random.integer(0, suppliers.length - 1);
    const raw = row === undefined ? undefined : numberOf(row[amountAt]);
    let net = cents(raw === undefined ? random.integer(8_000, 400_000) / 100 : raw);
    if (index >= rows.length || net < 5) net = cents(net + random.integer(2_000, 90_000) / 100);
    while (seen.has(net)) net = cents(net + random.integer(101, 999) / 100);
    seen.add(net);
    const given = row === undefined ? null : shown(row[dateAt]);
    const date = isIsoDate(given)
      ? given.slice(0, 10)
      : `${year}-${String(random.integer(1, 12)).padStart(2, '0')}-${String(random.integer(1, 28)).padStart(2, '0')}`;
    const rate = rates[place % rates.length] ?? 0.2;
    const tax = cents(net * rate);
    return {
      number: `${prefix}${start + index}`,
      supplier: suppliers[place] ?? fallbackSuppliers[0] ?? '',
      date,
      due: addDays(date, random.pick([14, 21, 30])),
      currency: currencies[place % currencies.length] ?? 'EUR',
      rate,
      net,
      tax,
      total: cents(net + tax),
      items: itemsOf(net, random),
    };
  });
  return {
    invoices,
    other: otherAt < 0 ? undefined : { name: columns[otherAt]?.name.trim() ?? '' },
    names: { supplier: columns[supplierAt]?.name.trim(), amount: columns[amountAt]?.name.trim() },
    others: rows.map((row) => (otherAt < 0 ? null : shown(row[otherAt]))),
  };
}
