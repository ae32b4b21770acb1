import { deriveChecks, withChecks } from '@cua-forge/checks/derive/derive-checks';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { HiddenAnswers, Rubric, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { exampleAnswersWithPlaces } from './example-places.ts';
import { exampleSpecification } from './example-specification.ts';

/** Whatever a check decides is taken from the judge; what no place is known for stays with it. */
export const checks = defineKind({
  id: 'spec.checks',
  version: 2,
  title: 'Derive executable checks',
  doc: 'Makes executable checks for must criteria from what differs between the prepared and the expected files.',
  params: z.strictObject({}),
  inputs: {
    spec: input('spec', TaskSpecification, 'The shared specification, with the prepared files.'),
    hidden: input('hidden', HiddenAnswers, 'The expected files, and where each requirement can be seen in them.'),
    rubric: input('rubric', Rubric, 'The criteria.'),
  },
  outputs: {
    rubric: output('rubric', Rubric, 'The criteria; those with a check are decided by it.'),
    hidden: output('hidden', HiddenAnswers, 'The answers, with the checks.', true),
    open: output(
      'json',
      z.array(z.strictObject({ requirement: z.string(), why: z.string() })),
      'Must requirements that a judge decides, and why.',
    ),
  },
  policy: policies.pure,
  example: {
    params: {},
    inputs: {
      spec: exampleSpecification,
      hidden: exampleAnswersWithPlaces,
      rubric: {
        criteria: [
          {
            id: 'sheet',
            text: 'The workbook has a sheet named Overview',
            weight: 0.4,
            must: true,
            judge: 'model',
            evidence: 'orders.xlsx',
          },
          {
            id: 'totals',
            text: 'Every month has one line with the sum of Amount',
            weight: 0.6,
            must: true,
            judge: 'model',
            evidence: 'orders.xlsx',
          },
        ],
      },
    },
  },
  migrations: { 1: (params) => params },
  async execute({ inputs: { spec, hidden, rubric } }) {
    const { checks, open } = deriveChecks(spec, hidden);
    return { rubric: withChecks(rubric, checks), hidden: checks.length === 0 ? hidden : { ...hidden, checks }, open };
  },
});
