import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { baseName, mediaTypeOf, requiredFile } from '@cua-forge/spec/required-file';
import { TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';

/** Makes a required text file as programs on Windows write it: UTF-8 with a byte order mark, line ends `\r\n`. */
export const windowsText = defineKind({
  id: 'preparer.windows-text',
  version: 1,
  title: 'Prepare Windows text file',
  doc: 'Writes a required text as a file that looks as if it came from a Windows machine.',
  params: z.strictObject({
    file: z.string().min(1).describe('Id of the required file.'),
    byteOrderMark: z.boolean().default(true),
  }),
  inputs: { spec: input('spec', TaskSpecification, 'The shared specification.') },
  outputs: { file: output('file', FileValue, 'The text file, named as in its path.') },
  policy: policies.pure,
  example: {
    params: { file: 'note' },
    inputs: {
      spec: {
        skill: 'example-skill',
        domain: 'documents',
        applications: ['text-editor'],
        outcome: {
          kind: 'edit',
          summary: 'The note has a third line.',
          requirements: [{ id: 'line', text: 'A third line is there.', must: true }],
          mentions: ['note.txt'],
        },
        scenario: { person: 'Dana Reyes', role: 'office manager', company: 'Alder & Finch', motive: 'a call is due' },
        files: [{ id: 'note', path: '/home/user/note.txt', type: 'text', content: 'Call the office.\nAsk for Zoë.' }],
        preconditions: [],
        constraints: [],
        traits: {},
      },
    },
  },
  async execute({ params, inputs, context }) {
    const wanted = requiredFile(inputs.spec, params.file, 'text');
    const lines = wanted.content.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
    const content = `${params.byteOrderMark ? '\uFEFF' : ''}${lines.join('\r\n')}\r\n`;
    const bytes = new TextEncoder().encode(content);
    return { file: await context.files.write(baseName(wanted.path), mediaTypeOf.text, bytes) };
  },
});
