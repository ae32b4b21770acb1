import { cellAddress } from '@cua-forge/spec/cell-address';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Cell, Column, Sheet, Workbook } from '@cua-forge/spec/task';
import ExcelJS from 'exceljs';
import { isoText } from './cell-values.ts';
import { columnTypeOf } from './column-types.ts';
import { findTable, type Grid, type TableRegion } from './table-region.ts';
import { unpackedSize } from './zip-size.ts';

/** Sheets are read up to here; what lies beyond is nearly always formatting alone. */
const limits = { rows: 100_000, columns: 512, unpacked: 300 * 1024 * 1024 };

type Scalar = string | number | boolean | null;

function scalarOf(value: ExcelJS.CellValue | undefined): Scalar {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '#VALUE!' : isoText(value);
  if (typeof value !== 'object') return value;
  if ('error' in value) return value.error;
  if ('richText' in value) return value.richText.map((part) => part.text).join('');
  if ('hyperlink' in value) return typeof value.text === 'string' ? value.text : scalarOf(value.text);
  return null;
}

function cellOf(cell: ExcelJS.Cell): Cell {
  if (cell.isMerged && cell.master.address !== cell.address) return null;
  const formula: string | undefined = cell.formula;
  if (typeof formula !== 'string' || formula === '') return scalarOf(cell.value);
  const result = scalarOf(cell.result);
  return result === null ? { formula } : { formula, result };
}

function gridOf(sheet: ExcelJS.Worksheet): Grid {
  const rows: Cell[][] = [];
  sheet.eachRow((row, number) => {
    if (number > limits.rows) return;
    const cells: Cell[] = [];
    row.eachCell((cell, column) => {
      if (column <= limits.columns) cells[column - 1] = cellOf(cell);
    });
    rows[number - 1] = cells;
  });
  return Array.from(rows, (cells) => Array.from(cells ?? [], (cell) => cell ?? null));
}

