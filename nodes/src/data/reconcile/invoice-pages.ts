import type { PageBlock, PageDocument } from '@cua-forge/spec/page-document';
import type { Random } from '../random.ts';
import type { Invoice } from './bills.ts';

const monthNames = 'January February March April May June July August September October November December'.split(' ');
const signs: Record<string, string> = { EUR: '€', USD: '$', GBP: '£' };

type MoneyForm = 'sign' | 'code' | 'continental';

/** An amount as an invoice shows it: `€1,234.50`, `1,234.50 EUR` or `1.234,50 EUR`. */
export function money(value: number, currency: string, form: MoneyForm): string {
  const [whole = '0', part = '00'] = value.toFixed(2).split('.');
  const grouped = (mark: string) => whole.replace(/\B(?=(\d{3})+$)/g, mark);
  if (form === 'continental') return `${grouped('.')},${part} ${currency}`;
  return form === 'sign' ? `${signs[currency] ?? ''}${grouped(',')}.${part}` : `${grouped(',')}.${part} ${currency}`;
}

function day(date: string, form: 'iso' | 'words'): string {
  const [year = '', month = '', of = ''] = date.split('-');
  return form === 'iso' ? date : `${Number(of)} ${monthNames[Number(month) - 1] ?? ''} ${year}`;
}

export interface InvoiceLook {
  layout: 'form' | 'letter' | 'receipt';
  money: MoneyForm;
  dates: 'iso' | 'words';
}

const text = (line: string, look: { bold?: boolean; align?: 'left' | 'right'; size?: number } = {}): PageBlock => ({
  type: 'text',
  text: line,
  bold: look.bold ?? false,
  align: look.align ?? 'left',
  size: look.size ?? 10,
});

function pageOf(
  invoice: Invoice,
  look: InvoiceLook,
  customer: string,
  table: 'grid' | 'lines' | 'banded',
): PageBlock[] {
  const amount = (value: number) => money(value, invoice.currency, look.money);
  const percent = `${Math.round(invoice.rate * 100)}%`;
  const sums: [string, string][] = [
    ['Net', amount(invoice.net)],
    [`Tax ${percent}`, amount(invoice.tax)],
    ['Total', amount(invoice.total)],
  ];
  const items: PageBlock = {
    type: 'table',
    look: table,
    columns: [
      { name: 'Item', share: 3, align: 'left' },
      { name: 'Net amount', share: 1, align: 'right' },
    ],
    rows: invoice.items.map((item) => [item.text, amount(item.net)]),
  };
  const facts = [
    `Invoice number: ${invoice.number}`,
    `Date: ${day(invoice.date, look.dates)}`,
    `Payable by: ${day(invoice.due, look.dates)}`,
  ];
  switch (look.layout) {
    case 'form':
      return [
        {
          type: 'columns',
          columns: [
            { lines: [invoice.supplier, `To: ${customer}`], align: 'left' },
            { lines: facts, align: 'right' },
          ],
        },
        { type: 'space', height: 20 },
        { type: 'heading', text: 'Invoice', size: 18, align: 'left' },
        items,
        ...sums.map(([name, value]) => text(`${name}: ${value}`, { align: 'right', bold: name === 'Total' })),
      ];
    case 'letter':
      return [
        { type: 'heading', text: invoice.supplier, size: 15, align: 'left' },
        { type: 'rule' },
        text(customer),
        { type: 'space', height: 16 },
        ...facts.map((line) => text(line)),
        { type: 'space', height: 10 },
        text('Dear customer,'),
        text('for the following we ask you to pay the sum below. Thank you for the good work together.'),
        items,
        ...sums.map(([name, value]) => text(`${name}: ${value}`, { bold: name === 'Total' })),
        { type: 'space', height: 12 },
        text(`Kind regards, ${invoice.supplier}`),
      ];
    case 'receipt':
      return [
        { type: 'heading', text: invoice.supplier, size: 20, align: 'center' },
        { type: 'rule' },
        {
          type: 'table',
          look: 'plain',
          columns: [
            { name: 'Invoice', share: 1, align: 'left' },
            { name: invoice.number, share: 2, align: 'left' },
          ],
          rows: [
            ['Customer', customer],
            ...facts.map((line) => {
              const at = line.indexOf(': ');
              return [line.slice(0, at), line.slice(at + 2)];
            }),
          ],
        },
        { type: 'space', height: 14 },
        items,
        { type: 'rule' },
        ...sums.map(([name, value]) => text(`${name}: ${value}`, { align: 'right', size: 11, bold: name === 'Total' })),
      ];
  }
}

/** A PDF with one invoice on each page, all in the look of one sender. */
export function invoicePages(
  title: string,
  invoices: readonly Invoice[],
  customer: string,
  random: Random,
): { document: PageDocument; look: InvoiceLook } {
  const look: InvoiceLook = {
    layout: random.pick(['form', 'letter', 'receipt']),
    money: random.pick(['sign', 'code', 'continental']),
    dates: random.pick(['iso', 'words']),
  };
  const table = random.pick<'grid' | 'lines' | 'banded'>(['grid', 'lines', 'banded']);
  const blocks = invoices.flatMap((invoice, index): PageBlock[] => [
    ...(index === 0 ? [] : [{ type: 'page-break' as const }]),
    ...pageOf(invoice, look, customer, table),
  ]);
  return {
    look,
    document: {
      title,
      paper: random.pick(['A4', 'A4', 'Letter']),
      margin: random.pick([48, 56, 64]),
      font: random.pick(['sans', 'serif', 'sans']),
      accent: random.pick(['1F4E78', '385723', '7F3F00', '44546A', '000000']),
      blocks,
      ...(random.chance(0.5) ? { footer: 'Page {page} of {pages}' } : {}),
    },
  };
}
