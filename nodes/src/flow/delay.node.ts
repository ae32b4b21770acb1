import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { z } from 'zod';

/** Passes a value on after a durable wait. */
export const delay = defineKind({
  id: 'flow.delay',
  version: 1,
  title: 'Delay',
  doc: 'Passes a value on after a wait that survives restarts.',
  params: z.strictObject({
    milliseconds: z
      .number()
      .int()
      .nonnegative()
      .max(30 * 24 * 3_600_000)
      .default(1_000),
  }),
  inputs: { value: input('any', Json, 'What is passed on.') },
  outputs: { value: output('any', Json, 'The same value.') },
  policy: { ...policies.cheap, cacheable: false },
  flow: 'delay',
  example: { params: { milliseconds: 10 }, inputs: { value: 1 } },
  async execute() {
    throw new ForgeError('internal', 'flow.delay is carried out by the interpreter.');
  },
});
