import { cellAddress, parseAddress } from '@cua-forge/spec/cell-address';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Cell, Column, Sheet, Workbook } from '@cua-forge/spec/task';
import type { TableObject } from '@cua-forge/spec/workbook-features';
import ExcelJS from 'exceljs';
import { writeFeatures } from './write-features.ts';
import { fixZipTimes } from './zip-times.ts';

const createdAt = new Date(Date.UTC(2024, 0, 1));
const bandFill = 'FFF2F2F2';

const defaultFormats: Partial<Record<Column['type'], string>> = {
  date: 'yyyy-mm-dd',
  currency: '#,##0.00',
  percent: '0.0%',
};

function dateOf(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const date = new Date(text.length === 10 ? `${text}T00:00:00Z` : `${text.replace(' ', 'T').replace(/Z?$/, '')}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** ISO text in a date column becomes a date; everything else is written as it is. */
function scalar(
  value: string | number | boolean | null,
  type: Column['type'],
): string | number | boolean | Date | null {
  return type === 'date' && typeof value === 'string' ? (dateOf(value) ?? value) : value;
}

function cellValue(cell: Cell, type: Column['type']): ExcelJS.CellValue {
  if (typeof cell !== 'object' || cell === null) return scalar(cell, type);
  const formula = cell.formula.replace(/^=/, '');
  const result = cell.result === undefined ? null : scalar(cell.result, type);
  return result === null ? { formula, date1904: false } : { formula, result, date1904: false };
}

const solid = (argb: string): ExcelJS.Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });

function writeNotes(target: ExcelJS.Worksheet, sheet: Sheet): void {
  for (const [address, cell] of Object.entries(sheet.notes)) {
    const written = target.getCell(address);
    written.value = cellValue(cell, 'text');
    const place = parseAddress(address);
    // The first line above a table is its title.
    if (place !== undefined && place.row === 1 && place.row < sheet.headerRow) written.font = { bold: true, size: 14 };
  }
}

/** The library takes a width of 9 for its default and leaves it out; other applications have another default. */
const writtenWidth = (width: number) => (width === 9 ? 9.001 : width);

function writeHeader(target: ExcelJS.Worksheet, sheet: Sheet): void {
  sheet.columns.forEach((column, index) => {
    const cell = target.getCell(sheet.headerRow, sheet.firstColumn + index);
    cell.value = column.name;
    cell.font = {
      bold: true,
      ...(sheet.style.headerFont === undefined ? {} : { color: { argb: sheet.style.headerFont } }),
    };
    if (sheet.style.headerFill !== undefined) cell.fill = solid(sheet.style.headerFill);
    if (column.width !== undefined) target.getColumn(sheet.firstColumn + index).width = writtenWidth(column.width);
  });
}

function writeRows(target: ExcelJS.Worksheet, sheet: Sheet): void {
  sheet.rows.forEach((row, rowIndex) => {
    sheet.columns.forEach((column, index) => {
      const value = row[index] ?? null;
      const cell = target.getCell(sheet.headerRow + 1 + rowIndex, sheet.firstColumn + index);
      if (value !== null) cell.value = cellValue(value, column.type);
      const format = column.format ?? defaultFormats[column.type];
      if (format !== undefined) cell.numFmt = format;
      if (sheet.style.banded === true && rowIndex % 2 === 1) cell.fill = solid(bandFill);
    });
  });
}

function writeSheet(book: ExcelJS.Workbook, sheet: Sheet): void {
  const xSplit = sheet.style.frozenColumns ?? 0;
  const ySplit = sheet.style.freezeHeader === true ? sheet.headerRow : 0;
  const target = book.addWorksheet(sheet.name, {
    views: [xSplit + ySplit > 0 ? { state: 'frozen', xSplit, ySplit } : { state: 'normal' }],
  });
  writeNotes(target, sheet);
  if (sheet.table !== undefined) writeTable(target, sheet, sheet.table);
  writeHeader(target, sheet);
  writeRows(target, sheet);
  // A table object has filter buttons of its own.
  if (sheet.style.autoFilter === true && sheet.table === undefined) {
    target.autoFilter = {
      from: { row: sheet.headerRow, column: sheet.firstColumn },
      to: { row: sheet.headerRow + sheet.rows.length, column: sheet.firstColumn + sheet.columns.length - 1 },
    };
  }
  writeFeatures(target, sheet);
}

/** The cells themselves are written afterwards, as those of any sheet. */
function writeTable(target: ExcelJS.Worksheet, sheet: Sheet, table: TableObject): void {
  target.addTable({
    name: table.name,
    ref: cellAddress(sheet.headerRow, sheet.firstColumn),
    headerRow: true,
    style: { theme: tableTheme(table.theme), showRowStripes: table.banded },
    columns: sheet.columns.map(({ name }) => ({ name, filterButton: true })),
    rows: sheet.rows.map(() => sheet.columns.map(() => null)),
  });
}

type Theme = NonNullable<ExcelJS.TableStyleProperties['theme']>;
const isTheme = (text: string): text is Theme => /^TableStyle(Light|Medium|Dark)\d{1,2}$/.test(text);
const tableTheme = (text: string): Theme => (isTheme(text) ? text : 'TableStyleMedium2');

/** What a spreadsheet application would refuse to load or mend without asking. */
function tableProblems(workbook: Workbook): string[] {
  const names = [
    ...workbook.sheets.flatMap(({ table }) => (table === undefined ? [] : [table.name])),
    ...(workbook.definedNames ?? []).map(({ name }) => name),
  ].map((name) => name.toLowerCase());
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...[...new Set(repeated)].map((name) => `two tables or ranges have the name ${name}`),
    ...names
      .filter((name) => parseAddress(name.toUpperCase()) !== undefined)
      .map((name) => `${name} is the address of a cell`),
    ...workbook.sheets.flatMap(({ name, table, columns, rows }) => {
      if (table === undefined) return [];
      const headings = columns.map((column) => column.name.toLowerCase());
      return [
        ...(headings.some((heading, index) => heading === '' || headings.indexOf(heading) !== index)
          ? [`the table on ${name} has an empty or repeated heading`]
          : []),
        ...(rows.length === 0 ? [`the table on ${name} has no row`] : []),
      ];
    }),
  ];
}

function check(workbook: Workbook): void {
  const names = workbook.sheets.map((sheet) => sheet.name.toLowerCase());
  const wrong = workbook.sheets.find(
    (sheet, index) => /[[\]*?:/\\]|^'|'$/.test(sheet.name) || names.indexOf(sheet.name.toLowerCase()) !== index,
  );
  if (wrong !== undefined) {
    throw new ForgeError(
      'input.invalid',
      `"${wrong.name}" cannot be the name of a sheet: it is taken, or has one of [ ] * ? : / \\.`,
      {
        fix: 'Give every sheet a name of its own without these characters.',
      },
    );
  }
  const problems = tableProblems(workbook);
  if (problems.length > 0)
    throw new ForgeError('input.invalid', `The workbook cannot be written: ${problems.join('; ')}.`, {
      fix: 'Give tables and ranges names of their own, and tables at least one row and a heading of its own per column.',
    });
}

/**
 * Writes a workbook as .xlsx. Equal workbooks give equal bytes.
 * @throws ForgeError `input.invalid` for names of sheets, tables and ranges that spreadsheets refuse
 */
export async function writeXlsx(workbook: Workbook): Promise<Uint8Array> {
  check(workbook);
  const book = new ExcelJS.Workbook();
  book.creator = 'CUA Forge';
  book.lastModifiedBy = 'CUA Forge';
  book.created = createdAt;
  book.modified = createdAt;
  const active = Math.max(
    0,
    workbook.sheets.findIndex((sheet) => sheet.name === workbook.activeSheet),
  );
  book.views = [{ x: 0, y: 0, width: 20_000, height: 12_000, firstSheet: 0, activeTab: active, visibility: 'visible' }];
  for (const sheet of workbook.sheets) writeSheet(book, sheet);
  for (const { name, refersTo } of workbook.definedNames ?? []) book.definedNames.add(refersTo, name);
  const bytes = new Uint8Array(await book.xlsx.writeBuffer());
  fixZipTimes(bytes);
  return bytes;
}
