import { JsonObject } from '@cua-forge/spec/json';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { Rubric, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { exampleSpecification } from '../spec/example-specification.ts';
import { conversation, seedOfRound } from './conversation.ts';
import { publicBrief } from './public-brief.ts';
import { draftRubrics, rubricProblems, withUnitWeights } from './rubric-rules.ts';
import { askForJson } from './structured-output.ts';

const schema = JsonObject.parse(JSON.parse(JSON.stringify(z.toJSONSchema(Rubric))));

const system = `You write the rubric by which a finished piece of computer work is judged.
Every criterion can be checked on the end state alone, is independent of how the work was done, and states no result or value
that the worker has to find. Give a criterion for each requirement, with the requirement's own id; criteria of must
requirements have "must": true. "judge" is "model". "evidence" names what the judge looks at, for example the saved file.
No criterion is about how the computer was prepared. Weights are positive and show importance.
Answer with one JSON value alone, valid under this JSON Schema:
${JSON.stringify(schema)}`;

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
        schema,
        maxOutputTokens: params.maxOutputTokens,
        temperature: params.temperature,
        seed: seedOfRound(context.seed, context.round),
        rehearsal: draftRubrics(spec),
      },
      check: (answer) => rubricProblems(answer, spec),
    });
    return { rubric: withUnitWeights(Rubric.parse(value)) };
  },
});
