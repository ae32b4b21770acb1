import { cellAddress } from '@cua-forge/spec/cell-address';
import type { Cell, Sheet, Workbook } from '@cua-forge/spec/task';
import ExcelJS from 'exceljs';
import type { Check } from './check.ts';
import { compareFeatures, compareNames, frozenAt } from './compare-features.ts';

export type { Check };

const MOST_DIFFERENCES = 5;

/** Stands for the result of a formula that is not specified. */
const ANY = 'any result';

/** What a cell holds, as text that can be compared: its type is part of it. */
type Seen = string;

const seenScalar = (value: unknown): Seen => {
  if (value === null || value === undefined || value === '') return 'empty';
  if (value instanceof Date) return `date ${value.toISOString().slice(0, 19)}`;
  if (typeof value === 'number') return `number ${Number(value.toPrecision(15))}`;
  return `${typeof value} ${JSON.stringify(value)}`;
};

function seenInFile(cell: ExcelJS.Cell): Seen {
  if (cell.type !== ExcelJS.ValueType.Formula) return seenScalar(cell.value);
  return `formula ${cell.formula} = ${seenScalar(cell.result)}`;
}

function expected(cell: Cell | undefined, isDate: boolean): Seen {
  if (typeof cell === 'object' && cell !== null) {
    const result = cell.result === undefined ? ANY : expected(cell.result, isDate);
    return `formula ${cell.formula.replace(/^=/, '')} = ${result}`;
  }
  if (isDate && typeof cell === 'string') {
    const [day, time] = cell.split(/[T ]/);
    if (day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day))
      return `date ${day}T${(time ?? '00:00:00').slice(0, 8).padEnd(8, ':00')}`;
  }
  return seenScalar(cell);
}

/** Every cell that a sheet of a specification fills, by address. */
function expectedCells(sheet: Sheet): Map<string, Seen> {
  const cells = new Map<string, Seen>();
  for (const [address, cell] of Object.entries(sheet.notes)) cells.set(address, expected(cell, false));
  sheet.columns.forEach((column, index) => {
    const at = sheet.firstColumn + index;
    cells.set(cellAddress(sheet.headerRow, at), seenScalar(column.name));
    sheet.rows.forEach((row, rowIndex) => {
      cells.set(cellAddress(sheet.headerRow + 1 + rowIndex, at), expected(row[index], column.type === 'date'));
    });
  });
  for (const [address, seen] of cells) if (seen === 'empty') cells.delete(address);
  return cells;
}

function cellsInFile(sheet: ExcelJS.Worksheet): Map<string, Seen> {
  const cells = new Map<string, Seen>();
  sheet.eachRow((row) => {
    row.eachCell((cell) => {
      // Other cells of a merged range repeat what its first one holds.
      if (cell.isMerged && cell.master.address !== cell.address) return;
      const seen = seenInFile(cell);
      if (seen !== 'empty') cells.set(cell.address, seen);
    });
  });
  return cells;
}

function conclude(check: string, differences: readonly string[], fine: string): Check {
  if (differences.length === 0) return { check, ok: true, detail: fine };
  const more = differences.length > MOST_DIFFERENCES ? `; and ${differences.length - MOST_DIFFERENCES} more` : '';
  return { check, ok: false, detail: differences.slice(0, MOST_DIFFERENCES).join('; ') + more };
}

function compareCells(sheet: Sheet, actual: ExcelJS.Worksheet): Check {
  const wanted = expectedCells(sheet);
  const found = cellsInFile(actual);
  const differences: string[] = [];
  for (const [address, value] of wanted) {
    const seen = found.get(address) ?? 'empty';
    // Where no result is specified, any will do: applications calculate it.
    const same = seen === value || (value.endsWith(ANY) && seen.startsWith(value.slice(0, -ANY.length)));
    if (!same) differences.push(`${address}: expected ${value}, found ${seen}`);
  }
  for (const [address, seen] of found)
    if (!wanted.has(address)) differences.push(`${address}: expected empty, found ${seen}`);
  return conclude(
    `${sheet.name}: every cell`,
    differences,
    `${wanted.size} cells are as specified and no other is filled`,
  );
}

