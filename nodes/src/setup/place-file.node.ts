import { ForgeError } from '@cua-forge/spec/errors';
import { defineKind, input, optionalInput, output, policies } from '@cua-forge/spec/kind';
import { SandboxPath, SetupOperation, TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { fileOfSpec } from './file-of-spec.ts';

export const placeFile = defineKind({
  id: 'setup.place-file',
  version: 1,
  title: 'Place a file',
  doc: 'Makes the operation that puts a file at its path in the sandbox.',
  params: z.strictObject({
    path: SandboxPath.optional().describe('Where it goes; left out, the path that the specification gives.'),
    file: z.string().min(1).optional().describe('Id of the file in the specification.'),
    mode: z
      .string()
      .regex(/^0[0-7]{3}$/)
      .default('0644')
      .describe('Permissions, in octal.'),
  }),
  inputs: {
    file: input('file', FileValue, 'The prepared file.'),
    spec: optionalInput('spec', TaskSpecification, 'Where the path is taken from, when params give none.'),
  },
  outputs: { operation: output('operation', SetupOperation, 'The operation, for setup.script.') },
  policy: policies.cheap,
  example: {
    params: { path: '/home/user/Documents/note.txt' },
    inputs: { file: { name: 'note.txt', mediaType: 'text/plain', text: 'Buy stamps.' } },
  },
  async execute({ params, inputs }) {
    const path = params.path ?? pathInSpec(inputs.spec, params.file);
    return { operation: { op: 'place-file' as const, file: inputs.file, path, mode: params.mode } };
  },
});

function pathInSpec(spec: TaskSpecification | undefined, id: string | undefined): string {
  if (spec === undefined || id === undefined) {
    throw new ForgeError('params.invalid', 'It is not said where the file goes.', {
      fix: 'Set the param path, or the param file and connect spec.',
    });
  }
  return fileOfSpec(spec, id).path;
}
