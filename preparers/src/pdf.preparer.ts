import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { baseName, mediaTypeOf, requiredFile } from '@cua-forge/spec/required-file';
import { TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { exampleSpec } from './example-spec.ts';
import { writePdf } from './write-pdf.ts';

/** Makes the PDF that a specification requires. Equal specifications give equal bytes. */
export const pdf = defineKind({
  id: 'preparer.pdf',
  version: 1,
  title: 'Prepare PDF',
  doc: 'Lays out required pages, as of an invoice or a letter, as a PDF file.',
  params: z.strictObject({ file: z.string().min(1).describe('Id of the required file.') }),
  inputs: { spec: input('spec', TaskSpecification, 'The shared specification.') },
  outputs: { file: output('file', FileValue, 'The .pdf file, named as in its path.') },
  policy: policies.pure,
  example: { params: { file: 'invoice' }, inputs: { spec: exampleSpec } },
  async execute({ params, inputs, context }) {
    const wanted = requiredFile(inputs.spec, params.file, 'pdf');
    const bytes = await writePdf(wanted.content);
    return { file: await context.files.write(baseName(wanted.path), mediaTypeOf.pdf, bytes) };
  },
});
