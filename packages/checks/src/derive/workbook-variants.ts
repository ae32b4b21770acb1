import { parseAddress } from '@cua-forge/spec/cell-address';
import type { Cell, Sheet, Workbook } from '@cua-forge/spec/task';

function onSheet(sheet: Sheet, address: string, cell: Cell): Sheet {
  const place = parseAddress(address);
  if (place === undefined) return sheet;
  const [down, across] = [place.row - sheet.headerRow - 1, place.column - sheet.firstColumn];
  const inTable = across >= 0 && across < sheet.columns.length && down < sheet.rows.length && down >= -1;
  if (!inTable) {
    const { [address]: _, ...others } = sheet.notes;
    return { ...sheet, notes: cell === null ? others : { ...others, [address]: cell } };
  }
  if (down === -1)
    return {
      ...sheet,
      columns: sheet.columns.map((column, at) => (at === across ? { ...column, name: String(cell ?? '') } : column)),
    };
  return {
    ...sheet,
    rows: sheet.rows.map((row, at) =>
      at === down ? sheet.columns.map((_, column) => (column === across ? cell : (row[column] ?? null))) : row,
    ),
  };
}

/** The workbook with one cell of a sheet replaced, in its table, among the headings or beside it. */
export const withCell = (workbook: Workbook, sheet: string, address: string, cell: Cell): Workbook => ({
  ...workbook,
  sheets: workbook.sheets.map((each) => (each.name === sheet ? onSheet(each, address, cell) : each)),
});

/** Another value of the same kind, far enough away that no rounding makes them alike. */
export function otherValue(cell: Cell): Cell {
  if (typeof cell === 'number') return Math.round((cell + 13.5) * 100) / 100;
  if (typeof cell === 'boolean') return !cell;
  if (typeof cell === 'string')
    return /^\d{4}-\d{2}-\d{2}/.test(cell) ? `${Number(cell.slice(0, 4)) + 1}${cell.slice(4)}` : `${cell} x`;
  if (cell === null) return 'x';
  const { formula, result } = cell;
  return typeof result === 'string'
    ? { formula: `(${formula})&" x"`, result: `${result} x` }
    : { formula: `(${formula})+13.5`, ...(typeof result === 'number' ? { result: result + 13.5 } : {}) };
}
