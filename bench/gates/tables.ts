import type { Cell, Column, RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { changed } from './example.ts';

/** A table of a specification as mutators see it: changing it changes the specification. */
export interface Grid {
  file: string;
  sheet: string;
  columns: Column[];
  rows: Cell[][];
}

export function gridsOf(files: readonly RequiredFile[]): Grid[] {
  return files.flatMap((file): Grid[] => {
    if (file.type === 'csv')
      return [{ file: file.id, sheet: '', columns: file.content.columns, rows: file.content.rows }];
    if (file.type !== 'xlsx') return [];
    return file.content.sheets.map(({ name, columns, rows }) => ({ file: file.id, sheet: name, columns, rows }));
  });
}

/** The specification with its largest table changed. */
export function withTable(spec: TaskSpecification, change: (grid: Grid) => void): TaskSpecification {
  return changed(spec, (copy) => {
    const [largest] = gridsOf(copy.files).sort((a, b) => b.rows.length - a.rows.length);
    if (largest === undefined) throw new Error('the specification has no table');
    change(largest);
  });
}

export const columnOf = ({ columns }: Grid, fits: (column: Column) => boolean): number => {
  const index = columns.findIndex(fits);
  if (index < 0)
    throw new Error(`no such column among ${columns.map(({ name, type }) => `${name}: ${type}`).join(', ')}`);
  return index;
};

export const isNumeric = ({ type }: Column) => type === 'number' || type === 'currency' || type === 'integer';

/** Fills a column; `value` sees the row's number and what was there. */
export function fill(grid: Grid, column: number, value: (row: number, old: Cell) => Cell): void {
  grid.rows.forEach((row, index) => {
    row[column] = value(index, row[column] ?? null);
  });
}

export function addColumn(grid: Grid, column: Column, value: (row: number) => Cell): void {
  grid.columns.push(column);
  grid.rows.forEach((row, index) => {
    row.push(value(index));
  });
}
