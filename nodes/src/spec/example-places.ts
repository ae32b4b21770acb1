import type { JsonObject } from '@cua-forge/spec/json';

/** Answers to the example specification with the expected workbook and the places of its requirements. */
export const exampleAnswersWithPlaces: JsonObject = {
  answers: [{ label: 'total of January', value: 1234.5 }],
  derivation: 'Amounts summed by month of Date.',
  expected: [
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
          {
            name: 'Overview',
            notes: {},
            headerRow: 1,
            firstColumn: 1,
            columns: [
              { name: 'Month', type: 'text' },
              { name: 'Amount', type: 'currency' },
            ],
            rows: [
              ['2024-01', 1234.5],
              ['2024-02', 990.25],
            ],
            style: {},
          },
        ],
      },
    },
  ],
  places: [
    { requirement: 'sheet', file: 'book', what: 'sheet', sheet: 'Overview' },
    { requirement: 'totals', file: 'book', what: 'cells', sheet: 'Overview', range: 'A2:B3' },
  ],
};
