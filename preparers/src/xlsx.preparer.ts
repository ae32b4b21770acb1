import { toForgeError } from '@cua-forge/spec/errors';
import { defineKind, type ExecuteContext, input, output, policies } from '@cua-forge/spec/kind';
import { baseName, mediaTypeOf, requiredFile } from '@cua-forge/spec/required-file';
import { TaskSpecification, type Workbook } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { formulasToCalculate, withResults } from './calculate-workbook.ts';
import { exampleSpec } from './example-spec.ts';
import { writeXlsx } from './write-xlsx.ts';

type Calculate = 'missing' | 'all' | 'never';

/** Without LibreOffice missing results stay missing: applications calculate them when they load the file. */
async function calculated(workbook: Workbook, calculate: Calculate, context: ExecuteContext): Promise<Workbook> {
  if (calculate === 'never') return workbook;
  const count = formulasToCalculate(workbook, calculate);
  if (count === 0) return workbook;
  context.progress(`Calculating ${count} formulas`);
  try {
    return await withResults(workbook, await writeXlsx(workbook), calculate, context.office, context.signal);
  } catch (thrown) {
    if (calculate === 'all' || toForgeError(thrown).code !== 'tool.missing') throw thrown;
    context.progress(`${count} formulas have no cached result: LibreOffice is not installed here`);
    return workbook;
  }
}

/**
 * Makes the workbook that a specification requires. Equal specifications give equal bytes. Formulas whose results the
 * specification does not give are calculated by LibreOffice, where it is installed.
 */
export const xlsx = defineKind({
  id: 'preparer.xlsx',
  version: 2,
  title: 'Prepare workbook',
  doc: 'Writes a required workbook as an .xlsx file: cells, formulas with results, styles, tables, conditional formats, validations and names.',
  params: z.strictObject({
    file: z.string().min(1).describe('Id of the required file.'),
    calculate: z
      .enum(['missing', 'all', 'never'])
      .default('missing')
      .describe('Which results of formulas LibreOffice calculates: those not given, all of them, or none.'),
  }),
  inputs: { spec: input('spec', TaskSpecification, 'The shared specification.') },
  outputs: { file: output('file', FileValue, 'The .xlsx file, named as in its path.') },
  policy: { ...policies.pure, timeoutMs: policies.heavy.timeoutMs },
  migrations: { 1: (params) => params },
  example: { params: { file: 'book' }, inputs: { spec: exampleSpec } },
  async execute({ params, inputs, context }) {
    const wanted = requiredFile(inputs.spec, params.file, 'xlsx');
    const bytes = await writeXlsx(await calculated(wanted.content, params.calculate, context));
    return { file: await context.files.write(baseName(wanted.path), mediaTypeOf.xlsx, bytes) };
  },
});
