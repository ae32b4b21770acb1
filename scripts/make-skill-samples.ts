import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Random, randomFrom } from '@cua-forge/nodes/data/random';
import { writeXlsx } from '@cua-forge/preparers/write-xlsx';
import type { Cell, Column, Sheet, Workbook } from '@cua-forge/spec/task';

/** Makes the sample workbooks of calc-conditional-formatting and calc-cross-sheet-lookup, of companies that do not exist. Equal bytes each time. */

const day = (random: Random, year: number): string =>
  new Date(Date.UTC(year, 0, 1 + random.integer(0, 363))).toISOString().slice(0, 10);

const column = (name: string, type: Column['type'], width: number, format?: string): Column => ({
  name,
  type,
  width,
  ...(format === undefined ? {} : { format }),
});

const items = [
  ['Ball Valve DN25', 'Valves', 18.4],
  ['Check Valve DN40', 'Valves', 42.75],
  ['Gate Valve DN50', 'Valves', 63.2],
  ['Flange Gasket', 'Seals', 1.35],
  ['O-Ring Kit', 'Seals', 24.9],
  ['Shaft Seal 30', 'Seals', 16.6],
  ['Centrifugal Pump S', 'Pumps', 412],
  ['Centrifugal Pump L', 'Pumps', 968.5],
  ['Dosing Pump', 'Pumps', 355],
  ['Copper Pipe 15', 'Pipes', 4.8],
  ['Steel Pipe 40', 'Pipes', 11.25],
  ['PVC Pipe 110', 'Pipes', 6.4],
  ['Pressure Gauge', 'Instruments', 27.3],
  ['Flow Meter', 'Instruments', 189],
  ['Thermostat', 'Instruments', 48.9],
] as const;
const sites = ['Harbour Yard', 'Mill Lane', 'North Depot', 'Old Foundry'] as const;

function stock(): Sheet {
  const random = randomFrom(20_250_301, 'stock list');
  const rows = sites.flatMap((site) =>
    items.map(([item, group, cost]): Cell[] => {
      const level = random.pick([5, 10, 20, 40]);
      const count = random.chance(0.25) ? random.integer(0, level - 1) : random.integer(level, level * 4);
      return [
        item,
        group,
        site,
        random.pick(['Kestrel Supplies', 'Brandt & Co', 'Lowland Trading']),
        count,
        level,
        cost,
        Number((count * cost).toFixed(2)),
        day(random, 2025),
        random.pick(['ok', 'ok', 'ok', 'damaged box', 'to be checked']),
      ];
    }),
  );
  return {
    name: 'Stock',
    notes: { A1: 'Tidewater Fittings: stock of all sites', A2: 'Counted by hand; one line per item and site' },
    headerRow: 4,
    firstColumn: 1,
    columns: [
      column('Item', 'text', 22),
      column('Group', 'text', 13),
      column('Site', 'text', 15),
      column('Supplier', 'text', 18),
      column('In Stock', 'integer', 10),
      column('Reorder Level', 'integer', 14),
      column('Unit Cost', 'currency', 11, '#,##0.00'),
      column('Stock Value', 'currency', 13, '#,##0.00'),
      column('Last Count', 'date', 13, 'dd/mm/yyyy'),
      column('Condition', 'text', 15),
    ],
    rows: random.shuffle(rows),
    style: { headerFill: 'FF1F4E78', headerFont: 'FFFFFFFF', freezeHeader: true, autoFilter: true },
  };
}

type Customer = readonly [name: string, area: string, contract: string];
const customers: readonly [Customer, ...Customer[]] = [
  ['Orchard Clinic', 'North', 'Gold'],
  ['Bellweather Hotel', 'West', 'Silver'],
  ['Quarry Street School', 'North', 'Basic'],
  ['Linden Bakery', 'East', 'Basic'],
  ['Marlow Printworks', 'South', 'Silver'],
  ['Castle Court Offices', 'West', 'Gold'],
  ['Riverside Gym', 'East', 'Silver'],
  ['Tannery Lofts', 'South', 'Basic'],
  ['Ashgrove Library', 'North', 'Silver'],
];
type Service = readonly [name: string, kind: string];
const services: readonly [Service, ...Service[]] = [
  ['Filter Change', 'Maintenance'],
  ['Annual Inspection', 'Maintenance'],
  ['Leak Repair', 'Repair'],
  ['Compressor Swap', 'Repair'],
  ['New Unit', 'Installation'],
  ['Duct Cleaning', 'Cleaning'],
];

function visits(): Sheet {
  const random = randomFrom(20_250_401, 'service visits');
  const days = Array.from({ length: 132 }, () => day(random, 2025)).sort();
  const rows = days.map((when, index): Cell[] => {
    const [customer, area, contract] = random.pick(customers);
    const [service, kind] = random.pick(services);
    const hours = random.integer(2, 34) / 4;
    return [
      `SV-${1_201 + index}`,
      when,
      customer,
      area,
      contract,
      service,
      kind,
      random.pick(['Anouk Ferrer', 'Denis Malik', 'Hedda Storm', 'Paul Iwu']),
      hours,
      Number((hours * random.integer(9, 60)).toFixed(2)),
    ];
  });
  return {
    name: 'Visits',
    notes: { A1: 'Fairwind Climate Services: visits 2025' },
    headerRow: 3,
    firstColumn: 1,
    columns: [
      column('Visit', 'text', 10),
      column('Date', 'date', 12, 'yyyy-mm-dd'),
      column('Customer', 'text', 22),
      column('Area', 'text', 9),
      column('Contract', 'text', 10),
      column('Service', 'text', 18),
      column('Kind', 'text', 13),
      column('Technician', 'text', 15),
      column('Hours', 'number', 8, '0.00'),
      column('Materials', 'currency', 11, '#,##0.00'),
    ],
    rows,
    style: { headerFill: 'FFE2EFDA', freezeHeader: true, banded: true },
  };
}

async function write(skill: string, workbook: Workbook): Promise<void> {
  const target = resolve(import.meta.dirname, `../skills/${skill}/sample.xlsx`);
  await writeFile(`${target}.tmp`, await writeXlsx(workbook));
  await rename(`${target}.tmp`, target);
}

await write('calc-conditional-formatting', { sheets: [stock()] });
await write('calc-cross-sheet-lookup', { sheets: [visits()] });
