import { cellAddress, columnLetters, parseAddress } from '@cua-forge/spec/cell-address';
import type { Check, CheckLeaf } from '@cua-forge/spec/check';
import type { Expectation } from '@cua-forge/spec/check-expectation';
import type { CheckPlace, Workbook } from '@cua-forge/spec/task';
import { cellsOfSheet, type PlannedCell, sameCell, sheetNamed } from './workbook-cells.ts';

/** A workbook before and after, and where it lies. */
export interface WorkbookPair {
  path: string;
  prepared: Workbook;
  expected: Workbook;
}

/** Half of the last digit that people round amounts to; small numbers are shares, of which more digits count. */
const toleranceOf = (value: number): number => (Math.abs(value) >= 1 ? 0.0051 : 0.00051);

const isDay = ({ type, value }: PlannedCell): boolean =>
  type === 'date' && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value);

/** What a cell has to show: nothing where nothing is planned, a result of any kind where it is not known. */
export function expectationOf(cell: PlannedCell | undefined): Expectation {
  if (cell === undefined || cell.value === null) return cell?.formula === true ? { present: true } : { absent: true };
  if (isDay(cell)) return { day: String(cell.value).slice(0, 10), days: 0 };
  return {
    equals: cell.value,
    text: 'spaces',
    ...(typeof cell.value === 'number' ? { tolerance: toleranceOf(cell.value) } : {}),
  };
}

type Place<W extends CheckPlace['what']> = Extract<CheckPlace, { what: W }>;

interface Area {
  first: { row: number; column: number };
  last: { row: number; column: number };
}

function areaOf(range: string): Area {
  const [from = '', to = from] = range.split(':');
  const nowhere = { row: 1, column: 1 };
  return { first: parseAddress(from) ?? nowhere, last: parseAddress(to) ?? nowhere };
}

/** A look at one cell. */
export const cellLeaf = (
  path: string,
  sheet: string,
  cell: string,
  expect: Expectation,
  of: 'value' | 'formula' = 'value',
): CheckLeaf => ({
  see: { look: 'cell', path, sheet, cell, of },
  expect,
});

/** Cells of a range as they are expected. */
function cellChecks({ path, expected }: WorkbookPair, { sheet, range, formulas }: Place<'cells'>): CheckLeaf[] {
  const target = sheetNamed(expected, sheet);
  if (target === undefined) return [];
  const cells = cellsOfSheet(target);
  const { first, last } = areaOf(range);
  const found: CheckLeaf[] = [];
  for (let row = first.row; row <= last.row; row += 1)
    for (let column = first.column; column <= last.column; column += 1) {
      const address = cellAddress(row, column);
      const cell = cells.get(address);
      found.push(cellLeaf(path, sheet, address, expectationOf(cell)));
      if (formulas === true && cell !== undefined)
        found.push(cellLeaf(path, sheet, address, { present: true }, 'formula'));
    }
  return found;
}

/** The last row of a range is there, and nothing in the row below it. */
function rowChecks({ path }: WorkbookPair, { sheet, range }: Place<'rows'>): CheckLeaf[] {
  const { first, last } = areaOf(range);
  const columns = Array.from({ length: last.column - first.column + 1 }, (_, index) => first.column + index);
  return [
    cellLeaf(path, sheet, cellAddress(last.row, first.column), { present: true }),
    ...columns.map((column) => cellLeaf(path, sheet, cellAddress(last.row + 1, column), { absent: true })),
  ];
}

/** Addresses that differ, sheet by sheet, in the order of rows. */
export function changedCells({ prepared, expected }: WorkbookPair): {
  sheet: string;
  address: string;
  before: PlannedCell | undefined;
  after: PlannedCell | undefined;
}[] {
  return expected.sheets.flatMap((sheet) => {
    const old = sheetNamed(prepared, sheet.name);
    const before = old === undefined ? new Map<string, PlannedCell>() : cellsOfSheet(old);
    const after = cellsOfSheet(sheet);
    return [...new Set([...after.keys(), ...before.keys()])]
      .filter((address) => !sameCell(before.get(address), after.get(address)))
      .map((address) => ({ sheet: sheet.name, address, before: before.get(address), after: after.get(address) }))
      .sort((a, b) => (a.after?.row ?? a.before?.row ?? 0) - (b.after?.row ?? b.before?.row ?? 0));
  });
}

function changeChecks(pair: WorkbookPair): CheckLeaf[] {
  return changedCells(pair).map(({ sheet, address, after }) =>
    cellLeaf(pair.path, sheet, address, expectationOf(after)),
  );
}

