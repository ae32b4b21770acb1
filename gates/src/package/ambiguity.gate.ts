import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { verdictOf } from '../evidence.ts';
import { exampleSpec } from '../spec/example-spec.ts';
import { ambiguityChecks } from './ambiguity-checks.ts';

/** Sends an instruction back that names what is not there, what is there twice, or leaves open what is wanted. */
export const ambiguity = defineKind({
  id: 'gate.ambiguity',
  version: 1,
  title: 'Instruction means one thing',
  doc: 'Checks that whatever an instruction names exists once in the files or is asked for, and nothing is left open.',
  params: z.strictObject({}),
  inputs: {
    instruction: input('text', z.string(), 'The message of the user.'),
    spec: input('spec', TaskSpecification, 'The shared specification.'),
  },
  outputs: {
    verdict: output('json', Verdict, 'What was looked at, and what its author should change.'),
    instruction: output('text', z.string(), 'The instruction, when all passes.'),
  },
  policy: policies.cheap,
  gate: true,
  example: {
    params: {},
    inputs: {
      instruction: 'Please add a column Cost to calls.csv that multiplies the column Minutes by the Rate column.',
      spec: exampleSpec,
    },
  },
  async execute({ inputs: { instruction, spec } }) {
    const verdict = verdictOf(ambiguityChecks(instruction, spec));
    return verdict.verdict === 'pass' ? { verdict, instruction } : { verdict };
  },
});
