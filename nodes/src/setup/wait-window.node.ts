import { defineKind, output, policies } from '@cua-forge/spec/kind';
import { WindowMatch } from '@cua-forge/spec/setup-operations';
import { SetupOperation } from '@cua-forge/spec/task';
import { z } from 'zod';

export const waitWindow = defineKind({
  id: 'setup.wait-window',
  version: 1,
  title: 'Wait for a window',
  doc: 'Makes the operation that waits until a window is there, and fails the setup when it does not come.',
  params: z.strictObject({
    window: WindowMatch,
    timeoutSeconds: z.number().int().min(1).max(600).default(60),
  }),
  inputs: {},
  outputs: { operation: output('operation', SetupOperation, 'The operation, for setup.script.') },
  policy: policies.cheap,
  example: { params: { window: { by: 'class', text: 'soffice' } }, inputs: {} },
  execute: async ({ params }) => ({ operation: { op: 'wait-window' as const, ...params } }),
});
