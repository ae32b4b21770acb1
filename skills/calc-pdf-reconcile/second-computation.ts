import { readPdf } from '@cua-forge/nodes/data/read-pdf';
import ExcelJS from 'exceljs';

/** What a person is told: nothing but the public outcome. */
export interface Wanted {
  kind: string;
  requirements: { id: string; text: string }[];
  mentions: string[];
}

interface Seen {
  number: string;
  supplier: string;
  date: string;
  due: string;
  currency: string;
  net: number;
  tax: number;
  total: number;
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const currencyOf = (text: string) =>
  (text.includes('€') ? 'EUR' : text.includes('$') ? 'USD' : text.includes('£') ? 'GBP' : /[A-Z]{3}/.exec(text)?.[0]) ??
  '';

function amountOf(text: string): number {
  const figures = text.replace(/[^\d.,]/g, '');
  const cut = Math.max(figures.lastIndexOf('.'), figures.lastIndexOf(','));
  return Number(`${figures.slice(0, cut).replace(/[.,]/g, '')}.${figures.slice(cut + 1)}`);
}

function isoOf(text: string): string {
  const [, day = '', name = '', year = ''] = /^(\d{1,2}) (\w+) (\d{4})$/.exec(text) ?? [];
  if (year === '') return text;
  const month = months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Reads an invoice from the text of its page, whatever its layout. */
function invoiceOf(page: string): Seen {
  const part = (name: string): string => {
    const found = new RegExp(`(?:^|[\\n\\t])${name}(?::|\\t) ?([^\\n\\t]+)`).exec(page)?.[1];
    if (found === undefined) throw new Error(`no ${name} in ${page}`);
    return found.trim();
  };
  const total = part('Total');
  return {
    number: part('Invoice number'),
    supplier: page.split(/[\n\t]/)[0] ?? '',
    date: isoOf(part('Date')),
    due: isoOf(part('Payable by')),
    currency: currencyOf(total),
    net: amountOf(part('Net')),
    tax: amountOf(part('Tax \\d+%')),
    total: amountOf(total),
  };
}

export async function readInvoices(pdfs: readonly Uint8Array[]): Promise<Seen[]> {
  const signal = new AbortController().signal;
  const pages = await Promise.all(pdfs.map((bytes) => readPdf('invoices.pdf', bytes, signal)));
  return pages.flat().map((page) => invoiceOf(page.text));
}

export type Content = string | number | null;

const contentOf = (cell: ExcelJS.Cell): Content => {
  const { value } = cell;
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
};

export async function open(bytes: Uint8Array): Promise<ExcelJS.Workbook> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(bytes).buffer);
  return book;
}

/** Everything that is filled, by sheet and address. */
export function contents(book: ExcelJS.Workbook): Record<string, Content> {
  const found: Record<string, Content> = {};
  for (const sheet of book.worksheets) {
    sheet.eachRow((row) => {
      row.eachCell((cell) => {
        const content = contentOf(cell);
        if (content !== null) found[`${sheet.name}!${cell.address}`] = content;
      });
    });
  }
  return found;
}

interface Ledger {
  sheet: ExcelJS.Worksheet;
  head: number;
  end: number;
  number: number;
  amount: number;
  /** Column of each further field of an invoice that the ledger has. */
  others: Partial<Record<'supplier' | 'date' | 'currency', number>>;
  last: number;
}

function ledgerOf(book: ExcelJS.Workbook, wanted: Wanted, invoices: readonly Seen[]): Ledger {
  const sheet = book.worksheets.find((each) => wanted.mentions.includes(each.name));
  if (sheet === undefined) throw new Error('no sheet is named');
  let head = 0;
  sheet.eachRow((row, at) => {
    if (head === 0 && row.actualCellCount >= 4) head = at;
  });
  const end = sheet.rowCount;
  const columns: { at: number; values: Content[] }[] = [];
  for (let at = 1; at <= sheet.columnCount; at += 1) {
    const values = Array.from({ length: end - head }, (_, down) => contentOf(sheet.getCell(head + 1 + down, at)));
    if (contentOf(sheet.getCell(head, at)) !== null) columns.push({ at, values });
  }
  const where = (test: (value: Content) => boolean) =>
    columns.find(
      ({ values }) => values.some((value) => value !== null) && values.every((value) => value === null || test(value)),
    )?.at;
  const names = new Set(invoices.map((invoice) => invoice.supplier));
  const share = ({ values }: { values: Content[] }) =>
    values.filter((value) => typeof value === 'string' && names.has(value)).length;
  const supplier = [...columns].sort((a, b) => share(b) - share(a))[0]?.at;
  const date = where((value) => /^\d{4}-\d\d-\d\d$/.test(String(value)));
  const currency = where((value) => ['EUR', 'USD', 'GBP'].includes(String(value)));
  return {
    sheet,
    head,
    end,
    number: where((value) => /^(?:INV-|R|F-|BILL-|A)\d{4}$/.test(String(value))) ?? 0,
    amount: where((value) => typeof value === 'number') ?? 0,
    others: {
      ...(supplier === undefined ? {} : { supplier }),
      ...(date === undefined ? {} : { date }),
      ...(currency === undefined ? {} : { currency }),
    },
    last: Math.max(...columns.map((column) => column.at)),
  };
}

const round = (value: number) => Math.round(value * 100) / 100;

