import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { z } from 'zod';

/** Keeps the first of all list members that have equal texts or numbers under one key. */
export const dropDuplicates = defineKind({
  id: 'data.drop-duplicates',
  version: 1,
  title: 'Drop duplicates',
  doc: 'Keeps the first of all list members that have the same value under a key.',
  params: z.strictObject({
    key: z.string().min(1).describe('Member of each object that tells whether two are the same.'),
    ignoreCase: z.boolean().default(false),
  }),
  inputs: { list: input('list', z.array(z.record(z.string(), Json)), 'Objects, each with the key.') },
  outputs: {
    list: output('list', z.array(Json), 'The list without the later duplicates, in its old order.'),
    dropped: output('number', z.number().int(), 'How many were left out.'),
  },
  policy: policies.cheap,
  example: { params: { key: 'name' }, inputs: { list: [{ name: 'Ann' }, { name: 'Ben' }, { name: 'Ann' }] } },
  async execute({ params, inputs }) {
    const seen = new Set<string | number>();
    const list = inputs.list.filter((member, index) => {
      const value = member[params.key];
      if (typeof value !== 'string' && typeof value !== 'number') {
        throw new ForgeError('input.invalid', `Member ${index} of the list has no text or number "${params.key}".`, {
          fix: 'Set the param key to a member that every object has, or filter the list with data.transform first.',
          place: { port: 'list' },
        });
      }
      const identity = params.ignoreCase && typeof value === 'string' ? value.toLowerCase() : value;
      if (seen.has(identity)) return false;
      seen.add(identity);
      return true;
    });
    return { list, dropped: inputs.list.length - list.length };
  },
});
