import { ForgeError } from '@cua-forge/spec/errors';
import { JsonObject } from '@cua-forge/spec/json';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { type Sheet, Table, Workbook } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { isEmpty } from './cell-values.ts';
import { readCsv } from './read-csv.ts';
import { readText } from './read-text.ts';
import { readXlsx } from './read-xlsx.ts';

/** Largest file that is read, in bytes. */
export const FILE_LIMIT = 20 * 1024 * 1024;

const sheetSummary = (sheet: Sheet) => ({
  name: sheet.name,
  rows: sheet.rows.length,
  headerRow: sheet.headerRow,
  firstColumn: sheet.firstColumn,
  columns: sheet.columns.map((column, index) => ({
    name: column.name,
    type: column.type,
    filled: sheet.rows.filter((row) => !isEmpty(row[index])).length,
  })),
  formulas: sheet.rows.flat().filter((cell) => typeof cell === 'object' && cell !== null).length,
  cellsBesideTable: Object.keys(sheet.notes).length,
});

const tableOf = (sheet: Sheet): Table => ({ columns: sheet.columns, rows: sheet.rows });

/** The sheet with the most filled cells. */
const mainSheet = (workbook: Workbook): Sheet | undefined =>
  [...workbook.sheets].sort((a, b) => b.rows.length * b.columns.length - a.rows.length * a.columns.length)[0];

/**
 * Reads a file by its extension: .xlsx and .csv (.tsv) give a workbook and its largest table, .txt and .md give text.
 * Fails with `file.unreadable` or `file.unsupported`, naming the file.
 */
export const file = defineKind({
  id: 'data.file',
  version: 1,
  title: 'Input file',
  doc: 'Reads a workbook, a CSV file or a text file that the user gave.',
  params: z.strictObject({
    expect: z
      .enum(['workbook', 'text'])
      .optional()
      .describe('Refuse a file that gives none; left out, any file that is read.'),
  }),
  inputs: { file: input('file', FileValue, 'An .xlsx, .csv, .tsv, .txt or .md file of at most 20 MB.') },
  outputs: {
    workbook: output(
      'workbook',
      Workbook,
      'Sheets with their tables, formats, styles, formulas and the cells beside them.',
    ),
    table: output('table', Table, 'The largest table.'),
    text: output('text', z.string(), 'The text of a text file.'),
    file: output('file', FileValue, 'The same file.'),
    summary: output('json', JsonObject, 'Sheets, row counts and columns with their types.'),
  },
  policy: policies.pure,
  example: {
    params: {},
    inputs: {
      file: {
        name: 'orders.csv',
        mediaType: 'text/csv',
        text: 'Date,Region,Amount\n2024-01-05,North,120.5\n2024-02-11,South,80\n',
      },
    },
  },
  async execute({ params, inputs, context }) {
    const { name, size } = inputs.file;
    if (size > FILE_LIMIT) {
      throw new ForgeError(
        'file.unsupported',
        `${name} is too large: ${Math.ceil(size / 1024 / 1024)} MB, at most 20 MB.`,
        {
          fix: 'Give a smaller file, for example with fewer rows.',
          place: { file: name },
        },
      );
    }
    const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
    const gives = ['txt', 'md'].includes(extension) ? 'text' : 'workbook';
    if (params.expect !== undefined && params.expect !== gives) {
      throw new ForgeError(
        'file.unsupported',
        `${name} is no ${params.expect === 'text' ? 'text file' : 'workbook'}.`,
        {
          fix: params.expect === 'text' ? 'Give a .txt or .md file.' : 'Give an .xlsx or .csv file.',
          place: { file: name },
        },
      );
    }
    const bytes = await context.files.read(inputs.file);
    switch (extension) {
      case 'xlsx':
      case 'xlsm': {
        const { workbook, emptySheets } = await readXlsx(name, bytes);
        const main = mainSheet(workbook);
        const summary = { type: 'workbook', name, sheets: workbook.sheets.map(sheetSummary), emptySheets };
        return { workbook, file: inputs.file, summary, ...(main === undefined ? {} : { table: tableOf(main) }) };
      }
      case 'csv':
      case 'tsv': {
        const sheet = readCsv(name, bytes);
        const summary = { type: 'table', name, sheets: [sheetSummary(sheet)], emptySheets: [] };
        return {
          workbook: { sheets: [sheet], activeSheet: sheet.name },
          table: tableOf(sheet),
          file: inputs.file,
          summary,
        };
      }
      case 'txt':
      case 'md': {
        const text = readText(name, bytes);
        const words = text.split(/\s+/).filter((word) => word !== '').length;
        return { text, file: inputs.file, summary: { type: 'text', name, lines: text.split('\n').length, words } };
      }
      default:
        throw new ForgeError('file.unsupported', `${name} is of a type that is not read.`, {
          fix: 'Give an .xlsx, .csv, .tsv, .txt or .md file.',
          place: { file: name },
        });
    }
  },
});
