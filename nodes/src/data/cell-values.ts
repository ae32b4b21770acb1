import type { Cell } from '@cua-forge/spec/task';

/** What a cell shows: a formula counts as its cached result, or null where there is none. */
export function shown(cell: Cell | undefined): string | number | boolean | null {
  if (cell === undefined) return null;
  if (typeof cell === 'object' && cell !== null) return cell.result ?? null;
  return cell;
}

export const isEmpty = (cell: Cell | undefined): boolean => {
  const value = shown(cell);
  return value === null || (typeof value === 'string' && value.trim() === '');
};

/** Text that spreadsheets show for errors, for example `#REF!` or `#DIV/0!`. */
export const isErrorText = (value: unknown): boolean =>
  typeof value === 'string' && /^#(REF|VALUE|DIV\/0|NAME|N\/A|NUM|NULL|SPILL|CALC)[!?]?$/.test(value);

/** The number a cell shows; undefined for anything else. */
export function numberOf(cell: Cell | undefined): number | undefined {
  const value = shown(cell);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?Z?)?$/;

/** Whether a text is an ISO date of a day that exists, with or without a time. */
export function isIsoDate(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const match = isoDate.exec(value);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** ISO text of a date as spreadsheets keep it (no time zone): the day alone when the time is midnight. */
export function isoText(date: Date): string {
  const text = date.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}
