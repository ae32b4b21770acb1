import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { verdictOf } from '../evidence.ts';
import { consistencyChecks } from './consistency-checks.ts';
import { exampleSpec } from './example-spec.ts';

const checks = [
  'mentions are found',
  'totals add up',
  'columns fit together',
  'keys mean one thing',
  'references resolve',
  'values are spelled one way',
  'years agree',
  'counts agree',
] as const;

/** Sends a specification back whose files contradict themselves or each other. Faults that a task is about are left out by `except`. */
export const consistency = defineKind({
  id: 'gate.consistency',
  version: 1,
  title: 'Names and numbers agree',
  doc: 'Checks that totals, keys, references, spellings, years and counts agree within the files of a specification and between them.',
  params: z.strictObject({
    except: z
      .array(z.enum(checks))
      .default([])
      .describe('Checks to leave out, where such a fault is what the task is about.'),
  }),
  inputs: { spec: input('spec', TaskSpecification, 'The shared specification.') },
  outputs: {
    verdict: output('json', Verdict, 'What was looked at, and what its author should change.'),
    spec: output('spec', TaskSpecification, 'The specification, when all passes.'),
  },
  // Comparing every column with every other takes its time in wide tables.
  policy: policies.pure,
  gate: true,
  example: { params: {}, inputs: { spec: exampleSpec } },
  async execute({ params, inputs: { spec } }) {
    const left = consistencyChecks(spec).filter((one) => !params.except.some((name) => name === one.check));
    const verdict = verdictOf(
      left.length > 0 ? left : [{ check: 'nothing', ok: true, detail: 'all checks are left out', advice: [] }],
    );
    return verdict.verdict === 'pass' ? { verdict, spec } : { verdict };
  },
});
