import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { HiddenAnswers, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { exampleAnswersWithPlaces } from './example-places.ts';
import { exampleSpecification } from './example-specification.ts';
import { referenceSolution } from './solution/reference-solution.ts';

/** The values come from the hidden answers; who writes them into the files is neither the preparer nor the evaluator of the checks. */
export const solution = defineKind({
  id: 'spec.solution',
  version: 2,
  title: 'Write the reference solution',
  doc: 'Writes a program that does the work of the task on the prepared files, with a mutant for each requirement that can be missed alone.',
  params: z.strictObject({
    through: z
      .enum(['library', 'application'])
      .default('library')
      .describe(
        'library: openpyxl or python-docx. application: LibreOffice without windows, for values, formulas and colours of cells.',
      ),
  }),
  inputs: {
    spec: input('spec', TaskSpecification, 'The shared specification, with the prepared files.'),
    hidden: input('hidden', HiddenAnswers, 'The expected files, and variants of them that miss one requirement.'),
  },
  outputs: { hidden: output('hidden', HiddenAnswers, 'The answers, with the solution.', true) },
  policy: policies.pure,
  migrations: { 1: (params) => params },
  example: { params: {}, inputs: { spec: exampleSpecification, hidden: exampleAnswersWithPlaces } },
  async execute({ params, inputs: { spec, hidden } }) {
    return { hidden: { ...hidden, solution: referenceSolution(spec, hidden, params.through) } };
  },
});
