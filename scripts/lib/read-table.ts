import type { Sheet } from '@cua-forge/spec/task';
import ExcelJS from 'exceljs';

export type Seen = string | number | boolean | null;

/** What a cell shows: results of formulas, days as ISO texts. */
export function seenIn(cell: ExcelJS.Cell): Seen {
  const value: unknown = cell.type === ExcelJS.ValueType.Formula ? cell.result : cell.value;
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === 'object' && value !== null && 'error' in value) return String(value.error);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

export async function loadBook(bytes: Uint8Array): Promise<ExcelJS.Workbook> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(bytes).buffer);
  return book;
}

/** Rows below the headings of a sheet of a file, by heading, until a row whose cells are all empty; `place` says where the headings are. */
export function readRows(
  book: ExcelJS.Workbook,
  place: Pick<Sheet, 'name' | 'headerRow' | 'firstColumn'>,
): Record<string, Seen>[] {
  const sheet = book.getWorksheet(place.name);
  if (sheet === undefined) throw new Error(`no sheet ${place.name}`);
  const headings: string[] = [];
  for (let column = place.firstColumn; ; column += 1) {
    const heading = seenIn(sheet.getCell(place.headerRow, column));
    if (heading === null) break;
    headings.push(String(heading));
  }
  const rows: Record<string, Seen>[] = [];
  for (let row = place.headerRow + 1; ; row += 1) {
    const cells = headings.map((_, index) => seenIn(sheet.getCell(row, place.firstColumn + index)));
    if (cells.every((cell) => cell === null)) return rows;
    rows.push(Object.fromEntries(headings.map((heading, index) => [heading, cells[index] ?? null])));
  }
}
