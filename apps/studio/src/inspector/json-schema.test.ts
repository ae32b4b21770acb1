import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { blankOf, join, schemaOf, takesNull, widgetOf } from './json-schema.ts';

const json = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' });

describe('widgets of schemas that zod writes', () => {
  it.each<[string, z.ZodType, string]>([
    ['text', z.string(), 'text'],
    ['integer', z.number().int().min(1), 'number'],
    ['flag', z.boolean(), 'boolean'],
    ['enum', z.enum(['a', 'b']), 'enum'],
    ['list', z.array(z.string()), 'list'],
    ['record', z.record(z.string(), z.enum(['text', 'json'])), 'record'],
    ['object', z.strictObject({ a: z.string() }), 'object'],
    ['nullable', z.number().nullable(), 'number'],
    ['anything', z.unknown(), 'json'],
    ['mixed union', z.union([z.string(), z.number()]), 'json'],
    [
      'variants',
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('a') }),
        z.strictObject({ type: z.literal('b'), n: z.number() }),
      ]),
      'variants',
    ],
  ])('%s', (_name, schema, as) => {
    const root = json(schema);
    expect(widgetOf(root, root).as).toBe(as);
  });

  it('follow references, and end at recursion', () => {
    const Tree: z.ZodType = z.lazy(() => z.strictObject({ name: z.string(), children: z.array(Tree) }));
    const root = json(z.strictObject({ tree: Tree }));
    const { properties } = schemaOf(root);
    expect(widgetOf(properties?.tree, root).as).toBe('object');
  });

  it('make blanks that hold what is required', () => {
    const schema = z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('choice'), from: z.array(z.string()), weight: z.number().optional() }),
    ]);
    const root = json(
      z.strictObject({ name: z.string(), limit: z.number().default(7), draw: schema, note: z.string().optional() }),
    );
    expect(blankOf(root, root)).toEqual({ name: '', draw: { type: 'choice', from: [] } });
    expect(takesNull(schemaOf(json(z.string().nullable())))).toBe(true);
  });

  it('write paths the way findings do', () => {
    expect(join(join(join('', 'draws'), 0), 'name')).toBe('draws[0].name');
  });
});
