import { defineKind, output, policies } from '@cua-forge/spec/kind';
import { SetupOperation } from '@cua-forge/spec/task';
import { z } from 'zod';
import { program } from './program.ts';

export const run = defineKind({
  id: 'setup.run',
  version: 1,
  title: 'Run a command',
  doc: 'Makes the operation that runs one program in the sandbox, without a shell.',
  params: z.strictObject({
    command: program.describe('The program and its arguments, each as it is.'),
    why: z.string().min(1).max(200).describe('What it is for, for the reader of the script.'),
  }),
  inputs: {},
  outputs: { operation: output('operation', SetupOperation, 'The operation, for setup.script.') },
  policy: policies.cheap,
  example: {
    params: { command: ['mkdir', '-p', '/home/user/Exports'], why: 'The folder that exports go to' },
    inputs: {},
  },
  execute: async ({ params }) => ({ operation: { op: 'run' as const, command: params.command, why: params.why } }),
});
