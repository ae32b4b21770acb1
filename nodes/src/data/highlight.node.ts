import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { HiddenAnswers, RequiredFile, SandboxPath, TaskSpecification, Workbook } from '@cua-forge/spec/task';
import { z } from 'zod';
import { planHighlight } from './highlight/plan-highlight.ts';
import { Source } from './summary/source.ts';

/**
 * Plans conditional formats for a workbook's data and states them as a task. Which rows each rule highlights is worked out
 * from the data and leaves by `hidden` alone; `file` is the workbook that the user starts with, which may have rules already.
 */
export const highlight = defineKind({
  id: 'data.highlight',
  version: 2,
  title: 'Plan conditional formats',
  doc: 'Turns a workbook’s data into rules to highlight it by, with the workbook before and after.',
  params: z.strictObject({}),
  inputs: {
    workbook: input('workbook', Workbook, 'The workbook with the data.'),
    source: input('json', Source, 'Where the data stands in it.'),
    kinds: input('list', z.array(z.string()).min(1), 'Kinds of rules, the most wanted first; those that fit are used.'),
    path: input('text', SandboxPath, 'Path of the workbook in the sandbox.'),
  },
  outputs: {
    outcome: output('json', TaskSpecification.shape.outcome, 'The end state that is asked for.'),
    file: output('json', RequiredFile, 'The workbook that the task starts with.'),
    hidden: output('hidden', HiddenAnswers, 'The rows that are highlighted and the workbook that is expected.', true),
    traits: output('json', z.record(z.string(), z.string()), 'Labels of the rules and of how the task starts.'),
  },
  policy: { ...policies.cheap, seeded: true },
  example: {
    params: {},
    inputs: {
      kinds: ['threshold', 'equals'],
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
    return { ...planHighlight(inputs.workbook, inputs.source.sheets, inputs.kinds, inputs.path, context.seed) };
  },
});
