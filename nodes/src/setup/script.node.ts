import { renderSetupScript } from '@cua-forge/desktop/setup-script';
import { defineKind, manyInput, output, policies } from '@cua-forge/spec/kind';
import { SetupOperation, SetupScript } from '@cua-forge/spec/task';
import { z } from 'zod';

export const script = defineKind({
  id: 'setup.script',
  version: 1,
  title: 'Assemble the setup script',
  doc: 'Assembles one executable script from setup operations, in the order of the edges.',
  params: z.strictObject({}),
  inputs: { operations: manyInput('operation', SetupOperation, 'What the setup does, in order.', true) },
  outputs: { script: output('script', SetupScript, 'The script and the operations it was made from.') },
  policy: policies.cheap,
  example: {
    params: {},
    inputs: {
      operations: [
        { op: 'run', command: ['mkdir', '-p', '/home/user/Exports'], why: 'The folder that exports go to' },
        { op: 'open', application: 'libreoffice-calc' },
      ],
    },
  },
  execute: async ({ inputs: { operations } }) => ({ script: { script: renderSetupScript(operations), operations } }),
});
