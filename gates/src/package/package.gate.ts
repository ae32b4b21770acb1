import { defineKind, input, manyInput, optionalInput, output, policies, Verdict } from '@cua-forge/spec/kind';
import { HiddenAnswers, Rubric, SetupScript, TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import type { Check } from '../evidence.ts';
import { agreementChecks, instructionChecks, rubricChecks } from './package-checks.ts';

const Part = z.enum(['instruction', 'rubric', 'agreement']);

const exampleFile = { name: 'note.txt', mediaType: 'text/plain', hash: '0'.repeat(64), size: 4 };

/**
 * Faults of the instruction and the rubric ask for a repair; files, setup and specification that disagree are rejected.
 * Two of these gates, each looking at one part, can send instruction and rubric back to their own authors.
 */
export const packageGate = defineKind({
  id: 'gate.package',
  version: 1,
  title: 'Package holds together',
  doc: 'Checks that the instruction gives nothing away, the rubric covers the outcome, and all parts agree.',
  params: z.strictObject({
    looksAt: z
      .array(Part)
      .min(1)
      .default(['instruction', 'rubric', 'agreement'])
      .describe('Parts that this gate judges.'),
  }),
  inputs: {
    instruction: input('text', z.string(), 'The message of the user.'),
    rubric: input('rubric', Rubric, 'The criteria.'),
    script: input('script', SetupScript, 'The setup.'),
    spec: input('spec', TaskSpecification, 'The shared specification.'),
    hidden: optionalInput('hidden', HiddenAnswers, 'The answers that must stay hidden.'),
    files: manyInput('file', FileValue, 'The prepared files, as their gates let them through.', true),
  },
  outputs: {
    verdict: output('json', Verdict, 'What was looked at, and what its author should change.'),
    instruction: output('text', z.string(), 'The instruction, when all passes.'),
    rubric: output('rubric', Rubric, 'The rubric, when all passes.'),
  },
  policy: policies.cheap,
  gate: true,
  example: {
    params: {},
    inputs: {
      instruction: 'Please add a second line to note.txt that says when the office opens.',
      rubric: {
        criteria: [
          {
            id: 'line',
            text: 'note.txt has a second line',
            weight: 1,
            must: true,
            judge: 'model',
            evidence: 'note.txt',
          },
        ],
      },
      script: {
        script: 'true',
        operations: [{ op: 'place-file', file: exampleFile, path: '/home/user/note.txt', mode: '0644' }],
      },
      spec: {
        skill: 'example-skill',
        domain: 'documents',
        applications: ['text-editor'],
        outcome: {
          kind: 'edit',
          summary: 'The note has a second line.',
          requirements: [{ id: 'line', text: 'A second line is there.', must: true }],
          mentions: ['note.txt'],
        },
        scenario: { person: 'Dana Reyes', role: 'office manager', company: 'Alder & Finch', motive: 'a call is due' },
        files: [{ id: 'note', path: '/home/user/note.txt', type: 'text', content: 'Call' }],
        preconditions: [],
        constraints: [],
        traits: {},
      },
      files: [exampleFile],
    },
  },
  async execute({ params, inputs }) {
    const { instruction, rubric, script, spec, hidden, files } = inputs;
    const sees = (part: z.infer<typeof Part>) => params.looksAt.includes(part);
    const texts: Check[] = [
      ...(sees('instruction') ? instructionChecks(instruction, spec, hidden) : []),
      ...(sees('rubric') ? rubricChecks(rubric, spec, hidden) : []),
    ];
    const structure = sees('agreement') ? agreementChecks(files, script, spec) : [];
    const evidence = [...texts, ...structure].map(({ advice: _advice, ...line }) => line);
    if (structure.some(({ ok }) => !ok)) return { verdict: { verdict: 'reject' as const, evidence } };
    if (texts.some(({ ok }) => !ok)) {
      const feedback = texts.flatMap(({ advice }) => advice).join('\n');
      return { verdict: { verdict: 'repair' as const, evidence, feedback } };
    }
    return { verdict: { verdict: 'pass' as const, evidence }, instruction, rubric };
  },
});
