import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { HiddenAnswers, RequiredFile, SandboxPath, TaskSpecification, Workbook } from '@cua-forge/spec/task';
import { z } from 'zod';
import { reconcileTask } from './reconcile/reconcile.ts';

/**
 * Makes a ledger and three PDFs with invoices that do not quite agree, and states as a task what is to be done about it. The workbook
 * that is expected leaves by `hidden` alone. `files` are the workbook and the PDFs `invoices-1` to `invoices-3`.
 */
export const reconcile = defineKind({
  id: 'data.reconcile',
  version: 3,
  title: 'Plan a reconciliation',
  doc: 'Makes a ledger from the data of a workbook, invoices that differ from it, and keeps the right answer hidden.',
  params: z.strictObject({}),
  inputs: {
    workbook: input('workbook', Workbook, 'Where suppliers, amounts and dates come from.'),
    reconciliation: input('text', z.string(), 'What is to be done, for example “status of lines” or “missing lines”.'),
    company: input('text', z.string().min(1), 'Who gets the invoices.'),
    path: input('text', SandboxPath, 'Path of the ledger in the sandbox; the PDFs lie beside it.'),
  },
  outputs: {
    outcome: output('json', TaskSpecification.shape.outcome, 'The end state that is asked for.'),
    files: output('json', z.array(RequiredFile), 'The ledger and the PDFs.'),
    hidden: output('hidden', HiddenAnswers, 'The answers and the workbook that is expected.', true),
    traits: output('json', z.record(z.string(), z.string()), 'Labels of the task, of structure and of layout.'),
  },
  policy: { ...policies.cheap, seeded: true },
  example: {
    params: {},
    inputs: {
      reconciliation: 'list of differences',
      company: 'Alder & Finch',
      path: '/home/user/Documents/ledger.xlsx',
      workbook: {
        sheets: [
          {
            name: 'Payments',
            notes: {},
            headerRow: 1,
            firstColumn: 1,
            style: {},
            columns: [
              { name: 'Payee', type: 'text' },
              { name: 'Paid', type: 'currency' },
            ],
            rows: [
              ['Harrow Mills', 120.5],
              ['Ortiz Logistics', 80],
              ['Lund Catering', 310.25],
              ['Harrow Mills', 44.1],
            ],
          },
        ],
      },
    },
  },
  migrations: { 1: (params) => params, 2: (params) => params },
  async execute({ inputs: { workbook, reconciliation, path, company }, context }) {
    return { ...reconcileTask(workbook, reconciliation, path, company, context.seed) };
  },
});
