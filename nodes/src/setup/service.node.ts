import { defineKind, output, policies } from '@cua-forge/spec/kind';
import { ServiceName, ServiceReady } from '@cua-forge/spec/setup-operations';
import { SetupOperation } from '@cua-forge/spec/task';
import { z } from 'zod';
import { program } from './program.ts';

export const service = defineKind({
  id: 'setup.service',
  version: 1,
  title: 'Start a service',
  doc: 'Makes the operation that starts a program which stays, and waits until it serves.',
  params: z.strictObject({
    name: ServiceName.describe('What it is called: small letters, digits and hyphens.'),
    command: program.describe('The program and its arguments, each as it is.'),
    ready: ServiceReady.describe('What shows that it serves: a port of the loopback, or a path that is there.'),
    timeoutSeconds: z.number().int().min(1).max(600).default(30).describe('How long to wait until it serves.'),
  }),
  inputs: {},
  outputs: { operation: output('operation', SetupOperation, 'The operation, for setup.script.') },
  policy: policies.cheap,
  example: {
    params: {
      name: 'files',
      command: ['python3', '-m', 'http.server', '8137', '--bind', '127.0.0.1', '--directory', '/home/user/Public'],
      ready: { port: 8137 },
    },
    inputs: {},
  },
  execute: async ({ params }) => ({ operation: { op: 'service' as const, ...params } }),
});
