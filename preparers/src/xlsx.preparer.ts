import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { baseName, mediaTypeOf, requiredFile } from '@cua-forge/spec/required-file';
import { TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { exampleSpec } from './example-spec.ts';
import { writeXlsx } from './write-xlsx.ts';

/** Makes the workbook that a specification requires. Equal specifications give equal bytes. */
export const xlsx = defineKind({
  id: 'preparer.xlsx',
  version: 1,
  title: 'Prepare workbook',
  doc: 'Writes a required workbook as an .xlsx file with its styles, formats, widths, filters and formulas.',
  params: z.strictObject({ file: z.string().min(1).describe('Id of the required file.') }),
  inputs: { spec: input('spec', TaskSpecification, 'The shared specification.') },
  outputs: { file: output('file', FileValue, 'The .xlsx file, named as in its path.') },
  policy: policies.pure,
  example: { params: { file: 'book' }, inputs: { spec: exampleSpec } },
  async execute({ params, inputs, context }) {
    const wanted = requiredFile(inputs.spec, params.file, 'xlsx');
    const bytes = await writeXlsx(wanted.content);
    return { file: await context.files.write(baseName(wanted.path), mediaTypeOf.xlsx, bytes) };
  },
});
