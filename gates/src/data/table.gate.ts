import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { Workbook } from '@cua-forge/spec/task';
import { verdictOf } from '../evidence.ts';
import { TableRules, tableChecks } from './table-checks.ts';

/** Sends a workbook back whose tables are not what their columns and the rules say. */
export const table = defineKind({
  id: 'gate.table',
  version: 1,
  title: 'Tables are in order',
  doc: 'Checks the types of cells, the widths of rows, headings, unique keys, references between sheets, and bounds.',
  params: TableRules,
  inputs: { workbook: input('workbook', Workbook, 'The workbook.') },
  outputs: {
    verdict: output('json', Verdict, 'What was looked at, and what its author should change.'),
    workbook: output('workbook', Workbook, 'The workbook, when all passes.'),
  },
  policy: policies.pure,
  gate: true,
  example: {
    params: { keys: [{ sheet: 'Calls', columns: ['Day'] }] },
    inputs: {
      workbook: {
        sheets: [
          {
            name: 'Calls',
            notes: {},
            headerRow: 1,
            firstColumn: 1,
            columns: [
              { name: 'Day', type: 'date' },
              { name: 'Minutes', type: 'integer' },
            ],
            rows: [
              ['2025-03-04', 14],
              ['2025-03-05', 6],
            ],
            style: {},
          },
        ],
      },
    },
  },
  async execute({ params, inputs: { workbook } }) {
    const verdict = verdictOf(tableChecks(workbook, params));
    return verdict.verdict === 'pass' ? { verdict, workbook } : { verdict };
  },
});
