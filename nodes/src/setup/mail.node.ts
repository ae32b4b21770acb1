import { ForgeError } from '@cua-forge/spec/errors';
import { defineKind, optionalInput, output, policies } from '@cua-forge/spec/kind';
import { MailPerson } from '@cua-forge/spec/mbox';
import { MailFolder } from '@cua-forge/spec/setup-operations';
import { SetupOperation } from '@cua-forge/spec/task';
import { z } from 'zod';

const Folders = z.array(MailFolder).max(50);

export const mail = defineKind({
  id: 'setup.mail',
  version: 1,
  title: 'Set mail up',
  doc: 'Makes the operation that installs a profile of Thunderbird with an identity, and local folders with messages.',
  params: z.strictObject({
    person: MailPerson.describe('Name of the user.'),
    address: z.email().describe('Mail address of the user.'),
    folders: Folders.optional().describe(
      'Local folders, each with its messages; left out, they come through the port.',
    ),
  }),
  inputs: { folders: optionalInput('list', Folders, 'Local folders, each with its messages.') },
  outputs: { operation: output('operation', SetupOperation, 'The operation, for setup.script.') },
  policy: policies.cheap,
  example: {
    params: {
      person: 'Ann Lee',
      address: 'ann@office.example',
      folders: [
        {
          name: 'Bills',
          messages: [
            {
              from: { name: 'Zoe Quint', address: 'zoe@supplier.example' },
              to: [{ name: 'Ann Lee', address: 'ann@office.example' }],
              subject: 'Bill 204',
              date: '2025-03-14T09:00:00Z',
              text: 'Please find below what we delivered in March.',
            },
          ],
        },
      ],
    },
    inputs: {},
  },
  async execute({ params, inputs }) {
    const folders = inputs.folders ?? params.folders ?? [];
    const names = folders.map(({ name }) => name.toLowerCase());
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new ForgeError('params.invalid', `There are two mail folders named ${twice}.`, {
        fix: 'Give each folder a name of its own, whatever its case.',
      });
    return { operation: { op: 'mail' as const, person: params.person, address: params.address, folders } };
  },
});
