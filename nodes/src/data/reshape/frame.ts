import { cellAddress, columnNumber } from '@cua-forge/spec/cell-address';
import type { Cell, Column, Sheet } from '@cua-forge/spec/task';
import { isErrorText, shown } from '../cell-values.ts';
import type { PeriodKey } from '../periods.ts';

type Scalar = string | number | boolean | null;

/** A cell that is not yet placed. `template` is a formula over the same row, with `{{column name}}` for its cells. */
export type FrameCell = Scalar | { template: string; result: Scalar };

export interface FrameRow {
  cells: Map<string, FrameCell>;
  /** Period of the row, where it has one; rows of a wide table have none. */
  key: PeriodKey | undefined;
}

/** A table whose columns go by name: it can be reordered, cut and split before it is placed on a sheet. */
export interface Frame {
  columns: Column[];
  rows: FrameRow[];
}

const reference = /(?<![A-Za-z0-9_.$])\$?([A-Z]{1,3})\$?([1-9]\d*)(?![\dA-Za-z_(])/g;

/** Formula of a cell as a template over its row; undefined when it looks at anything but named cells of that row. */
function templateOf(formula: string, row: number, nameAt: (column: number) => string | undefined): string | undefined {
  if (/[!:#[\]{}]/.test(formula)) return undefined;
  let local = true;
  const parts = formula.split(/("(?:[^"]|"")*")/);
  const template = parts
    .map((part, index) => {
      if (index % 2 === 1) return part;
      return part.replace(reference, (match, letters: string, digits: string) => {
        const name = nameAt(columnNumber(letters));
        if (name === undefined || Number(digits) !== row) local = false;
        return name === undefined ? match : `{{${name}}}`;
      });
    })
    .join('');
  return local ? template : undefined;
}

const scalarOf = (cell: Cell | undefined): Scalar => {
  const value = shown(cell);
  return isErrorText(value) ? null : value;
};

/** The given rows and columns of a sheet as a frame. Formulas that reach beyond their row become values. */
export function frameOf(sheet: Sheet, columns: readonly string[], rows: readonly number[]): Frame {
  const kept = sheet.columns.filter((column) => columns.includes(column.name));
  const nameAt = (column: number) => {
    const name = sheet.columns[column - sheet.firstColumn]?.name;
    return name !== undefined && columns.includes(name) ? name : undefined;
  };
  return {
    columns: kept.map((column) => ({ name: column.name, type: column.type })),
    rows: rows.map((index) => {
      const cells = new Map<string, FrameCell>();
      sheet.columns.forEach((column, at) => {
        if (!columns.includes(column.name)) return;
        const cell = sheet.rows[index]?.[at];
        const result = scalarOf(cell);
        const formula = typeof cell === 'object' && cell !== null ? cell.formula : undefined;
        const template =
          formula === undefined || result === null
            ? undefined
            : templateOf(formula, sheet.headerRow + 1 + index, nameAt);
        cells.set(column.name, template === undefined ? result : { template, result });
      });
      return { cells, key: undefined };
    }),
  };
}

export const resultOf = (cell: FrameCell | undefined): Scalar =>
  typeof cell === 'object' && cell !== null ? cell.result : (cell ?? null);

export const numberIn = (row: FrameRow, column: string): number => {
  const value = resultOf(row.cells.get(column));
  return typeof value === 'number' ? value : 0;
};

/** Adds a column at the end. */
export function withColumn(frame: Frame, column: Column, cell: (row: FrameRow, index: number) => FrameCell): Frame {
  return {
    columns: [...frame.columns, column],
    rows: frame.rows.map((row, index) => ({ ...row, cells: new Map([...row.cells, [column.name, cell(row, index)]]) })),
  };
}

/** Keeps the named columns, in the order of the names. */
export function selectColumns(frame: Frame, names: readonly string[]): Frame {
  const columns = names.flatMap((name) => frame.columns.filter((column) => column.name === name));
  return { ...frame, columns };
}

/** The rows as cells of a sheet whose first data cell is at the given place. Formulas over columns that are gone become values. */
export function placeRows(frame: Frame, firstRow: number, firstColumn: number): Cell[][] {
  const at = new Map(frame.columns.map((column, index) => [column.name, firstColumn + index]));
  return frame.rows.map((row, rowIndex) =>
    frame.columns.map((column): Cell => {
      const cell = row.cells.get(column.name) ?? null;
      if (typeof cell !== 'object' || cell === null) return cell;
      let complete = true;
      const formula = cell.template.replace(/\{\{(.+?)\}\}/g, (_, name: string) => {
        const found = at.get(name);
        if (found === undefined) complete = false;
        return found === undefined ? '' : cellAddress(firstRow + rowIndex, found);
      });
      return complete ? { formula, result: cell.result } : cell.result;
    }),
  );
}
