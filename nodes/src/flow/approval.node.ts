import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { z } from 'zod';

/** Waits for a person. The value goes on by `approved` or by `rejected`; the other port is dead. */
export const approval = defineKind({
  id: 'flow.approval',
  version: 1,
  title: 'Approval',
  doc: 'Waits until a person approves or rejects a value.',
  params: z.strictObject({
    message: z.string().min(1).max(2_000).describe('What the person is asked.'),
    timeoutMs: z
      .number()
      .int()
      .positive()
      .nullable()
      .default(null)
      .describe('Milliseconds to wait; null waits for ever.'),
    onTimeout: z.enum(['approve', 'reject', 'fail']).default('fail'),
  }),
  inputs: { value: input('any', Json, 'What is to be approved.') },
  outputs: {
    approved: output('any', Json, 'The value, when it was approved.'),
    rejected: output('any', Json, 'The value, when it was rejected.'),
  },
  policy: { ...policies.cheap, cacheable: false },
  flow: 'approval',
  example: { params: { message: 'Does this look right?' }, inputs: { value: 'a draft' } },
  async execute() {
    throw new ForgeError('internal', 'flow.approval is carried out by the interpreter.');
  },
});
