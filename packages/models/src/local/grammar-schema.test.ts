import { JsonObject } from '@cua-forge/spec/json';
import { Rubric } from '@cua-forge/spec/task';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { grammarSchema } from './grammar-schema.ts';

const any = { type: ['string', 'number', 'boolean', 'null'] };

describe('grammarSchema', () => {
  it('keeps members, choices, lengths and counts, and drops what a grammar cannot say', () => {
    expect(
      grammarSchema({
        type: 'object',
        properties: {
          name: { type: 'string', pattern: '^[a-z]+$', minLength: 3, maxLength: 9 },
          note: { type: 'string' },
          day: { type: 'string', format: 'date' },
          count: { type: 'integer', minimum: 1, maximum: 5 },
          state: { enum: ['open', 'closed', { not: 'plain' }] },
          tags: { type: 'array', items: { type: 'string', maxLength: 4 }, minItems: 1, maxItems: 3 },
          maybe: { type: ['string', 'null'], maxLength: 2 },
        },
        required: ['name'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 3, maxLength: 9 },
        note: { type: 'string', maxLength: 400 },
        day: { type: 'string', format: 'date' },
        count: { type: 'integer' },
        state: { enum: ['open', 'closed'] },
        tags: { type: 'array', items: { type: 'string', maxLength: 4 }, minItems: 1, maxItems: 3 },
        maybe: { oneOf: [{ type: 'string', maxLength: 2 }, { type: 'null' }] },
      },
    });
  });

  it('resolves references, parts and choices', () => {
    const schema = {
      $defs: { n: { type: 'number' } },
      allOf: [
        { properties: { a: { $ref: '#/$defs/n' } } },
        { type: 'object', properties: { b: { anyOf: [{ const: 1 }, { type: 'null' }] } } },
      ],
    };
    expect(grammarSchema(schema)).toEqual({
      type: 'object',
      properties: { a: { type: 'number' }, b: { oneOf: [{ const: 1 }, { type: 'null' }] } },
    });
  });

  it('lets open values be plain ones, and ends where a schema contains itself', () => {
    expect(grammarSchema({})).toEqual(any);
    expect(grammarSchema({ type: 'object' })).toMatchObject({ additionalProperties: any });
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
    expect(JSON.stringify(grammarSchema(tree)).length).toBeLessThan(2_000);
  });

  it('takes the schema of a rubric', () => {
    const schema = JsonObject.parse(JSON.parse(JSON.stringify(z.toJSONSchema(Rubric))));
    expect(grammarSchema(schema)).toMatchObject({ type: 'object', properties: { criteria: { type: 'array' } } });
  });
});
