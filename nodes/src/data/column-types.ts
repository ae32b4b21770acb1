import type { Cell, ColumnType } from '@cua-forge/spec/task';
import { isEmpty, isErrorText, isIsoDate, shown } from './cell-values.ts';

const currencyMark = /[$€£¥₹₽₩]|\[\$[^\]]+\]|"(?:USD|EUR|GBP|kr|CHF)"/;

/** Whether a number format shows a date or a time. Quoted text, colours and locales in it do not count. */
export function isDateFormat(format: string | undefined): boolean {
  if (format === undefined || format === 'General' || format === '@') return false;
  return /[ymdhs]/i.test(format.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/g, ''));
}

/**
 * Type of a column from what its cells show and how they are formatted. Nine tenths of the filled cells decide, since
 * real tables hold stray text and errors; a column without values is text.
 */
export function columnTypeOf(
  cells: readonly (Cell | undefined)[],
  format: string | undefined,
  dates: 'iso' | 'formatted',
): ColumnType {
  const values = cells
    .filter((cell) => !isEmpty(cell))
    .map((cell) => shown(cell))
    .filter((value) => !isErrorText(value));
  if (values.length === 0) return 'text';
  const mostly = (test: (value: unknown) => boolean) => values.filter(test).length >= values.length * 0.9;
  if (mostly((value) => typeof value === 'boolean')) return 'boolean';
  if (mostly(isIsoDate) && (dates === 'iso' || isDateFormat(format))) return 'date';
  if (!mostly((value) => typeof value === 'number')) return 'text';
  // A percent format over large values is a mistake of the file, not a share.
  const share = (value: unknown) => typeof value === 'number' && Math.abs(value) <= 10;
  if (format?.includes('%') === true && mostly(share)) return 'percent';
  if (format !== undefined && currencyMark.test(format)) return 'currency';
  return values.every((value) => typeof value !== 'number' || Number.isInteger(value)) ? 'integer' : 'number';
}
