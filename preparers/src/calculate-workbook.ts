import { cellAddress } from '@cua-forge/spec/cell-address';
import type { OfficePort } from '@cua-forge/spec/kind';
import type { Cell, Workbook } from '@cua-forge/spec/task';
import ExcelJS from 'exceljs';

type Which = 'missing' | 'all';

const isFormula = (cell: Cell | undefined): cell is Extract<Cell, { formula: string }> =>
  typeof cell === 'object' && cell !== null;

const isWanted = (cell: Cell | undefined, which: Which) =>
  isFormula(cell) && (which === 'all' || cell.result === undefined);

/** How many formulas of a workbook have to be calculated. */
export function formulasToCalculate(workbook: Workbook, which: Which): number {
  return workbook.sheets
    .flatMap((sheet) => [...Object.values(sheet.notes), ...sheet.rows.flat()])
    .filter((cell) => isWanted(cell, which)).length;
}

/** What a calculated cell shows: dates as ISO texts, errors as their text. */
function resultOf(cell: ExcelJS.Cell): string | number | boolean | null {
  const value: unknown = cell.formula === undefined ? cell.value : cell.result;
  if (value instanceof Date)
    return value
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .slice(0, 19);
  if (typeof value === 'object' && value !== null && 'error' in value) return String(value.error);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/**
 * The workbook with the results of its formulas, as LibreOffice calculates them from `bytes`, the same workbook written.
 * @throws ForgeError `tool.missing` where LibreOffice is not installed, `file.unreadable` for a workbook it does not load
 */
export async function withResults(
  workbook: Workbook,
  bytes: Uint8Array,
  which: Which,
  office: OfficePort,
  signal: AbortSignal,
): Promise<Workbook> {
  const calculated = new ExcelJS.Workbook();
  const made = await office.convert('calculate.xlsx', bytes, 'xlsx', signal);
  await calculated.xlsx.load(new Uint8Array(made).buffer);
  return {
    ...workbook,
    sheets: workbook.sheets.map((sheet) => {
      const target = calculated.getWorksheet(sheet.name);
      const filled = (cell: Cell, address: string): Cell => {
        if (target === undefined || !isFormula(cell) || !isWanted(cell, which)) return cell;
        const result = resultOf(target.getCell(address));
        return result === null ? { formula: cell.formula } : { formula: cell.formula, result };
      };
      return {
        ...sheet,
        notes: Object.fromEntries(
          Object.entries(sheet.notes).map(([address, cell]) => [address, filled(cell, address)]),
        ),
        rows: sheet.rows.map((row, down) =>
          row.map((cell, across) => filled(cell, cellAddress(sheet.headerRow + 1 + down, sheet.firstColumn + across))),
        ),
      };
    }),
  };
}