/** Columns of each prepared sheet in stretches that the work leaves alone; `except` are further places, as `Sheet!B4`, that others look at. */
export function restChecks(pair: WorkbookPair, except: readonly string[] = []): CheckLeaf[] {
  const changed = new Set([...changedCells(pair).map(({ sheet, address }) => `${sheet}!${address}`), ...except]);
  return pair.prepared.sheets.flatMap((sheet) => {
    if (sheetNamed(pair.expected, sheet.name) === undefined) return [];
    const cells = cellsOfSheet(sheet);
    const columns = [...new Set([...cells.values()].map(({ column }) => column))].sort((a, b) => a - b);
    return columns.flatMap((column) => {
      const own = [...cells.values()].filter((cell) => cell.column === column);
      const kept = (row: number) => {
        const cell = cells.get(cellAddress(row, column));
        return !changed.has(`${sheet.name}!${cellAddress(row, column)}`) && (cell === undefined || cell.value !== null);
      };
      return stretches(Math.min(...own.map(({ row }) => row)), Math.max(...own.map(({ row }) => row)), kept).flatMap(
        ([from, to]) => {
          const list = Array.from(
            { length: to - from + 1 },
            (_, index) => cells.get(cellAddress(from + index, column))?.value ?? null,
          );
          if (list.every((one) => one === null)) return [];
          const letters = columnLetters(column);
          return [
            {
              see: {
                look: 'range' as const,
                path: pair.path,
                sheet: sheet.name,
                range: `${letters}${from}:${letters}${to}`,
                of: 'value' as const,
              },
              expect: { list, ordered: true, text: 'spaces' as const, relative: 1e-9 },
            },
          ];
        },
      );
    });
  });
}

/** Longest runs of rows that satisfy a condition. */
function stretches(first: number, last: number, holds: (row: number) => boolean): [number, number][] {
  const found: [number, number][] = [];
  for (let row = first; row <= last; row += 1) {
    if (!holds(row)) continue;
    const open = found.at(-1);
    if (open !== undefined && open[1] === row - 1) open[1] = row;
    else found.push([row, row]);
  }
  return found;
}

/** Something that shows that the work has begun: the first cell that it fills or changes. */
export function markerOf(pair: WorkbookPair): Check | undefined {
  const changes = changedCells(pair);
  const filled = changes.find(({ before, after }) => before === undefined && after !== undefined);
  if (filled !== undefined) return cellLeaf(pair.path, filled.sheet, filled.address, { present: true });
  const changed = changes.find(
    ({ after, before }) => after !== undefined && before !== undefined && before.value !== null,
  );
  return changed === undefined
    ? undefined
    : { not: cellLeaf(pair.path, changed.sheet, changed.address, expectationOf(changed.before)) };
}

function formatCheck({ path, prepared, expected }: WorkbookPair, { sheet }: Place<'conditional-formats'>): Check[] {
  const count = (workbook: Workbook) =>
    (sheetNamed(workbook, sheet)?.conditionalFormats ?? []).reduce((sum, { rules }) => sum + rules.length, 0);
  if (count(prepared) === count(expected)) return [];
  return [
    {
      see: { look: 'sheet', path, sheet, of: 'conditional-formats' },
      expect: { count: { atLeast: count(expected), atMost: count(expected) } },
    },
  ];
}

function partsOf(pair: WorkbookPair, place: CheckPlace): Check[] {
  switch (place.what) {
    case 'sheet':
      return [
        {
          see: { look: 'workbook', path: pair.path, of: 'sheets' },
          expect: { includes: [place.sheet], text: 'spaces' },
        },
      ];
    case 'cells':
      return cellChecks(pair, place);
    case 'rows':
      return rowChecks(pair, place);
    case 'rest':
      return restChecks(pair);
    case 'changes':
      return changeChecks(pair);
    case 'conditional-formats':
      return formatCheck(pair, place);
  }
}

/**
 * The check of one requirement from its places. Where it could hold on the prepared file already, it also wants the work to have
 * begun. Undefined when the places fix nothing.
 */
export function workbookCheck(pair: WorkbookPair, places: readonly CheckPlace[]): Check | undefined {
  const parts = places.flatMap((place) => partsOf(pair, place));
  if (parts.length === 0) return undefined;
  const marker = markerOf(pair);
  return { all: marker === undefined ? parts : [marker, ...parts] };
}
