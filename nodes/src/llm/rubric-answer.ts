import type { Json, JsonObject } from '@cua-forge/spec/json';
import type { Rubric, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';

/** What a model says of a criterion; the rest is known from the specification. */
const Answer = z.object({
  criteria: z.array(z.object({ id: z.string(), text: z.string(), evidence: z.string(), weight: z.number() })),
});

/** Characters that a criterion may have at least, however short its requirement. */
const shortest = 240;

/** One criterion for each requirement: a model cannot invent one, nor leave one out. */
export function answerSchema({ outcome: { requirements } }: TaskSpecification): JsonObject {
  const longest = Math.max(shortest, ...requirements.map(({ text }) => text.length + 80));
  return {
    type: 'object',
    properties: {
      criteria: {
        type: 'array',
        minItems: requirements.length,
        maxItems: requirements.length,
        items: {
          type: 'object',
          properties: {
            id: { enum: requirements.map(({ id }) => id) },
            text: { type: 'string', minLength: 5, maxLength: longest },
            evidence: { type: 'string', minLength: 3, maxLength: 120 },
            weight: { type: 'number', exclusiveMinimum: 0, maximum: 10 },
          },
          required: ['id', 'text', 'evidence', 'weight'],
          additionalProperties: false,
        },
      },
    },
    required: ['criteria'],
    additionalProperties: false,
  };
}

/** The rubric of an answer: what must hold is what the specification says must hold. */
export function asRubric(answer: Json, { outcome: { requirements } }: TaskSpecification): Json {
  const { criteria } = Answer.parse(answer);
  const musts = new Set(requirements.filter(({ must }) => must).map(({ id }) => id));
  return { criteria: criteria.map((one) => ({ ...one, must: musts.has(one.id), judge: 'model' })) };
}

/** A rubric as a model would answer it. */
export function asAnswer({ criteria }: Rubric): Json {
  return { criteria: criteria.map(({ id, text, evidence, weight }) => ({ id, text, evidence, weight })) };
}
