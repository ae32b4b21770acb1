import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { HiddenAnswers, RequiredFile, SandboxPath, TaskSpecification, Workbook } from '@cua-forge/spec/task';
import { z } from 'zod';
import { planLookup } from './lookup/plan-lookup.ts';
import { Source } from './summary/source.ts';

/**
 * Plans lookups across sheets for a workbook's data and states them as a task, with a reference sheet that is made from the
 * data. Results leave by `hidden` alone; `file` is the workbook that the user starts with.
 */
export const lookup = defineKind({
  id: 'data.lookup',
  version: 2,
  title: 'Plan lookup across sheets',
  doc: 'Turns a workbook’s data into a lookup between two sheets, with the workbook before and after.',
  params: z.strictObject({}),
  inputs: {
    workbook: input('workbook', Workbook, 'The workbook with the data.'),
    source: input('json', Source, 'Where the data stands in it.'),
    kinds: input(
      'list',
      z.array(z.string()).min(1),
      'Kinds of lookups, the most wanted first; the first that fits is used.',
    ),
    path: input('text', SandboxPath, 'Path of the workbook in the sandbox.'),
  },
  outputs: {
    outcome: output('json', TaskSpecification.shape.outcome, 'The end state that is asked for.'),
    file: output('json', RequiredFile, 'The workbook that the task starts with.'),
    hidden: output('hidden', HiddenAnswers, 'The results and the workbook that is expected.', true),
    traits: output('json', z.record(z.string(), z.string()), 'Labels of the lookup and of how the task starts.'),
  },
  policy: { ...policies.cheap, seeded: true },
  example: {
    params: {},
    inputs: {
      kinds: ['attribute', 'sum-by-key'],
      path: '/home/user/Documents/orders.xlsx',
      source: {
        sheets: ['Orders'],
        splitBy: null,
        period: { column: 'Date', yearColumn: null },
        grain: 'month',
        wide: [],
        dimensions: ['Region'],
        measures: ['Amount'],
      },
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
  migrations: { 1: (params) => params },
  async execute({ inputs, context }) {
    const { sheets, period } = inputs.source;
    const periods = [period?.column, period?.yearColumn].filter((name) => typeof name === 'string');
    return { ...planLookup(inputs.workbook, sheets, inputs.kinds, inputs.path, context.seed, periods) };
  },
});
