import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Random, randomFrom } from '@cua-forge/nodes/data/random';
import { writeXlsx } from '@cua-forge/preparers/write-xlsx';
import type { Cell, Workbook } from '@cua-forge/spec/task';

/** Makes skills/calc-monthly-summary/sample.xlsx: the orders of a company that does not exist. Equal bytes each time. */

interface Product {
  product: string;
  category: string;
  price: number;
  cost: number;
}

const products: [Product, ...Product[]] = [
  { product: 'Ridgeline Tent 2P', category: 'Shelter', price: 249, cost: 148 },
  { product: 'Ridgeline Tent 4P', category: 'Shelter', price: 389, cost: 231 },
  { product: 'Trail Tarp', category: 'Shelter', price: 79.5, cost: 38 },
  { product: 'Ember Stove', category: 'Cooking', price: 64.9, cost: 31.5 },
  { product: 'Nesting Cook Set', category: 'Cooking', price: 48, cost: 22.4 },
  { product: 'Steel Flask 1 L', category: 'Cooking', price: 29.95, cost: 11.2 },
  { product: 'Down Bag -5', category: 'Sleeping', price: 219, cost: 127 },
  { product: 'Foam Mat', category: 'Sleeping', price: 34.5, cost: 14.8 },
  { product: 'Summit Pack 45 L', category: 'Packs', price: 159, cost: 88 },
  { product: 'Day Pack 18 L', category: 'Packs', price: 69, cost: 33.6 },
  { product: 'Headlamp 400', category: 'Lighting', price: 44.9, cost: 19.3 },
  { product: 'Camp Lantern', category: 'Lighting', price: 38.5, cost: 17.1 },
];

const regions = {
  North: ['Ines Halloran', 'Tom Akande'],
  South: ['Priya Nair', 'Jonas Weber'],
  East: ['Mei Castellan'],
  West: ['Rafael Ortiz', 'Greta Lund'],
} as const;
const channels = ['Web shop', 'Retail partner', 'Trade fair'] as const;
/** Orders of each month: the trade lives from spring and from Christmas. */
const monthly = [11, 12, 16, 19, 24, 25, 22, 18, 15, 13, 17, 24];

const headings = [
  'Order No.',
  'Order Date',
  'Region',
  'Sales Rep',
  'Channel',
  'Category',
  'Product',
  'Units',
  'Unit Price',
  'Discount %',
  'Revenue',
  'Cost',
];
const headerRow = 4;

/** Rounded as spreadsheets do, to which 213.275 is no binary fraction a little below it. */
const shownCents = (value: number): number => Math.round(Number((value * 100).toPrecision(15))) / 100;

function order(random: Random, day: string, number: number, row: number): Cell[] {
  const item = random.pick(products);
  const region = random.pick(['North', 'South', 'East', 'West', 'North', 'West'] as const);
  const [firstRep, ...moreReps] = regions[region];
  const units = random.pick([1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 12, 20]);
  const discount = units >= 8 ? random.pick([0.05, 0.1]) : random.pick([0, 0, 0, 0.05]);
  const revenue = shownCents(units * item.price * (1 - discount));
  return [
    `LO-${String(number).padStart(5, '0')}`,
    day,
    region,
    random.pick([firstRep, ...moreReps]),
    random.pick(channels),
    item.category,
    item.product,
    units,
    item.price,
    discount,
    { formula: `ROUND(H${row}*I${row}*(1-J${row}),2)`, result: revenue },
    Number((units * item.cost).toFixed(2)),
  ];
}

function orders(): Cell[][] {
  const random = randomFrom(20_250_101, 'sample workbook');
  const days = monthly.flatMap((count, month) => {
    const last = new Date(Date.UTC(2025, month + 1, 0)).getUTCDate();
    const inMonth = Array.from({ length: count }, () => random.integer(1, last)).sort((a, b) => a - b);
    return inMonth.map((day) => new Date(Date.UTC(2025, month, day)).toISOString().slice(0, 10));
  });
  return days.map((day, index) => order(random, day, 4_101 + index, headerRow + 1 + index));
}

const types = [
  'text',
  'date',
  'text',
  'text',
  'text',
  'text',
  'text',
  'integer',
  'currency',
  'percent',
  'currency',
  'currency',
] as const;
const widths = [12, 14, 10, 16, 15, 12, 20, 8, 11, 11, 12, 11];
const money = '#,##0.00';

const workbook: Workbook = {
  activeSheet: 'Orders 2025',
  sheets: [
    {
      name: 'Orders 2025',
      notes: { A1: 'Larkspur Outdoor Supply: orders 2025', A2: 'Exported from the order system; one line per order' },
      headerRow,
      firstColumn: 1,
      columns: headings.map((name, index) => {
        const type = types[index] ?? 'text';
        const format = { currency: money, percent: '0%', date: 'dd/mm/yyyy', text: undefined, integer: undefined }[
          type
        ];
        return { name, type, width: widths[index] ?? 12, ...(format === undefined ? {} : { format }) };
      }),
      rows: orders(),
      style: { headerFill: 'FF2F5D50', headerFont: 'FFFFFFFF', banded: true, freezeHeader: true, autoFilter: true },
    },
    {
      name: 'Products',
      notes: {},
      headerRow: 1,
      firstColumn: 1,
      columns: [
        { name: 'Product', type: 'text', width: 22 },
        { name: 'Category', type: 'text', width: 12 },
        { name: 'List Price', type: 'currency', format: money, width: 11 },
        { name: 'Unit Cost', type: 'currency', format: money, width: 11 },
        { name: 'Markup', type: 'percent', format: '0.0%', width: 10 },
      ],
      rows: products.map(({ product, category, price, cost }, index) => [
        product,
        category,
        price,
        cost,
        { formula: `C${index + 2}/D${index + 2}-1`, result: price / cost - 1 },
      ]),
      style: { headerFill: 'FFE2EFDA', freezeHeader: true },
    },
  ],
};

const target = resolve(import.meta.dirname, '../skills/calc-monthly-summary/sample.xlsx');
await writeFile(`${target}.tmp`, await writeXlsx(workbook));
await rename(`${target}.tmp`, target);
