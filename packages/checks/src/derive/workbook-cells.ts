import { cellAddress } from '@cua-forge/spec/cell-address';
import type { Cell, ColumnType, Sheet, Workbook } from '@cua-forge/spec/task';

/** A cell of a workbook that is given as data. `value` is null where it is empty or, with `formula`, not known. */
export interface PlannedCell {
  row: number;
  column: number;
  value: string | number | boolean | null;
  formula: boolean;
  type: ColumnType;
}

function planned(cell: Cell, row: number, column: number, type: ColumnType): PlannedCell {
  if (typeof cell !== 'object' || cell === null)
    return { row, column, value: cell === '' ? null : cell, formula: false, type };
  return { row, column, value: cell.result ?? null, formula: true, type };
}

/** Filled cells of a sheet by address, as the preparer writes them. */
export function cellsOfSheet(sheet: Sheet): Map<string, PlannedCell> {
  const found = new Map<string, PlannedCell>();
  const put = (cell: PlannedCell) => {
    if (cell.value !== null || cell.formula) found.set(cellAddress(cell.row, cell.column), cell);
  };
  for (const [address, cell] of Object.entries(sheet.notes)) {
    const match = /^([A-Z]+)(\d+)$/.exec(address);
    const column = [...(match?.[1] ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    put(planned(cell, Number(match?.[2]), column, 'text'));
  }
  sheet.columns.forEach((column, index) => {
    put(planned(column.name, sheet.headerRow, sheet.firstColumn + index, 'text'));
  });
  sheet.rows.forEach((row, down) => {
    sheet.columns.forEach((column, index) => {
      put(planned(row[index] ?? null, sheet.headerRow + 1 + down, sheet.firstColumn + index, column.type));
    });
  });
  return found;
}

export const sheetNamed = (workbook: Workbook, name: string): Sheet | undefined =>
  workbook.sheets.find((sheet) => sheet.name === name);

/** Whether two cells hold the same as far as that is known. */
export const sameCell = (a: PlannedCell | undefined, b: PlannedCell | undefined): boolean =>
  a?.value === b?.value && (a?.formula ?? false) === (b?.formula ?? false);
