import type { Json, JsonObject } from '@cua-forge/spec/json';
import type { ModelRequest } from '@cua-forge/spec/model-port';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { rehearsalModels } from './rehearsal.ts';
import { sampleSchema } from './schema-sample.ts';

const never = new AbortController().signal;
const request: ModelRequest = { purpose: 'draft', messages: [], maxOutputTokens: 10, temperature: 0, seed: 3 };

const order: JsonObject = {
  $defs: { money: { type: 'number', minimum: 0.5, maximum: 99.5, multipleOf: 0.5 } },
  type: 'object',
  properties: {
    id: { type: 'integer', exclusiveMinimum: 0, maximum: 5 },
    status: { enum: ['open', 'closed'] },
    kind: { const: 'order' },
    day: { type: 'string', format: 'date' },
    note: { type: 'string', minLength: 30, maxLength: 34 },
    lines: { type: 'array', minItems: 2, maxItems: 3, uniqueItems: true, items: { $ref: '#/$defs/money' } },
    pay: {
      oneOf: [
        { type: 'object', properties: { card: { type: 'string' } }, required: ['card'], additionalProperties: false },
        { type: 'null' },
      ],
    },
    both: {
      allOf: [
        { properties: { a: { type: 'boolean' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: ['string', 'number'] } }, required: ['b'] },
      ],
    },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 },
  },
  required: ['id', 'status', 'kind', 'day', 'note', 'lines', 'pay', 'both', 'pair'],
  additionalProperties: false,
};

describe('sampleSchema', () => {
  it('makes values that satisfy the schema, equal for equal seeds and varied over seeds', () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(order);
    const values: Json[] = Array.from({ length: 60 }, (_, seed) => sampleSchema(order, seed));
    for (const value of values) expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
    expect(sampleSchema(order, 5)).toEqual(values[5]);
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(55);
  });

  it('refuses what it cannot make up, by name', () => {
    const schema = {
      type: 'object',
      properties: { code: { type: 'string', pattern: '^[A-Z]{3}$' } },
      required: ['code'],
    };
    expect(() => sampleSchema(schema, 1)).toThrow(
      expect.objectContaining({ code: 'model.bad-output', message: expect.stringContaining('/code') }),
    );
    expect(() => sampleSchema({ $ref: '#' }, 1)).toThrow(expect.objectContaining({ code: 'model.bad-output' }));
  });

  it('ends with schemas that contain themselves', () => {
    const tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } } },
      required: ['children'],
    };
    expect(sampleSchema(tree, 2)).toHaveProperty('children');
  });
});

describe('rehearsalModels', () => {
  it('answers from the examples by seed, labelled, without cost', async () => {
    const models = rehearsalModels();
    const ask = async (seed: number) =>
      (await models.complete({ ...request, seed, rehearsal: ['a', 'b', 'c'] }, never)).text;
    const answers = await Promise.all(Array.from({ length: 30 }, (_, seed) => ask(seed)));
    expect(new Set(answers)).toEqual(new Set(['a', 'b', 'c']));
    expect(await ask(4)).toBe(answers[4]);
    expect(models.rehearsed).toBe(true);
    expect(await models.complete(request, never)).toMatchObject({
      provider: 'rehearsal',
      usage: { input: 0, cached: 0, output: 0 },
      usd: 0,
      text: expect.stringMatching(/^[A-Z].*\.$/),
    });
  });

  it('gives JSON where a schema asks for it', async () => {
    const { text } = await rehearsalModels().complete({ ...request, schema: order }, never);
    expect(JSON.parse(text)).toMatchObject({ kind: 'order' });
    const given = await rehearsalModels().complete(
      { ...request, schema: { type: 'string' }, rehearsal: ['yes'] },
      never,
    );
    expect(given.text).toBe('"yes"');
  });
});
