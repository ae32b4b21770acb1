import { cellAddress } from '@cua-forge/spec/cell-address';
import type { Cell, Workbook } from '@cua-forge/spec/task';
import ExcelJS from 'exceljs';

export interface CellCheck {
  sheet: string;
  /** For example `K2`. */
  cell: string;
  value: string | number | boolean;
}

/** The cells that hold another value in the expected workbook than in the prepared file; those that become empty are left out. */
export async function changedCells(prepared: Uint8Array, expected: Workbook): Promise<CellCheck[]> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(prepared).buffer);
  const before = (sheet: string, cell: string): unknown => {
    const value = book.getWorksheet(sheet)?.getCell(cell).value;
    if (value instanceof Date) return value.toISOString().slice(0, 10);
    return typeof value === 'object' && value !== null && 'result' in value ? value.result : value;
  };
  const checks: CellCheck[] = [];
  for (const sheet of expected.sheets) {
    const add = (cell: string, content: Cell): void => {
      const value = typeof content === 'object' && content !== null ? (content.result ?? null) : content;
      if (value === null || same(before(sheet.name, cell), value)) return;
      checks.push({ sheet: sheet.name, cell, value });
    };
    for (const [cell, content] of Object.entries(sheet.notes)) add(cell, content);
    sheet.columns.forEach(({ name }, column) => {
      if (name !== '') add(cellAddress(sheet.headerRow, sheet.firstColumn + column), name);
    });
    sheet.rows.forEach((row, index) => {
      row.forEach((content, column) => {
        add(cellAddress(sheet.headerRow + 1 + index, sheet.firstColumn + column), content);
      });
    });
  }
  return checks;
}

const same = (before: unknown, after: string | number | boolean): boolean =>
  typeof before === 'number' && typeof after === 'number' ? Math.abs(before - after) < 1e-9 : before === after;
