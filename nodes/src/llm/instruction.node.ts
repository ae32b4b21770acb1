import { ForgeError } from '@cua-forge/spec/errors';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import type { ModelRequest } from '@cua-forge/spec/model-port';
import { TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { exampleSpecification } from '../spec/example-specification.ts';
import { conversation, seedOfRound } from './conversation.ts';
import { phrasings } from './instruction-plans.ts';
import { correction, instructionProblems } from './instruction-rules.ts';
import { publicBrief } from './public-brief.ts';

const system = `You write the message that a person sends to an assistant who will work at their computer.
Write in the first person, in that person's own voice, as one natural message of 40 to 160 words.
Say what they want to have in the end and what must hold about it; mention the given names exactly as they are written.
Never say how to do it step by step, never compute or state any result or value of the data, and never speak of how the
computer was prepared: no absolute paths, commands, scripts, sandboxes, or launching of applications. Answer with the message alone.`;

export const instruction = defineKind({
  id: 'llm.instruction',
  version: 1,
  title: 'Write the instruction',
  doc: 'Writes what the user asks for, in their own voice, from the public specification alone.',
  params: z.strictObject({
    temperature: z.number().min(0).max(2).default(0.9),
    maxOutputTokens: z.number().int().min(50).max(4_000).default(600),
    model: z.string().min(1).optional().describe('Model of the provider; left out, the configured one.'),
  }),
  inputs: { spec: input('spec', TaskSpecification, 'What the task is.') },
  outputs: { instruction: output('text', z.string().min(1), 'The message of the user.') },
  policy: policies.model,
  example: { params: {}, inputs: { spec: exampleSpecification } },
  async execute({ params, inputs: { spec }, context }) {
    const seed = seedOfRound(context.seed, context.round);
    const drafts = phrasings(spec);
    // Who fails at first is shown how such a message may read; who does not keeps a voice of their own.
    const example = `A message like this would do; say it in your own words:\n${drafts[seed % drafts.length] ?? ''}`;
    const feedback = context.feedback.length === 0 ? [] : [...context.feedback, example];
    const request: ModelRequest = {
      purpose: 'instruction',
      ...(params.model === undefined ? {} : { model: params.model }),
      system,
      messages: conversation(
        `${publicBrief(spec)}\n\nWrite the message of ${spec.scenario.person} now, with I and my.`,
        feedback,
      ),
      maxOutputTokens: params.maxOutputTokens,
      temperature: params.temperature,
      seed,
      rehearsal: drafts,
    };
    let answer = await context.models.complete(request, context.signal);
    const problems = instructionProblems(answer.text, spec);
    // Whether the second one will do is for the gates to say.
    if (problems.length > 0)
      answer = await context.models.complete(correction(request, answer.text, [...problems, example]), context.signal);
    const { text, finish, provider } = answer;
    if (finish === 'length' || text.trim() === '') {
      throw new ForgeError(
        'model.bad-output',
        `The instruction of ${provider} is ${finish === 'length' ? 'cut' : 'empty'}.`,
        {
          fix: 'Raise maxOutputTokens, then retry the node.',
        },
      );
    }
    return { instruction: text.trim() };
  },
});