/** Solves the task in the opened workbook, from the public outcome, the ledger and the PDFs alone. */
export function solve(wanted: Wanted, book: ExcelJS.Workbook, invoices: readonly Seen[]): void {
  const ledger = ledgerOf(book, wanted, invoices);
  const { sheet, head, end, number, amount } = ledger;
  const rows = Array.from({ length: end - head }, (_, down) => head + 1 + down);
  const numberAt = (row: number) => String(contentOf(sheet.getCell(row, number)));
  const bookedAt = (row: number) => contentOf(sheet.getCell(row, amount));
  const byNumber = new Map(invoices.map((invoice) => [invoice.number, invoice]));
  const text = wanted.requirements.map((one) => one.text).join('\n');
  const quoted = [...text.matchAll(/“(.+?)”/g)].map((found) => found[1] ?? '');
  const put = (write: (row: number) => Content) => {
    sheet.getCell(head, ledger.last + 1).value = quoted[0] ?? '';
    for (const row of rows) {
      const content = write(row);
      if (content !== null) sheet.getCell(row, ledger.last + 1).value = content;
    }
  };
  const list = (lines: Content[][]) => {
    const name = /new sheet named (.+?) behind/.exec(text)?.[1] ?? '';
    const heads = [...(/headings (.+?) in its first row/.exec(text)?.[1] ?? '').matchAll(/“(.+?)”/g)].map(
      (found) => found[1] ?? '',
    );
    book.addWorksheet(name).addRows([heads, ...lines]);
  };
  const onlyFirst = () => {
    const seen = new Set<string>();
    for (let row = head + 1; row <= sheet.rowCount; ) {
      if (seen.has(numberAt(row))) sheet.spliceRows(row, 1);
      else {
        seen.add(numberAt(row));
        row += 1;
      }
    }
  };
  const correct = () => {
    for (let row = head + 1; row <= sheet.rowCount; row += 1) {
      const invoice = byNumber.get(numberAt(row));
      if (invoice !== undefined) sheet.getCell(row, amount).value = invoice.total;
    }
  };
  switch (wanted.kind) {
    case 'status of lines': {
      const [, again = '', none = '', same = '', other = ''] = quoted;
      put((row) => {
        if (rows.some((above) => above < row && numberAt(above) === numberAt(row))) return again;
        const invoice = byNumber.get(numberAt(row));
        return invoice === undefined ? none : invoice.total === bookedAt(row) ? same : other;
      });
      return;
    }
    case 'difference of lines':
      put((row) => {
        const invoice = byNumber.get(numberAt(row));
        return invoice === undefined ? null : round(invoice.total - Number(bookedAt(row)));
      });
      return;
    case 'column from invoices': {
      const field = text.includes('has the tax') ? 'tax' : text.includes('the net amount') ? 'net' : 'due';
      put((row) => byNumber.get(numberAt(row))?.[field] ?? null);
      return;
    }
    case 'corrected amounts':
      correct();
      return;
    case 'filled amounts':
      for (const row of rows) {
        const total = byNumber.get(numberAt(row))?.total;
        if (bookedAt(row) === null && total !== undefined) sheet.getCell(row, amount).value = total;
      }
      return;
    case 'missing lines': {
      const known = new Set(rows.map(numberAt));
      const missing = invoices
        .filter((invoice) => !known.has(invoice.number))
        .sort((a, b) => a.number.localeCompare(b.number, 'en'));
      missing.forEach((invoice, index) => {
        const row = end + 1 + index;
        sheet.getCell(row, number).value = invoice.number;
        sheet.getCell(row, amount).value = invoice.total;
        for (const field of ['supplier', 'date', 'currency'] as const) {
          const at = ledger.others[field];
          if (at !== undefined) sheet.getCell(row, at).value = invoice[field];
        }
      });
      return;
    }
    case 'double lines':
      onlyFirst();
      correct();
      return;
    case 'list of differences':
      list(
        rows
          .flatMap((row): Content[][] => {
            const [total, booked] = [byNumber.get(numberAt(row))?.total, bookedAt(row)];
            if (total === undefined || typeof booked !== 'number' || booked === total) return [];
            return [[numberAt(row), booked, total, round(total - booked)]];
          })
          .sort((a, b) => String(a[0]).localeCompare(String(b[0]), 'en')),
      );
      return;
    case 'list of gaps': {
      const booked = rows.map(numberAt);
      const without = booked.filter((each) => !byNumber.has(each)).sort();
      const missing = [...byNumber.keys()].filter((each) => !booked.includes(each)).sort();
      list(
        Array.from({ length: Math.max(without.length, missing.length) }, (_, at) => [
          without[at] ?? null,
          missing[at] ?? null,
        ]),
      );
      return;
    }
    case 'sums by supplier': {
      const at = ledger.others.supplier ?? 0;
      const sum = (values: number[]) => round(values.reduce((all, value) => all + value, 0));
      list(
        [...new Set(invoices.map((invoice) => invoice.supplier))].sort().map((supplier) => {
          const invoiced = sum(invoices.filter((each) => each.supplier === supplier).map((each) => each.total));
          const booked = sum(
            rows.filter((row) => contentOf(sheet.getCell(row, at)) === supplier).map((row) => Number(bookedAt(row))),
          );
          return [supplier, invoiced, booked, round(invoiced - booked)];
        }),
      );
      return;
    }
    default:
      throw new Error(`no second computation for ${wanted.kind}`);
  }
}
