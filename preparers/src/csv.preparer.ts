import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { baseName, mediaTypeOf, requiredFile } from '@cua-forge/spec/required-file';
import { type Cell, type Table, TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import Papa from 'papaparse';
import { z } from 'zod';
import { exampleSpec } from './example-spec.ts';

function field(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'object') return field(cell.result ?? null);
  return typeof cell === 'boolean' ? (cell ? 'TRUE' : 'FALSE') : String(cell);
}

/** A table as CSV by RFC 4180: comma, CRLF, quotation marks where needed, UTF-8. Formulas are written as their results. */
export function csvText(table: Table): string {
  const rows = table.rows.map((row) => table.columns.map((_, index) => field(row[index])));
  return `${Papa.unparse({ fields: table.columns.map((column) => column.name), data: rows }, { newline: '\r\n' })}\r\n`;
}

/** Makes the CSV file that a specification requires. */
export const csv = defineKind({
  id: 'preparer.csv',
  version: 1,
  title: 'Prepare CSV file',
  doc: 'Writes a required table as a CSV file.',
  params: z.strictObject({ file: z.string().min(1).describe('Id of the required file.') }),
  inputs: { spec: input('spec', TaskSpecification, 'The shared specification.') },
  outputs: { file: output('file', FileValue, 'The .csv file, named as in its path.') },
  policy: policies.pure,
  example: { params: { file: 'table' }, inputs: { spec: exampleSpec } },
  async execute({ params, inputs, context }) {
    const wanted = requiredFile(inputs.spec, params.file, 'csv');
    const bytes = new TextEncoder().encode(csvText(wanted.content));
    return { file: await context.files.write(baseName(wanted.path), mediaTypeOf.csv, bytes) };
  },
});