/** The format that most filled cells of a column have. */
function formatOf(sheet: ExcelJS.Worksheet, region: TableRegion, column: number): string | undefined {
  const counts = new Map<string, number>();
  for (let row = region.headerRow + 1; row <= Math.min(region.lastRow, region.headerRow + 500); row += 1) {
    const cell = sheet.getCell(row + 1, column + 1);
    if (cell.value === null || typeof cell.numFmt !== 'string' || cell.numFmt === 'General') continue;
    counts.set(cell.numFmt, (counts.get(cell.numFmt) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function columnOf(sheet: ExcelJS.Worksheet, grid: Grid, region: TableRegion, column: number): Column {
  const name = scalarOf(
    sheet.getCell(region.headerRow + 1, column + 1).result ?? sheet.getCell(region.headerRow + 1, column + 1).value,
  );
  const cells = grid.slice(region.headerRow + 1, region.lastRow + 1).map((row) => row[column]);
  const format = formatOf(sheet, region, column);
  const columnWidth = sheet.getColumn(column + 1).width;
  return {
    name: name === null ? '' : String(name).trim(),
    type: columnTypeOf(cells, format, 'formatted'),
    ...(format === undefined ? {} : { format }),
    ...(columnWidth === undefined || columnWidth <= 0 ? {} : { width: columnWidth }),
  };
}

const argb = (color: Partial<ExcelJS.Color> | undefined) => {
  const value = color?.argb?.toUpperCase();
  return value !== undefined && /^[0-9A-F]{8}$/.test(value) ? value : undefined;
};

function styleOf(sheet: ExcelJS.Worksheet, region: TableRegion): Sheet['style'] {
  const header = sheet.getCell(region.headerRow + 1, region.firstColumn + 1);
  const fill =
    header.fill?.type === 'pattern' && header.fill.pattern === 'solid' ? argb(header.fill.fgColor) : undefined;
  const font = fill === undefined ? undefined : argb(header.font?.color);
  const frozen = sheet.views.some((view) => view.state === 'frozen' && (view.ySplit ?? 0) === region.headerRow + 1);
  return {
    ...(fill === undefined ? {} : { headerFill: fill }),
    ...(font === undefined ? {} : { headerFont: font }),
    ...(frozen ? { freezeHeader: true } : {}),
    ...(sheet.autoFilter ? { autoFilter: true } : {}),
  };
}

/** Filled cells outside the table, by address. */
function notesOf(grid: Grid, region: TableRegion): Record<string, Cell> {
  const notes: Record<string, Cell> = {};
  grid.forEach((cells, row) => {
    cells.forEach((cell, column) => {
      const inside =
        row >= region.headerRow && row <= region.lastRow && column >= region.firstColumn && column <= region.lastColumn;
      if (!inside && cell !== null && cell !== undefined && cell !== '') notes[cellAddress(row + 1, column + 1)] = cell;
    });
  });
  return notes;
}

function sheetOf(sheet: ExcelJS.Worksheet): Sheet | undefined {
  const grid = gridOf(sheet);
  const region = findTable(grid);
  if (region === undefined) return undefined;
  const columns: Column[] = [];
  for (let column = region.firstColumn; column <= region.lastColumn; column += 1) {
    columns.push(columnOf(sheet, grid, region, column));
  }
  return {
    name: sheet.name.slice(0, 31),
    notes: notesOf(grid, region),
    headerRow: region.headerRow + 1,
    firstColumn: region.firstColumn + 1,
    columns,
    rows: grid
      .slice(region.headerRow + 1, region.lastRow + 1)
      .map((row) => columns.map((_, offset) => row[region.firstColumn + offset] ?? null)),
    style: styleOf(sheet, region),
  };
}

const unreadable = (name: string, why: string, fix: string, cause?: unknown) =>
  new ForgeError('file.unreadable', `${name} cannot be read: ${why}`, { fix, place: { file: name }, cause });

/**
 * Reads an .xlsx file. Sheets without any cell are left out and listed in `emptySheets`.
 * @throws ForgeError `file.unreadable` (damaged, encrypted, without cells), `file.unsupported` (the old binary format)
 */
export async function readXlsx(
  name: string,
  bytes: Uint8Array,
): Promise<{ workbook: Workbook; emptySheets: string[] }> {
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0) {
    throw unreadable(name, 'it is encrypted, or an old .xls file.', 'Save it as .xlsx without a password.');
  }
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b)
    throw unreadable(name, 'it is not an .xlsx file.', 'Save it as .xlsx again.');
  const unpacked = unpackedSize(bytes);
  if (unpacked === undefined) throw unreadable(name, 'it is cut off or damaged.', 'Save it as .xlsx again.');
  if (unpacked > limits.unpacked) {
    throw unreadable(name, `it unpacks to ${Math.round(unpacked / 1024 / 1024)} MB.`, 'Give a smaller workbook.');
  }
  const book = new ExcelJS.Workbook();
  try {
    await book.xlsx.load(new Uint8Array(bytes).buffer);
  } catch (cause) {
    throw unreadable(
      name,
      'it is damaged, or not a workbook.',
      'Open it in a spreadsheet application and save it again.',
      cause,
    );
  }
  const sheets: Sheet[] = [];
  const emptySheets: string[] = [];
  for (const worksheet of book.worksheets) {
    const sheet = sheetOf(worksheet);
    if (sheet === undefined) emptySheets.push(worksheet.name);
    else sheets.push(sheet);
  }
  if (sheets.length === 0) throw unreadable(name, 'none of its sheets has a cell.', 'Give a workbook with data in it.');
  // A workbook without a bookViews part has no views at all, whatever the library's types say.
  const views: ExcelJS.WorkbookView[] | undefined = book.views;
  const active = book.worksheets[views?.[0]?.activeTab ?? 0]?.name.slice(0, 31);
  const shownFirst = sheets.some((sheet) => sheet.name === active) ? active : undefined;
  return { workbook: { sheets, ...(shownFirst === undefined ? {} : { activeSheet: shownFirst }) }, emptySheets };
}
