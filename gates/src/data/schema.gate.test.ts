import { judge } from '@cua-forge/testing/judge';
import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { schema } from './schema.gate.ts';

const wanted = {
  type: 'object',
  properties: {
    due: { type: 'string', format: 'date' },
    state: { enum: ['open', 'paid'] },
    count: { type: 'integer', minimum: 1 },
  },
  required: ['due'],
  additionalProperties: false,
};
const look = (value: unknown) => judge(schema, { params: { schema: wanted }, inputs: { value } });

describe('gate.schema', () => {
  it('passes a value that fits, and hands it on', async () => {
    expect(await look({ due: '2025-03-04', state: 'open', count: 2 })).toMatchObject({
      verdict: 'pass',
      passed: ['value'],
    });
  });

  it.each([
    ['a member missing', {}, /required members are there: the value must have required property 'due'/],
    ['a member too many', { due: '2025-03-04', dua: 1 }, /no other members: .*\(dua\)/],
    ['another type', { due: '2025-03-04', count: '2' }, /types are right: \/count must be integer/],
    ['a date that cannot be', { due: '2025-02-30' }, /within bounds: \/due must match format "date"/],
    ['no choice', { due: '2025-03-04', state: 'lost' }, /choices: \/state .*"open","paid"/],
  ])('asks to repair a value with %s', async (_, value, message) => {
    const { verdict, failed, passed } = await look(value);
    expect({ verdict, passed }).toEqual({ verdict: 'repair', passed: [] });
    expect(failed.join('\n')).toMatch(message);
  });

  it('refuses a schema that is none', async () => {
    await expect(
      runKind(schema, { params: { schema: { type: 'sting' } }, inputs: { value: 1 } }),
    ).rejects.toMatchObject({ code: 'params.invalid' });
  });
});
