import { columnLetters } from '@cua-forge/spec/cell-address';
import type { Sheet, Workbook } from '@cua-forge/spec/task';
import { isErrorText, isIsoDate, shown } from '../cell-values.ts';

/** A column whose cells are all filled and of one kind. */
interface FactBase {
  name: string;
  /** From 0 in the sheet's table. */
  index: number;
  /** Letters of the column on the sheet. */
  letters: string;
}
export interface NumberColumn extends FactBase {
  kind: 'number';
  values: number[];
}
export interface TextColumn extends FactBase {
  kind: 'text';
  values: string[];
}
/** ISO days. */
export interface DateColumn extends FactBase {
  kind: 'date';
  values: string[];
}

export interface Columns {
  numbers: NumberColumn[];
  texts: TextColumn[];
  dates: DateColumn[];
}

/**
 * Texts that spreadsheets compare as they stand: neither patterns, nor comparisons, nor numbers in disguise, and none that
 * differs from another by case alone.
 */
function comparable(values: readonly string[]): boolean {
  const distinct = new Set(values);
  const folded = new Set([...distinct].map((value) => value.toLowerCase()));
  return (
    folded.size === distinct.size &&
    [...distinct].every(
      (value) =>
        value.trim() === value &&
        value.length <= 60 &&
        !/[*?~"\r\n]|^[<>=]/.test(value) &&
        Number.isNaN(Number(value.replace(',', '.'))) &&
        !isErrorText(value) &&
        !isIsoDate(value) &&
        !/^\d/.test(value),
    )
  );
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Columns of a sheet's table that have a name of their own and are filled in every row, by kind. */
export function columnsOf(sheet: Sheet): Columns {
  const found: Columns = { numbers: [], texts: [], dates: [] };
  sheet.columns.forEach((column, index) => {
    const repeated = sheet.columns.filter((other) => other.name === column.name).length > 1;
    if (column.name === '' || column.name.length > 40 || isErrorText(column.name) || repeated) return;
    const base = { name: column.name, index, letters: columnLetters(sheet.firstColumn + index) };
    const values = sheet.rows.map((row) => shown(row[index]));
    if (values.length === 0) return;
    if (column.type === 'date') {
      const days = values.filter(isText).filter((value) => value.length === 10 && isIsoDate(value));
      if (days.length === values.length) found.dates.push({ kind: 'date', ...base, values: days });
      return;
    }
    const numbers = values.filter(isNumber);
    if (numbers.length === values.length) found.numbers.push({ kind: 'number', ...base, values: numbers });
    const texts = values.filter(isText);
    if (texts.length === values.length && comparable(texts)) found.texts.push({ kind: 'text', ...base, values: texts });
  });
  return found;
}

/** The sheet among those named that has most rows. */
export function largestSheet(workbook: Workbook, names: readonly string[]): Sheet | undefined {
  return workbook.sheets
    .filter((sheet) => names.includes(sheet.name))
    .reduce<Sheet | undefined>(
      (best, sheet) => ((best?.rows.length ?? 0) >= sheet.rows.length ? best : sheet),
      undefined,
    );
}

/** A number near `value` that people would name: two or three figures, then zeros. */
export function roundNumber(value: number, figures = 2): number {
  if (value === 0) return 0;
  const size = 10 ** (Math.floor(Math.log10(Math.abs(value))) - (figures - 1));
  return Number((Math.round(value / size) * size).toPrecision(12));
}

/** Value below which about a share of the sorted values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.floor(share * sorted.length)))] ?? 0;
}

/** Name of a sheet as formulas write it. */
export const quotedSheet = (name: string) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^[A-Z]{1,3}\d+$/i.test(name) ? name : `'${name.replaceAll("'", "''")}'`;
