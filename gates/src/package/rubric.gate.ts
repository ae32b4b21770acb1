import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { Rubric, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { verdictOf } from '../evidence.ts';
import { exampleSpec } from '../spec/example-spec.ts';
import { criteriaChecks } from './criteria-checks.ts';

/** Sends a rubric back whose criteria a judge cannot work with. That it covers the requirements is for `gate.package`. */
export const rubric = defineKind({
  id: 'gate.rubric',
  version: 1,
  title: 'Criteria can be judged',
  doc: 'Checks that each criterion of a rubric is one claim on the end state that can be seen and can fail, and that weights are balanced.',
  params: z.strictObject({}),
  inputs: {
    rubric: input('rubric', Rubric, 'The criteria.'),
    spec: input('spec', TaskSpecification, 'The shared specification.'),
  },
  outputs: {
    verdict: output('json', Verdict, 'What was looked at, and what its author should change.'),
    rubric: output('rubric', Rubric, 'The rubric, when all passes.'),
  },
  policy: policies.cheap,
  gate: true,
  example: {
    params: {},
    inputs: {
      spec: exampleSpec,
      rubric: {
        criteria: [
          {
            id: 'column',
            text: 'calls.csv has a column Cost after its last column',
            weight: 0.4,
            must: true,
            judge: 'check',
            evidence: 'The saved calls.csv',
          },
          {
            id: 'values',
            text: 'Cost is Minutes times Rate in every row',
            weight: 0.6,
            must: true,
            judge: 'check',
            evidence: 'The saved calls.csv',
          },
        ],
      },
    },
  },
  async execute({ inputs }) {
    const verdict = verdictOf(criteriaChecks(inputs.rubric, inputs.spec));
    return verdict.verdict === 'pass' ? { verdict, rubric: inputs.rubric } : { verdict };
  },
});
