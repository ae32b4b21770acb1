import type { JsonObject } from '@cua-forge/spec/json';

/** A small specification with one file of each type: what the preparers' examples and tests are run on. */
export const exampleSpec: JsonObject = {
  skill: 'example-skill',
  domain: 'spreadsheets',
  applications: ['libreoffice-calc'],
  outcome: {
    kind: 'monthly-totals',
    summary: 'The workbook has a sheet with the total amount of each month.',
    requirements: [{ id: 'totals', text: 'Every month has its total amount.', must: true }],
    mentions: ['orders.xlsx'],
  },
  scenario: {
    person: 'Dana Reyes',
    role: 'office manager',
    company: 'Alder & Finch',
    motive: 'the quarterly review is due',
  },
  files: [
    {
      id: 'book',
      path: '/home/user/Documents/orders.xlsx',
      type: 'xlsx',
      content: {
        sheets: [
          {
            name: 'Orders',
            notes: { B1: 'Orders 2024', G4: 'checked by hand' },
            headerRow: 3,
            firstColumn: 2,
            columns: [
              { name: 'Date', type: 'date', format: 'dd/mm/yyyy', width: 14 },
              { name: 'Region', type: 'text', width: 9 },
              { name: 'Amount', type: 'currency', format: '"$"#,##0.00', width: 12.5 },
              { name: 'With tax', type: 'number' },
            ],
            rows: [
              ['2024-01-05', 'North', 120.5, { formula: 'D4*1.2', result: 144.6 }],
              ['2024-02-11', 'South', 0, { formula: 'D5*1.2', result: 0 }],
              ['2024-02-28', '=not a formula', null, { formula: 'D6*1.2' }],
            ],
            style: {
              headerFill: 'FF1F4E78',
              headerFont: 'FFFFFFFF',
              banded: true,
              freezeHeader: true,
              autoFilter: true,
            },
          },
          {
            name: 'Summary',
            notes: {},
            headerRow: 1,
            firstColumn: 1,
            columns: [
              { name: 'Month', type: 'text' },
              { name: 'Total', type: 'number' },
            ],
            rows: [],
            style: {},
          },
        ],
        activeSheet: 'Summary',
      },
    },
    {
      id: 'table',
      path: '/home/user/Documents/contacts.csv',
      type: 'csv',
      content: {
        columns: [
          { name: 'Name', type: 'text' },
          { name: 'Note', type: 'text' },
          { name: 'Amount', type: 'number' },
        ],
        rows: [
          ['Ann, "A"', 'two\nlines', 12.5],
          ['Zoë', null, -3],
        ],
      },
    },
    { id: 'note', path: '/home/user/Documents/readme.txt', type: 'text', content: 'First line\r\nSecond: café' },
  ],
  preconditions: [{ type: 'file-present', file: 'book' }],
  constraints: [],
  traits: {},
};