function compareFormats(sheet: Sheet, actual: ExcelJS.Worksheet): Check {
  const differences: string[] = [];
  sheet.columns.forEach((column, index) => {
    const at = sheet.firstColumn + index;
    if (column.width !== undefined && Math.abs((actual.getColumn(at).width ?? 0) - column.width) > 0.01) {
      differences.push(
        `width of ${column.name}: expected ${column.width}, found ${actual.getColumn(at).width ?? 'default'}`,
      );
    }
    if (column.format === undefined) return;
    sheet.rows.forEach((_, rowIndex) => {
      const cell = actual.getCell(sheet.headerRow + 1 + rowIndex, at);
      if (cell.numFmt !== column.format)
        differences.push(`${cell.address}: expected format ${column.format}, found ${cell.numFmt}`);
    });
  });
  return conclude(
    `${sheet.name}: formats and widths`,
    differences,
    'number formats and column widths are as specified',
  );
}

function compareLayout(sheet: Sheet, actual: ExcelJS.Worksheet): Check {
  const differences: string[] = [];
  const at = frozenAt(actual);
  const frozen = at.rows === sheet.headerRow;
  if (at.columns !== (sheet.style.frozenColumns ?? 0))
    differences.push(`frozen columns: expected ${sheet.style.frozenColumns ?? 0}, found ${at.columns}`);
  if (frozen !== (sheet.style.freezeHeader === true)) differences.push(`header ${frozen ? 'is' : 'is not'} frozen`);
  const filtered = actual.autoFilter !== undefined && actual.autoFilter !== null;
  if (sheet.table === undefined && filtered !== (sheet.style.autoFilter === true))
    differences.push(`filter ${filtered ? 'is' : 'is not'} set`);
  const { fill, font } = actual.getCell(sheet.headerRow, sheet.firstColumn);
  const fillColor = fill?.type === 'pattern' && fill.pattern === 'solid' ? fill.fgColor?.argb : undefined;
  const dressed = (sheet.cellStyles ?? []).some(({ style }) => style.fill !== undefined || style.font !== undefined);
  if (!dressed && fillColor !== sheet.style.headerFill)
    differences.push(`header fill: expected ${sheet.style.headerFill ?? 'none'}, found ${fillColor ?? 'none'}`);
  if (!dressed && sheet.style.headerFont !== undefined && font?.color?.argb !== sheet.style.headerFont) {
    differences.push(`header font: expected ${sheet.style.headerFont}, found ${font?.color?.argb ?? 'default'}`);
  }
  return conclude(`${sheet.name}: layout`, differences, 'frozen rows, filter and header style are as specified');
}

/** Compares the bytes of an .xlsx file with a specified workbook: sheets, cells, positions, formats, layout. */
export async function compareWorkbook(bytes: Uint8Array, workbook: Workbook): Promise<Check[]> {
  const book = new ExcelJS.Workbook();
  try {
    await book.xlsx.load(new Uint8Array(bytes).buffer);
  } catch (thrown) {
    return [
      { check: 'the file is a workbook', ok: false, detail: thrown instanceof Error ? thrown.message : String(thrown) },
    ];
  }
  const wanted = workbook.sheets.map((sheet) => sheet.name);
  const found = book.worksheets.map((sheet) => sheet.name);
  const same = wanted.length === found.length && wanted.every((name, index) => name === found[index]);
  const views: ExcelJS.WorkbookView[] | undefined = book.views;
  const active = found[views?.[0]?.activeTab ?? 0] ?? 'none';
  const first = workbook.activeSheet ?? wanted[0] ?? 'none';
  const checks: Check[] = [
    { check: 'sheets', ok: same, detail: `expected ${wanted.join(', ')}; found ${found.join(', ')}` },
    { check: 'sheet shown first', ok: active === first, detail: `expected ${first}; found ${active}` },
  ];
  for (const sheet of workbook.sheets) {
    const actual = book.getWorksheet(sheet.name);
    if (actual !== undefined)
      checks.push(
        compareCells(sheet, actual),
        compareFormats(sheet, actual),
        compareLayout(sheet, actual),
        ...compareFeatures(sheet, actual),
      );
  }
  checks.push(...compareNames(workbook, book));
  return checks;
}
