import type { Cell } from '@cua-forge/spec/task';
import { isEmpty, shown } from './cell-values.ts';

/** Cells of a sheet by row and column, both from 0. Rows may be of different length. */
export type Grid = readonly (readonly (Cell | undefined)[])[];

/** Where a table stands: all counts from 0, `lastRow` and `lastColumn` included; `lastRow` is the header's when there are no rows. */
export interface TableRegion {
  headerRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
}

const SCANNED_ROWS = 40;

interface Run {
  first: number;
  last: number;
}

/** Runs of neighbouring filled cells. */
function runsOf(row: readonly (Cell | undefined)[]): Run[] {
  const runs: Run[] = [];
  row.forEach((cell, column) => {
    if (isEmpty(cell)) return;
    const run = runs.at(-1);
    if (run !== undefined && run.last === column - 1) run.last = column;
    else runs.push({ first: column, last: column });
  });
  return runs;
}

const width = (run: Run) => run.last - run.first + 1;
const filled = (row: readonly (Cell | undefined)[] | undefined, run: Run) =>
  (row ?? []).slice(run.first, run.last + 1).filter((cell) => !isEmpty(cell)).length;

/** The run of a row that is most like a header: wide, of texts, with something below it. */
function headerRun(grid: Grid, index: number): { run: Run; score: number } | undefined {
  const row = grid[index] ?? [];
  let best: { run: Run; score: number } | undefined;
  for (const run of runsOf(row)) {
    const cells = row.slice(run.first, run.last + 1);
    const texts = cells.filter((cell) => typeof cell === 'string').length;
    const below = filled(grid[index + 1], run);
    if (texts < cells.length * 0.6) continue;
    const numbersBelow = (grid[index + 1] ?? [])
      .slice(run.first, run.last + 1)
      .some((cell) => typeof shown(cell) === 'number');
    const score = texts + Math.min(below, width(run)) + (numbersBelow ? 1 : 0);
    if (best === undefined || score > best.score) best = { run, score };
  }
  return best;
}

/** Rows below the header until the table ends: a blank row ends it unless the row after the gap is as full as a data row. */
function lastRowOf(grid: Grid, headerRow: number, run: Run): number {
  let last = headerRow;
  for (let index = headerRow + 1; index < grid.length; index += 1) {
    const cells = filled(grid[index], run);
    if (cells === 0) continue;
    if (index > last + 1 && cells < width(run) * 0.8) break;
    last = index;
  }
  return last;
}

/** Widens a table over columns that have a heading or data but stand right beside it. */
function widen(grid: Grid, headerRow: number, lastRow: number, run: Run): Run {
  const holds = (column: number) => {
    if (column < 0) return false;
    const rows = grid.slice(headerRow, lastRow + 1);
    const cells = rows.filter((row) => !isEmpty(row[column])).length;
    return !isEmpty(grid[headerRow]?.[column]) || cells >= Math.max(2, rows.length * 0.5);
  };
  let { first, last } = run;
  while (holds(last + 1)) last += 1;
  while (holds(first - 1)) first -= 1;
  return { first, last };
}

/**
 * The main table of a sheet: below title rows, past empty rows and columns. Undefined for a sheet without any cell.
 * A sheet in which no row looks like a header counts its first filled row as one.
 */
export function findTable(grid: Grid): TableRegion | undefined {
  let best: { row: number; run: Run; score: number } | undefined;
  let scanned = 0;
  for (let index = 0; index < grid.length && scanned < SCANNED_ROWS; index += 1) {
    if ((grid[index] ?? []).every((cell) => isEmpty(cell))) continue;
    scanned += 1;
    const candidate = headerRun(grid, index);
    if (candidate === undefined) continue;
    // A later row has to be clearly better, and wider: rows of text below a header look much like one.
    const spread = best === undefined ? 0 : (grid[best.row] ?? []).filter((cell) => !isEmpty(cell)).length;
    const isTitle = spread < 2 || spread < width(candidate.run) * 0.5;
    if (best === undefined || (isTitle && candidate.score >= best.score * 1.6)) best = { row: index, ...candidate };
  }
  if (best === undefined) {
    const row = grid.findIndex((cells) => cells.some((cell) => !isEmpty(cell)));
    const run = runsOf(grid[row] ?? [])[0];
    if (run === undefined) return undefined;
    best = { row, run, score: 0 };
  }
  const run = widen(grid, best.row, lastRowOf(grid, best.row, best.run), best.run);
  return { headerRow: best.row, lastRow: lastRowOf(grid, best.row, run), firstColumn: run.first, lastColumn: run.last };
}
