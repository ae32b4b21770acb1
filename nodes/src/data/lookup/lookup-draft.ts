import { columnLetters } from '@cua-forge/spec/cell-address';
import type { Cell, Column, Sheet } from '@cua-forge/spec/task';
import type { Columns, TextColumn } from '../columns/column-facts.ts';
import type { Random } from '../random.ts';

type Result = string | number;

/** Formulas and results of one column, row by row. */
export interface FilledColumn {
  column: Column;
  cells: { formula: string; result: Result }[];
}

/** A lookup task as far as it is worked out: what goes where, before and after. */
export interface LookupDraft {
  kind: string;
  /** The data sheet and the reference sheet, as the user finds them. */
  main: Sheet;
  reference: Sheet;
  /** Where the results go: a column of the data, or of the reference sheet. */
  target: 'main' | 'reference';
  filled: FilledColumn;
  /** Faulty cells that stand in the column at the start. */
  faulty?: { cells: Cell[]; text: string };
  /** What each cell of the column shows, as a sentence. */
  text: string;
  summary: string;
  mentions: string[];
  /** Results that are named in the text and tell nothing. */
  stated: string[];
  traits: Record<string, string>;
}

export interface LookupContext {
  sheet: Sheet;
  columns: Columns;
  random: Random;
  /** Number of the first row of data. */
  firstRow: number;
  /** Free names for a reference sheet. */
  sheetNames: string[];
}

/** Undefined where the data has nothing for this kind of lookup. */
export type LookupBuilder = (context: LookupContext) => LookupDraft | undefined;

/** A column of texts that can be a key: enough values, and few enough for a table of them. */
export function keyColumn({ columns, random }: LookupContext, most = 60): TextColumn | undefined {
  const fit = columns.texts.filter(({ values }) => {
    const size = new Set(values).size;
    return size >= 2 && size <= most;
  });
  return random.shuffle(fit)[0];
}

export const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));

/** As spreadsheets round to cents: halves away from zero, judged by the decimal figures that the number shows. */
export function roundHalfUp(value: number): number {
  const shown = Number(value.toPrecision(15));
  const cents = Number((Math.abs(shown) * 100).toPrecision(15));
  return (Math.sign(shown) * Math.round(cents)) / 100;
}

/** Letters of a named column on its sheet. */
export const lettersOf = (sheet: Sheet, name: string): string =>
  columnLetters(sheet.firstColumn + sheet.columns.findIndex((column) => column.name === name));
