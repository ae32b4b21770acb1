import { cellAddress } from '@cua-forge/spec/cell-address';
import type { Cell, Column, Sheet, Workbook } from '@cua-forge/spec/task';
import type { Random } from '../random.ts';
import type { SummaryTable } from './summary-table.ts';

/** Where a summary goes. `given` is the workbook the user starts with, `solved` the one that is asked for. */
export interface Placement {
  label: string;
  sheet: string;
  /** Address of the first heading. */
  cell: string;
  given: Workbook;
  solved: Workbook;
  text: string;
}

const columnsOf = (table: SummaryTable): Column[] =>
  table.columns.map(({ heading, type, percent }) => ({
    name: heading,
    type,
    ...(percent === true ? { format: '0.00%' } : {}),
  }));

function freeName(names: readonly string[], workbook: Workbook, random: Random): string {
  const taken = new Set(workbook.sheets.map((sheet) => sheet.name.toLowerCase()));
  const usable = random
    .shuffle(names)
    .find((name) => name.length <= 31 && !/[[\]*?:/\\]/.test(name) && !taken.has(name.toLowerCase()));
  return usable ?? `Summary ${workbook.sheets.length + 1}`;
}

function summarySheet(
  name: string,
  table: SummaryTable,
  at: { row: number; column: number },
  rows: Cell[][],
  style: Sheet['style'],
): Sheet {
  return { name, notes: {}, headerRow: at.row, firstColumn: at.column, columns: columnsOf(table), rows, style };
}

/** The sheet is new: it is not there at the start. */
function onNewSheet(workbook: Workbook, table: SummaryTable, name: string, random: Random): Placement {
  const at = random.pick([
    { row: 1, column: 1 },
    { row: 1, column: 1 },
    { row: 2, column: 2 },
    { row: 3, column: 1 },
  ]);
  const cell = cellAddress(at.row, at.column);
  return {
    label: cell === 'A1' ? 'a new sheet' : 'a new sheet, away from its corner',
    sheet: name,
    cell,
    given: workbook,
    solved: { ...workbook, sheets: [...workbook.sheets, summarySheet(name, table, at, table.rows, {})] },
    text: `The workbook has a new sheet named ${name}, on which the summary stands with its first heading in cell ${cell}.`,
  };
}

/** The sheet is there at the start, with headings and no rows. */
function onPreparedSheet(workbook: Workbook, table: SummaryTable, name: string, random: Random): Placement {
  const style = workbook.sheets[0]?.style ?? {};
  const { autoFilter: _, banded: __, ...plain } = style;
  const first = random.chance(0.3);
  const at = random.pick([
    { row: 1, column: 1 },
    { row: 3, column: 2 },
  ]);
  const put = (rows: Cell[][]): Workbook => {
    const sheet = summarySheet(name, table, at, rows, plain);
    return { ...workbook, sheets: first ? [sheet, ...workbook.sheets] : [...workbook.sheets, sheet] };
  };
  return {
    label: first ? 'a prepared sheet in front' : 'a prepared sheet',
    sheet: name,
    cell: cellAddress(at.row, at.column),
    given: put([]),
    solved: put(table.rows),
    text: `The summary fills the sheet ${name}, which is already there, below its headings.`,
  };
}

/** On the data sheet itself, to the right of the data. */
function besideData(workbook: Workbook, table: SummaryTable, sheet: Sheet): Placement {
  const column = sheet.firstColumn + sheet.columns.length + 1;
  const notes: Record<string, Cell> = { ...sheet.notes };
  [table.columns.map((each): Cell => each.heading), ...table.rows].forEach((row, down) => {
    row.forEach((value, across) => {
      if (value !== null) notes[cellAddress(sheet.headerRow + down, column + across)] = value;
    });
  });
  const cell = cellAddress(sheet.headerRow, column);
  return {
    label: 'beside the data',
    sheet: sheet.name,
    cell,
    given: workbook,
    solved: {
      ...workbook,
      sheets: workbook.sheets.map((each) => (each.name === sheet.name ? { ...each, notes } : each)),
    },
    text: `The summary stands on the sheet ${sheet.name} beside the data, with its first heading in cell ${cell}.`,
  };
}

/** Chooses where the summary goes. */
export function placeSummary(
  workbook: Workbook,
  table: SummaryTable,
  dataSheets: readonly string[],
  names: readonly string[],
  random: Random,
): Placement {
  const only = dataSheets.length === 1 ? workbook.sheets.find((sheet) => sheet.name === dataSheets[0]) : undefined;
  const wish = random.pick(['new', 'new', 'prepared', 'beside']);
  if (wish === 'beside' && only !== undefined) return besideData(workbook, table, only);
  const name = freeName(names, workbook, random);
  return wish === 'prepared'
    ? onPreparedSheet(workbook, table, name, random)
    : onNewSheet(workbook, table, name, random);
}
