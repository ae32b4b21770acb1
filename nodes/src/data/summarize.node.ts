import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { HiddenAnswers, RequiredFile, SandboxPath, TaskSpecification, Workbook } from '@cua-forge/spec/task';
import { z } from 'zod';
import { Source } from './summary/source.ts';
import { summaryTask } from './summary/summarize.ts';

/**
 * Works out a summary of a workbook's data and states it as a task. Answers leave by `hidden` alone; `file` is the workbook
 * that the user starts with, which may have a sheet prepared for the summary.
 */
export const summarize = defineKind({
  id: 'data.summarize',
  version: 3,
  title: 'Work out summary',
  doc: 'Computes the summary that a task asks for and keeps its answers hidden.',
  params: z.strictObject({}),
  inputs: {
    workbook: input('workbook', Workbook, 'The workbook with the data.'),
    source: input('json', Source, 'Where the data stands in it.'),
    kind: input('text', z.string(), 'Kind of summary, one of the outcomes of the profile.'),
    path: input('text', SandboxPath, 'Path of the workbook in the sandbox.'),
  },
  outputs: {
    outcome: output('json', TaskSpecification.shape.outcome, 'The end state that is asked for.'),
    file: output('json', RequiredFile, 'The workbook that the task starts with.'),
    hidden: output('hidden', HiddenAnswers, 'The answers and the workbook that is expected.', true),
    traits: output('json', z.record(z.string(), z.string()), 'Labels of the outcome and of where it goes.'),
  },
  policy: { ...policies.cheap, seeded: true },
  example: {
    params: {},
    inputs: {
      kind: 'totals',
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
  migrations: { 1: (params) => params, 2: (params) => params },
  async execute({ inputs, context }) {
    return { ...summaryTask(inputs.workbook, inputs.source, inputs.kind, inputs.path, context.seed) };
  },
});
