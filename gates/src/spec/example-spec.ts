import type { JsonObject } from '@cua-forge/spec/json';

/** A small specification that the examples of gates are run on. */
export const exampleSpec: JsonObject = {
  skill: 'example-skill',
  domain: 'spreadsheets',
  applications: ['libreoffice-calc'],
  outcome: {
    kind: 'totals',
    summary: 'calls.csv has a column Cost with Minutes times Rate',
    requirements: [
      { id: 'column', text: 'calls.csv has a column Cost after its last column', must: true },
      { id: 'values', text: 'Cost is Minutes times Rate in every row', must: true },
    ],
    mentions: ['calls.csv', 'Cost', 'Minutes', 'Rate'],
  },
  scenario: { person: 'Dana Reyes', role: 'office manager', company: 'Alder & Finch', motive: 'the bill is due' },
  files: [
    {
      id: 'calls',
      path: '/home/user/Documents/calls.csv',
      type: 'csv',
      content: {
        columns: [
          { name: 'Day', type: 'date' },
          { name: 'Minutes', type: 'integer' },
          { name: 'Rate', type: 'currency' },
        ],
        rows: [
          ['2025-03-04', 14, 0.19],
          ['2025-03-05', 6, 0.21],
          ['2025-03-07', 31, 0.19],
        ],
      },
    },
  ],
  preconditions: [],
  constraints: ['The columns that were there stay as they are'],
  traits: {},
};
