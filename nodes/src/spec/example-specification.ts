import type { JsonObject } from '@cua-forge/spec/json';

/** A small but whole specification: what examples and tests of kinds that read one are run on. */
export const exampleSpecification: JsonObject = {
  skill: 'calc-monthly-summary',
  domain: 'spreadsheets',
  applications: ['libreoffice-calc'],
  outcome: {
    kind: 'monthly-totals',
    summary: 'the workbook has a sheet Overview with one line for each month and its total Amount',
    requirements: [
      { id: 'sheet', text: 'The workbook has a sheet named Overview', must: true },
      { id: 'totals', text: 'Every month that occurs has one line with the sum of Amount', must: true },
      { id: 'bold-header', text: 'The header of the new table is bold', must: false },
    ],
    mentions: ['orders.xlsx', 'Overview', 'Amount'],
  },
  scenario: {
    person: 'Dana Reyes',
    role: 'office manager',
    company: 'Alder & Finch',
    motive: 'the quarterly review is due on Thursday',
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
            notes: {},
            headerRow: 1,
            firstColumn: 1,
            columns: [
              { name: 'Date', type: 'date' },
              { name: 'Amount', type: 'currency' },
            ],
            rows: [
              ['2024-01-05', 1200.5],
              ['2024-01-20', 34],
              ['2024-02-11', 990.25],
            ],
            style: {},
          },
        ],
      },
    },
  ],
  preconditions: [
    { type: 'file-present', file: 'book' },
    { type: 'application-open', application: 'libreoffice-calc', file: 'book' },
  ],
  constraints: ['The sheet Orders stays as it is'],
  traits: { layout: 'plain' },
};

/** Hidden answers that go with it. */
export const exampleAnswers: JsonObject = {
  answers: [
    { label: 'total of January', value: 1234.5 },
    { label: 'total of February', value: 990.25 },
  ],
  expected: [],
  derivation: 'Amounts summed by month of Date.',
};
