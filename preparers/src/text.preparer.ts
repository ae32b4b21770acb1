import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { baseName, mediaTypeOf, requiredFile } from '@cua-forge/spec/required-file';
import { TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { exampleSpec } from './example-spec.ts';

/** Makes the text file that a specification requires: UTF-8, line ends `\n`, one at the end. */
export const text = defineKind({
  id: 'preparer.text',
  version: 1,
  title: 'Prepare text file',
  doc: 'Writes a required text as a UTF-8 file.',
  params: z.strictObject({ file: z.string().min(1).describe('Id of the required file.') }),
  inputs: { spec: input('spec', TaskSpecification, 'The shared specification.') },
  outputs: { file: output('file', FileValue, 'The text file, named as in its path.') },
  policy: policies.pure,
  example: { params: { file: 'note' }, inputs: { spec: exampleSpec } },
  async execute({ params, inputs, context }) {
    const wanted = requiredFile(inputs.spec, params.file, 'text');
    const content = `${wanted.content.replace(/\r\n?/g, '\n').replace(/\n+$/, '')}\n`;
    return {
      file: await context.files.write(baseName(wanted.path), mediaTypeOf.text, new TextEncoder().encode(content)),
    };
  },
});
