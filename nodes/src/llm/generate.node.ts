import { PortName } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import { Json, JsonObject } from '@cua-forge/spec/json';
import { defineKind, output, policies } from '@cua-forge/spec/kind';
import { PortType } from '@cua-forge/spec/port-type';
import { z } from 'zod';
import { conversation, seedOfRound } from './conversation.ts';
import { askForJson } from './structured-output.ts';
import { renderJson, renderTemplate } from './template.ts';

const InputTypes = z.record(PortName, PortType.exclude(['hidden'], { error: 'hidden values may not enter a prompt' }));

export const generate = defineKind({
  id: 'llm.generate',
  version: 1,
  title: 'Generate with a model',
  doc: 'Asks a model for a text, or for JSON under a schema, with a prompt filled from its inputs.',
  params: z.strictObject({
    purpose: z
      .string()
      .min(1)
      .max(80)
      .default('draft')
      .describe('What the call is for; shown in logs and cost tables.'),
    system: z.string().optional().describe('Standing instructions (Liquid).'),
    prompt: z.string().min(1).meta({ description: 'The task (Liquid over the inputs).', format: 'liquid' }),
    inputs: InputTypes.default({}).describe('Name of a further input → its type.'),
    schema: JsonObject.optional().describe('JSON Schema of the answer; without one the answer is a text.'),
    examples: z
      .array(Json)
      .max(50)
      .default([])
      .describe('Good answers (Liquid in their texts): shown to the model, and what rehearsals answer from.'),
    maxOutputTokens: z.number().int().min(1).max(200_000).default(2_000),
    temperature: z.number().min(0).max(2).default(0.7),
    model: z.string().min(1).optional().describe('Model of the provider; left out, the configured one.'),
  }),
  inputs: {},
  outputs: {
    value: output('json', Json, 'The answer, where a schema is given.'),
    text: output('text', z.string(), 'The answer, where no schema is given.'),
  },
  inputsFromParam: 'inputs',
  policy: policies.model,
  example: {
    params: {
      purpose: 'order',
      prompt: 'Invent an order of {{ customer }} for {{ count }} items.',
      inputs: { customer: 'text', count: 'number' },
      schema: {
        type: 'object',
        properties: { customer: { type: 'string' }, items: { type: 'integer', minimum: 1 } },
        required: ['customer', 'items'],
        additionalProperties: false,
      },
      examples: [{ customer: '{{ customer }}', items: '{{ count }}' }],
    },
    inputs: { customer: 'Alder & Finch', count: 3 },
  },
  async execute({ params, extra, context }) {
    const { schema, purpose, maxOutputTokens, temperature, model } = params;
    const system = params.system === undefined ? undefined : renderTemplate(params.system, extra, 'system');
    const examples = params.examples.map((example, index) => renderJson(example, extra, `examples/${index}`));
    const prompt = renderTemplate(params.prompt, extra, 'prompt');
    const request = {
      purpose,
      ...(model === undefined ? {} : { model }),
      ...stableText(system, schema),
      messages: conversation(withExamples(prompt, examples), context.feedback),
      maxOutputTokens,
      temperature,
      seed: seedOfRound(context.seed, context.round),
      ...(examples.length === 0 ? {} : { rehearsal: schema === undefined ? examples.map(asText) : examples }),
    };
    if (schema !== undefined) {
      const value = await askForJson({
        models: context.models,
        signal: context.signal,
        request: { ...request, schema },
      });
      return { value };
    }
    const { text, finish, provider } = await context.models.complete(request, context.signal);
    if (finish === 'length' || text.trim() === '') {
      const what = finish === 'length' ? `was cut after ${maxOutputTokens} tokens` : 'is empty';
      throw new ForgeError('model.bad-output', `The answer of ${provider} for ${purpose} ${what}.`, {
        fix: 'Raise maxOutputTokens or change the prompt, then retry the node.',
      });
    }
    return { text: text.trim() };
  },
});

const asText = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Schema and standing instructions do not depend on the inputs: they come first, where providers cache them. */
function stableText(system: string | undefined, schema: JsonObject | undefined): { system?: string } {
  const rule =
    schema === undefined
      ? []
      : [`Answer with one JSON value alone, valid under this JSON Schema:\n${JSON.stringify(schema)}`];
  const parts = [...(system === undefined ? [] : [system]), ...rule];
  return parts.length === 0 ? {} : { system: parts.join('\n\n') };
}

function withExamples(prompt: string, examples: readonly Json[]): string {
  if (examples.length === 0) return prompt;
  const shown = examples.slice(0, 5).map((example) => `<example>\n${asText(example)}\n</example>`);
  return `${prompt}\n\nExamples of good answers; do not copy them:\n${shown.join('\n')}`;
}
