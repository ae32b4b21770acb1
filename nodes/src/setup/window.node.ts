import { defineKind, output, policies } from '@cua-forge/spec/kind';
import { WindowAction, WindowBox, WindowMatch } from '@cua-forge/spec/setup-operations';
import { SetupOperation } from '@cua-forge/spec/task';
import { z } from 'zod';

export const window = defineKind({
  id: 'setup.window',
  version: 1,
  title: 'Arrange a window',
  doc: 'Makes the operation that maximises, restores, minimises, focuses or places a window, once it is there.',
  params: z
    .strictObject({
      window: WindowMatch,
      action: WindowAction.default('maximise'),
      box: WindowBox.optional().describe('For place: where the window goes and how large it is, in pixels.'),
      timeoutSeconds: z.number().int().min(1).max(600).default(30).describe('How long to wait for the window.'),
    })
    .refine(({ action, box }) => (action === 'place') === (box !== undefined), {
      error: 'box belongs to the action place, and place needs it',
      path: ['box'],
    }),
  inputs: {},
  outputs: { operation: output('operation', SetupOperation, 'The operation, for setup.script.') },
  policy: policies.cheap,
  example: { params: { window: { text: 'orders.xlsx' }, action: 'maximise' }, inputs: {} },
  async execute({ params: { box, ...params } }) {
    return { operation: { op: 'window' as const, ...params, ...(box === undefined ? {} : { box }) } };
  },
});
