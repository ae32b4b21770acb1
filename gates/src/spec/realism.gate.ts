import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { verdictOf } from '../evidence.ts';
import { exampleSpec } from './example-spec.ts';
import { realismChecks } from './realism-checks.ts';

/** Sends a specification back whose files or persons look made up. */
export const realism = defineKind({
  id: 'gate.realism',
  version: 1,
  title: 'Content looks real',
  doc: 'Checks the files and persons of a specification for filler, impossible dates and numbers, and data that no one has measured.',
  params: z.strictObject({}),
  inputs: { spec: input('spec', TaskSpecification, 'The shared specification.') },
  outputs: {
    verdict: output('json', Verdict, 'What was looked at, and what its author should change.'),
    spec: output('spec', TaskSpecification, 'The specification, when all passes.'),
  },
  policy: policies.cheap,
  gate: true,
  example: { params: {}, inputs: { spec: exampleSpec } },
  async execute({ inputs: { spec } }) {
    const verdict = verdictOf(realismChecks(spec));
    return verdict.verdict === 'pass' ? { verdict, spec } : { verdict };
  },
});
