import { ForgeError } from '@cua-forge/spec/errors';
import { JsonObject } from '@cua-forge/spec/json';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { type Sheet, Table, Workbook } from '@cua-forge/spec/task';
import { blockText, TextDocument } from '@cua-forge/spec/text-document';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { isEmpty } from './cell-values.ts';
import { readCsv } from './read-csv.ts';
import { type ReadDocument, readDocx } from './read-docx.ts';
import { PdfPage, readPdf } from './read-pdf.ts';
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

const countWords = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;

function documentSummary(name: string, { document, images }: ReadDocument, text: string) {
  const paragraphs = document.blocks.filter((block) => block.type === 'paragraph');
  const styles: Record<string, number> = {};
  for (const { style } of paragraphs) styles[style] = (styles[style] ?? 0) + 1;
  return {
    type: 'document',
    name,
    paragraphs: paragraphs.length,
    styles,
    headings: paragraphs.filter((each) => /^(?:Title|Heading \d)$/.test(each.style)).map(blockText),
    tables: document.blocks.filter((block) => block.type === 'table').length,
    images,
    words: countWords(text),
    header: document.header.map(blockText).join('\n'),
    footer: document.footer.map(blockText).join('\n'),
  };
}

/** What each extension gives. */
const contents: Record<string, 'workbook' | 'text' | 'document' | 'pdf'> = {
  xlsx: 'workbook',
  xlsm: 'workbook',
  csv: 'workbook',
  tsv: 'workbook',
  txt: 'text',
  md: 'text',
  docx: 'document',
  pdf: 'pdf',
};
const expectations = {
  workbook: { name: 'workbook', fix: 'Give an .xlsx or .csv file.' },
  text: { name: 'text file', fix: 'Give a .txt or .md file.' },
  document: { name: 'text document', fix: 'Give a .docx file.' },
  pdf: { name: 'PDF', fix: 'Give a .pdf file.' },
} as const;

/**
 * Reads a file by its extension: .xlsx and .csv (.tsv) give a workbook and its largest table, .txt and .md give text, .docx gives
 * a document and its text, .pdf gives pages and their text. Fails with `file.unreadable` or `file.unsupported`, naming the file.
 */
export const file = defineKind({
  id: 'data.file',
  version: 2,
  title: 'Input file',
  doc: 'Reads a workbook, a CSV file, a text file, a text document or a PDF that the user gave.',
  params: z.strictObject({
    expect: z
      .enum(['workbook', 'text', 'document', 'pdf'])
      .optional()
      .describe('Refuse a file that gives none; left out, any file that is read.'),
  }),
  inputs: { file: input('file', FileValue, 'An .xlsx, .csv, .tsv, .txt, .md, .docx or .pdf file of at most 20 MB.') },
  outputs: {
    workbook: output(
      'workbook',
      Workbook,
      'Sheets with their tables, formats, styles, formulas and the cells beside them.',
    ),
    table: output('table', Table, 'The largest table.'),
    text: output('text', z.string(), 'The text of a text file, a text document or a PDF.'),
    document: output(
      'json',
      TextDocument,
      'Paragraphs with styles and looks, tables, pictures, header, footer and page.',
    ),
    pages: output('list', z.array(PdfPage), 'Size and text of each page of a PDF.'),
    file: output('file', FileValue, 'The same file.'),
    summary: output(
      'json',
      JsonObject,
      'Sheets, row counts and columns with their types; for texts their length, headings and styles.',
    ),
  },
  policy: policies.pure,
  migrations: { 1: (params) => params },
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
    const gives = contents[extension];
    if (gives !== undefined && params.expect !== undefined && params.expect !== gives) {
      const { name: wanted, fix } = expectations[params.expect];
      throw new ForgeError('file.unsupported', `${name} is no ${wanted}.`, { fix, place: { file: name } });
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
        const summary = { type: 'text', name, lines: text.split('\n').length, words: countWords(text) };
        return { text, file: inputs.file, summary };
      }
      case 'docx': {
        const read = readDocx(name, bytes);
        const text = read.document.blocks.map(blockText).join('\n');
        return { document: read.document, text, file: inputs.file, summary: documentSummary(name, read, text) };
      }
      case 'pdf': {
        const pages = await readPdf(name, bytes, context.signal);
        const text = pages.map((page) => page.text).join('\n\n');
        return {
          pages,
          text,
          file: inputs.file,
          summary: { type: 'pdf', name, pages: pages.length, words: countWords(text) },
        };
      }
      default:
        throw new ForgeError('file.unsupported', `${name} is of a type that is not read.`, {
          fix: 'Give an .xlsx, .csv, .tsv, .txt, .md, .docx or .pdf file.',
          place: { file: name },
        });
    }
  },
});
