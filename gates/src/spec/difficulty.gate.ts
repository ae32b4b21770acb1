import { defineKind, input, optionalInput, output, policies, Verdict } from '@cua-forge/spec/kind';
import { HiddenAnswers, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { verdictOf } from '../evidence.ts';
import { difficultyChecks } from './difficulty-checks.ts';
import { exampleSpec } from './example-spec.ts';

const bound = (value: number, doc: string) => z.number().int().min(0).default(value).describe(doc);

/** Sends a specification back when the task is solved from the start, asks for nothing, or for too much. */
export const difficulty = defineKind({
  id: 'gate.difficulty',
  version: 1,
  title: 'There is work to do',
  doc: 'Checks that a task is not solved from the start, does not show its answers, and is neither trivial nor endless.',
  params: z.strictObject({
    minRows: bound(2, 'Fewest rows of all tables together, where there is no longer text.'),
    minWords: bound(10, 'Fewest words of all texts together, where there are fewer rows.'),
    maxRows: bound(20_000, 'Most rows of all tables together.'),
    maxFiles: bound(12, 'Most files.'),
    maxRequirements: bound(20, 'Most requirements.'),
    answersInFiles: z
      .enum(['refuse', 'allow'])
      .default('refuse')
      .describe('Whether answers may stand in the files, as they do where the task is to look them up.'),
  }),
  inputs: {
    spec: input('spec', TaskSpecification, 'The shared specification.'),
    hidden: optionalInput('hidden', HiddenAnswers, 'The answers and what is expected at the end.'),
  },
  outputs: {
    verdict: output(
      'json',
      Verdict,
      'What was looked at, and what its author should change. Answers are named by their labels.',
    ),
    spec: output('spec', TaskSpecification, 'The specification, when all passes.'),
  },
  policy: policies.cheap,
  gate: true,
  example: { params: {}, inputs: { spec: exampleSpec } },
  async execute({ params, inputs: { spec, hidden } }) {
    const verdict = verdictOf(difficultyChecks(spec, hidden, params));
    return verdict.verdict === 'pass' ? { verdict, spec } : { verdict };
  },
});
