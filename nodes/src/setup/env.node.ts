import { defineKind, output, policies } from '@cua-forge/spec/kind';
import { EnvOperation } from '@cua-forge/spec/setup-operations';
import { SetupOperation } from '@cua-forge/spec/task';
import { z } from 'zod';

export const env = defineKind({
  id: 'setup.env',
  version: 1,
  title: 'Set an environment variable',
  doc: 'Makes the operation that sets an environment variable for what starts afterwards and for later sessions.',
  params: z.strictObject({
    name: EnvOperation.shape.name.describe('Name of the variable; not one that decides which programs run.'),
    value: EnvOperation.shape.value.describe('Its value, taken as it is.'),
  }),
  inputs: {},
  outputs: { operation: output('operation', SetupOperation, 'The operation, for setup.script.') },
  policy: policies.cheap,
  example: { params: { name: 'EDITOR', value: 'nano --softwrap' }, inputs: {} },
  execute: async ({ params }) => ({ operation: { op: 'env' as const, ...params } }),
});
