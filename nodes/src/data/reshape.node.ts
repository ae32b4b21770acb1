import { ForgeError } from '@cua-forge/spec/errors';
import { defineKind, input, optionalInput, output, policies } from '@cua-forge/spec/kind';
import { Workbook } from '@cua-forge/spec/task';
import { z } from 'zod';
import { Profile } from './profile.ts';
import { randomFrom } from './random.ts';
import { companionSheet, drawLayout, placeSheet } from './reshape/layout.ts';
import { structureOf } from './reshape/structure.ts';
import { Source } from './summary/source.ts';

/**
 * Makes another workbook out of the profiled table: the same data in another structure (rows, columns, how time is written,
 * derived columns, order, one sheet or several) and another layout (title rows, indent, styles, formats, widths).
 */
export const reshape = defineKind({
  id: 'data.reshape',
  version: 1,
  title: 'Reshape workbook',
  doc: 'Varies the structure and the layout of a workbook by the seed, keeping its data.',
  params: z.strictObject({}),
  inputs: {
    workbook: input('workbook', Workbook, 'The workbook.'),
    profile: input('json', Profile, 'Its profile.'),
    outcome: optionalInput('text', z.string(), 'Kind of summary that will be asked for; its columns are kept.'),
    title: optionalInput('text', z.string().max(120), 'Title for title rows.'),
  },
  outputs: {
    workbook: output('workbook', Workbook, 'The reshaped workbook.'),
    source: output('json', Source, 'Where the data stands in it and what its columns mean.'),
    traits: output('json', z.record(z.string(), z.string()), 'Labels of the structure and the layout.'),
  },
  policy: { ...policies.cheap, seeded: true },
  example: {
    params: {},
    inputs: {
      outcome: 'totals',
      title: 'Orders of the year',
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
      profile: {
        sheet: 'Orders',
        rows: [0, 1, 2, 3],
        basis: 'dates',
        period: 'Date',
        grain: 'month',
        periods: ['2024-01', '2024-02', '2024-03'],
        wide: [],
        dimensions: [{ column: 'Region', values: ['North', 'South'] }],
        measures: [{ column: 'Amount', type: 'number' }],
        others: [],
        outcomes: ['totals'],
        chosen: 'Sheet “Orders” is summarised by month.',
      },
    },
  },
  async execute({ inputs, context }) {
    const { profile, workbook } = inputs;
    const sheet = workbook.sheets.find((candidate) => candidate.name === profile.sheet);
    if (sheet === undefined) {
      throw new ForgeError('input.invalid', `The workbook has no sheet “${profile.sheet}”, which its profile names.`, {
        fix: 'Connect the workbook that the profile was made of.',
      });
    }
    const structure = structureOf(sheet, profile, inputs.outcome ?? 'totals', context.seed);
    const layout = drawLayout(context.seed);
    const title = inputs.title ?? profile.sheet;
    const measures = new Set([...structure.source.measures, ...profile.wide.map((each) => each.column)]);
    const sheets = structure.parts.map((part) => {
      const subtitle = structure.parts.length > 1 ? part.name : 'All entries';
      return placeSheet(part, layout, measures, title, subtitle);
    });
    const columns = sheets[0]?.columns.map((column) => column.name) ?? [];
    const taken = new Set(sheets.map((each) => each.name.toLowerCase()));
    const companion = companionSheet(title, columns, taken, randomFrom(context.seed, 'companion'));
    const active = randomFrom(context.seed, 'active sheet').pick([sheets[0]?.name, sheets.at(-1)?.name]);
    return {
      workbook: {
        sheets: companion.sheet === undefined ? sheets : [...sheets, companion.sheet],
        ...(active === undefined ? {} : { activeSheet: active }),
      },
      source: structure.source,
      traits: { ...structure.traits, ...layout.traits, 'other sheet': companion.label },
    };
  },
});
