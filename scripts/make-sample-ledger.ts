import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { randomFrom } from '@cua-forge/nodes/data/random';
import { writeXlsx } from '@cua-forge/preparers/write-xlsx';
import type { Cell } from '@cua-forge/spec/task';

/** Makes skills/calc-pdf-reconcile/sample.xlsx: what a workshop that does not exist paid in a year. Equal bytes each time. */

const suppliers: [string, string, number][] = [
  ['Harrow Mills', 'Raw material', 1_840],
  ['Bexley Print & Paper', 'Office', 212],
  ['Nordlys Elektro', 'Machines', 3_150],
  ['Castellan Cleaning', 'Building', 465],
  ['Ortiz Logistics', 'Freight', 738],
  ['Weber Werkzeuge', 'Tools', 389],
  ['Akande Consulting', 'Advice', 2_400],
  ['Quillhaven Software', 'Licences', 1_120],
];
const random = randomFrom(20_240_301, 'sample ledger');
const rows = Array.from({ length: 44 }, (_, index): Cell[] => {
  const [name, account, usual] = random.pick(
    suppliers as [(typeof suppliers)[number], ...(typeof suppliers)[number][]],
  );
  const day = new Date(Date.UTC(2024, 0, 4 + index * 8 + random.integer(0, 5))).toISOString().slice(0, 10);
  const amount = Math.round(usual * random.integer(62, 141)) / 100 + random.integer(0, 99) / 100;
  return [
    day,
    name,
    account,
    Math.round(amount * 100) / 100,
    random.pick(['Transfer', 'Transfer', 'Direct debit', 'Card']),
  ];
});
const bytes = await writeXlsx({
  sheets: [
    {
      name: 'Payments 2024',
      notes: { A1: 'Brightwater Joinery: payments to suppliers' },
      headerRow: 3,
      firstColumn: 1,
      columns: [
        { name: 'Paid on', type: 'date', format: 'yyyy-mm-dd', width: 12 },
        { name: 'Payee', type: 'text', width: 24 },
        { name: 'Account', type: 'text', width: 14 },
        { name: 'Amount paid', type: 'currency', format: '#,##0.00', width: 13 },
        { name: 'Way', type: 'text', width: 13 },
      ],
      rows,
      style: { headerFill: 'FF44546A', headerFont: 'FFFFFFFF', freezeHeader: true },
    },
  ],
});
const target = resolve(import.meta.dirname, '../skills/calc-pdf-reconcile/sample.xlsx');
await writeFile(`${target}.new`, bytes);
await rename(`${target}.new`, target);
