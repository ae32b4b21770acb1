import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { defineKind, input, manyInput, optionalInput, output, policies } from '@cua-forge/spec/kind';
import { HiddenAnswers, OutcomeRequirement, Precondition, RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { contradictions } from './contradictions.ts';
import { exampleAnswers } from './example-specification.ts';

const Outcome = z.object({
  kind: z.string().min(1),
  summary: z.string().min(1),
  requirements: z.array(OutcomeRequirement).min(1),
  mentions: z.array(z.string()).default([]),
});
const Scenario = z.object({
  person: z.string().min(1),
  role: z.string().min(1),
  company: z.string().min(1),
  motive: z.string().min(1),
});
const Traits = TaskSpecification.shape.traits;
const Files = z.union([z.array(RequiredFile), RequiredFile.transform((file) => [file])]);

function parsed<T>(schema: z.ZodType<T>, value: Json, part: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ForgeError(
    'input.invalid',
    `The part ${part} does not fit a specification: ${z.prettifyError(result.error)}`,
    {
      fix: `Correct what flows into the port ${part}.`,
      place: { port: part },
    },
  );
}

export const unify = defineKind({
  id: 'spec.unify',
  version: 1,
  title: 'Unify the specification',
  doc: 'Merges samplers, draft, files and answers into one shared specification, and refuses parts that contradict each other.',
  params: z.strictObject({
    skill: z.string().min(1).optional().describe('Left out, the skill of the workflow.'),
    domain: z.string().min(1).describe('For example spreadsheets.'),
    applications: z
      .array(z.string().min(1))
      .min(1)
      .describe('The first one opens the first file, unless preconditions say otherwise.'),
    preconditions: z
      .array(Precondition)
      .optional()
      .describe('Left out: every file is present, and the first one is open.'),
    constraints: z.array(z.string().min(1)).default([]).describe('What must not happen, in the words of a sentence.'),
  }),
  inputs: {
    outcome: input('json', Json, 'kind, summary, requirements and mentions.'),
    scenario: input('json', Json, 'person, role, company and motive.'),
    files: manyInput('json', Json, 'Required files, or lists of them.', true),
    hidden: optionalInput('hidden', HiddenAnswers, 'The answers, which stay out of the specification.'),
    traits: manyInput('json', Json, 'Labels of structure and layout; later ones win.'),
  },
  outputs: {
    spec: output('spec', TaskSpecification, 'The one specification that all other parts are made from.'),
    hidden: output('hidden', HiddenAnswers, 'The answers, once they are known not to be in the specification.', true),
  },
  policy: policies.cheap,
  example: {
    params: { domain: 'spreadsheets', applications: ['libreoffice-calc'] },
    inputs: {
      outcome: {
        kind: 'monthly-totals',
        summary: 'notes.csv ends with a line that holds the total',
        requirements: [{ id: 'total', text: 'The last line holds the total of Amount', must: true }],
        mentions: ['notes.csv', 'Amount'],
      },
      scenario: { person: 'Dana Reyes', role: 'clerk', company: 'Alder & Finch', motive: 'the books close on Friday' },
      files: [
        {
          id: 'notes',
          path: '/home/user/notes.csv',
          type: 'csv',
          content: { columns: [{ name: 'Amount', type: 'number' }], rows: [[1000.5], [234]] },
        },
      ],
      hidden: exampleAnswers,
      traits: [{ layout: 'plain' }],
    },
  },
  async execute({ params, inputs, context }) {
    const files = inputs.files.flatMap((part) => parsed(Files, part, 'files'));
    const [first] = files;
    if (first === undefined)
      throw new ForgeError('input.invalid', 'A specification needs a file, and none came in.', {
        place: { port: 'files' },
      });
    const outcome = parsed(Outcome, inputs.outcome, 'outcome');
    const spec: TaskSpecification = {
      skill: params.skill ?? context.skill,
      domain: params.domain,
      applications: params.applications,
      outcome: { ...outcome, mentions: [...new Set(outcome.mentions)] },
      scenario: parsed(Scenario, inputs.scenario, 'scenario'),
      files,
      preconditions: params.preconditions ?? defaultPreconditions(files, first, params.applications[0] ?? ''),
      constraints: params.constraints,
      traits: Object.assign({}, ...inputs.traits.map((part) => parsed(Traits, part, 'traits'))),
    };
    const problems = contradictions(spec, inputs.hidden);
    if (problems.length > 0) {
      throw new ForgeError(
        'input.invalid',
        `The parts of the specification contradict each other: ${problems.join('; ')}.`,
        {
          fix: 'Correct the samplers or the draft that these parts come from.',
        },
      );
    }
    return inputs.hidden === undefined ? { spec } : { spec, hidden: inputs.hidden };
  },
});

function defaultPreconditions(
  files: readonly RequiredFile[],
  first: RequiredFile,
  application: string,
): Precondition[] {
  return [
    ...files.map(({ id }): Precondition => ({ type: 'file-present', file: id })),
    { type: 'application-open', application, file: first.id },
  ];
}
