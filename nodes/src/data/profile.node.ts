import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { Workbook } from '@cua-forge/spec/task';
import { z } from 'zod';
import { Profile, profileWorkbook } from './profile.ts';

/** Finds the table of a workbook that can be summarised, its time column, categories and measures; fails saying why none can. */
export const profile = defineKind({
  id: 'data.profile',
  version: 1,
  title: 'Profile workbook',
  doc: 'Chooses the table to summarise and says what its columns are for.',
  params: z.strictObject({}),
  inputs: { workbook: input('workbook', Workbook, 'A workbook as data.file reads it.') },
  outputs: {
    profile: output('json', Profile, 'The table, the roles of its columns and the kinds of summary it supports.'),
  },
  policy: policies.cheap,
  example: {
    params: {},
    inputs: {
      workbook: {
        sheets: [
          {
            name: 'Orders',
            notes: {},
            headerRow: 1,
            firstColumn: 1,
            style: {},
            columns: [
              { name: 'Date', type: 'date' },
              { name: 'Region', type: 'text' },
              { name: 'Amount', type: 'number' },
            ],
            rows: [
              ['2024-01-05', 'North', 10],
              ['2024-01-09', 'South', 20],
              ['2024-02-11', 'North', 30],
              ['2024-03-11', 'South', 40],
            ],
          },
        ],
      },
    },
  },
  execute: async ({ inputs }) => ({ profile: profileWorkbook(inputs.workbook) }),
});
