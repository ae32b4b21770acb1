import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { baseName, mediaTypeOf, requiredFile } from '@cua-forge/spec/required-file';
import { TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { exampleSpec } from './example-spec.ts';
import { writeDocx } from './write-docx.ts';

/** Makes the text document that a specification requires. Equal specifications give equal bytes. */
export const docx = defineKind({
  id: 'preparer.docx',
  version: 1,
  title: 'Prepare text document',
  doc: 'Writes a required text document as a .docx file with its styles, lists, tables, pictures, header, footer and page.',
  params: z.strictObject({ file: z.string().min(1).describe('Id of the required file.') }),
  inputs: { spec: input('spec', TaskSpecification, 'The shared specification.') },
  outputs: { file: output('file', FileValue, 'The .docx file, named as in its path.') },
  policy: policies.pure,
  example: { params: { file: 'letter' }, inputs: { spec: exampleSpec } },
  async execute({ params, inputs, context }) {
    const wanted = requiredFile(inputs.spec, params.file, 'docx');
    const bytes = await writeDocx(wanted.content);
    return { file: await context.files.write(baseName(wanted.path), mediaTypeOf.docx, bytes) };
  },
});
