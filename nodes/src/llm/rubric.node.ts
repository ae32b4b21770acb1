import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { Rubric, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { exampleSpecification } from '../spec/example-specification.ts';
import { conversation, seedOfRound } from './conversation.ts';
import { publicBrief } from './public-brief.ts';
import { answerSchema, asAnswer, asRubric } from './rubric-answer.ts';
import { draftRubrics, rubricProblems, withUnitWeights } from './rubric-rules.ts';
import { askForJson } from './structured-output.ts';

const system = `You write the rubric by which a finished piece of computer work is judged.
Every criterion can be checked on the end state alone, is independent of how the work was done, and states no result or value
that the worker has to find. Give exactly one criterion for each requirement, with the requirement's own id. "text" says
what the requirement says, as one sentence that can be found true or false in the end; "evidence" names what the judge looks at, for example the saved file; "weight" is a number
from 1 to 10 that shows importance. No criterion is about how the computer was prepared.

Example. Requirements:
- [title] must: The first line of notes.txt is a title.
- [order] wish: The entries are sorted by date.
Answer:
{"criteria":[{"id":"title","text":"The first line of notes.txt is a title.","evidence":"notes.txt as it is saved","weight":6},{"id":"order","text":"The entries below it are sorted by date, the oldest first.","evidence":"the order of the entries in notes.txt","weight":2}]}

Answer with one JSON value alone, of this form.`;

export const rubric = defineKind({
  id: 'llm.rubric',
  version: 1,
  title: 'Write the rubric',
  doc: 'Writes the criteria by which the end state is judged, from the public specification alone.',
  params: z.strictObject({
    temperature: z.number().min(0).max(2).default(0.3),
    maxOutputTokens: z.number().int().min(100).max(8_000).default(2_000),
    model: z.string().min(1).optional().describe('Model of the provider; left out, the configured one.'),
  }),
  inputs: { spec: input('spec', TaskSpecification, 'What the task is.') },
  outputs: { rubric: output('rubric', Rubric, 'Criteria; their weights sum to 1.') },
  policy: policies.model,
  example: { params: {}, inputs: { spec: exampleSpecification } },
  async execute({ params, inputs: { spec }, context }) {
    const value = await askForJson({
      models: context.models,
      signal: context.signal,
      request: {
        purpose: 'rubric',
        ...(params.model === undefined ? {} : { model: params.model }),
        system,
        messages: conversation(publicBrief(spec), context.feedback),
        schema: answerSchema(spec),
        maxOutputTokens: params.maxOutputTokens,
        temperature: params.temperature,
        seed: seedOfRound(context.seed, context.round),
        rehearsal: draftRubrics(spec).map(asAnswer),
      },
      check: (answer) => rubricProblems(asRubric(answer, spec), spec),
    });
    return { rubric: withUnitWeights(Rubric.parse(asRubric(value, spec))) };
  },
});
