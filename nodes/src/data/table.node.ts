import { Json, JsonObject } from '@cua-forge/spec/json';
import { defineKind, optionalInput, output, policies } from '@cua-forge/spec/kind';
import { Table } from '@cua-forge/spec/task';
import { z } from 'zod';
import { applySteps } from './table/apply-steps.ts';
import { asObject } from './table/frame.ts';
import { Step } from './table/steps.ts';
import { PortMap } from './transform.node.ts';

/** Makes a table, or another one of it, by a list of steps that say what is wanted rather than how it is computed. */
export const table = defineKind({
  id: 'data.table',
  version: 1,
  title: 'Work on a table',
  doc: 'Makes or changes a table with typed columns in steps: select, compute, filter, sort, group, join, pivot and others.',
  params: z.strictObject({
    steps: z.array(Step).min(1).max(100).describe('What is done, in order.'),
    inputs: PortMap.default({}).describe('Name of a further input → its type: other tables, and values for from.'),
  }),
  inputs: { table: optionalInput('list', Json, 'The table to begin with: {columns, rows}, or a list of objects.') },
  outputs: {
    table: output('table', Table, 'The table after the last step.'),
    list: output('list', z.array(JsonObject), 'The same as a list of objects, column name → value.'),
    count: output('number', z.number().int(), 'Number of rows.'),
  },
  inputsFromParam: 'inputs',
  policy: policies.pure,
  example: {
    params: {
      steps: [
        { op: 'compute', column: 'Value', type: 'currency', value: 'Units * `Unit price`' },
        { op: 'join', with: 'regions', on: ['Shop'] },
        { op: 'group', by: ['Region'], totals: [{ as: 'Total', total: 'sum', column: 'Value' }] },
        { op: 'sort', by: [{ column: 'Total', descending: true }] },
      ],
      inputs: { regions: 'list' },
    },
    inputs: {
      table: [
        { Shop: 'Lund', Units: 3, 'Unit price': 9.5 },
        { Shop: 'Kiel', Units: 2, 'Unit price': 20 },
        { Shop: 'Lund', Units: 1, 'Unit price': 4 },
      ],
      regions: [
        { Shop: 'Lund', Region: 'North' },
        { Shop: 'Kiel', Region: 'Coast' },
      ],
    },
  },
  async execute({ params, inputs, extra, context }) {
    const frame = await applySteps(inputs.table, params.steps, {
      inputs: inputs.table === undefined ? extra : { ...extra, table: inputs.table },
      signal: context.signal,
      progress: (message, fraction) => context.progress(message, fraction),
    });
    return {
      table: { columns: [...frame.columns], rows: frame.rows.map((row) => [...row]) },
      list: frame.rows.map((row) => asObject(frame, row)),
      count: frame.rows.length,
    };
  },
});
