import type { Cell } from '@cua-forge/spec/task';
import { isIsoDate, shown } from './cell-values.ts';

/** A month (`2025-03`), quarter (`2025-Q1`) or year (`2025`); the year is `0000` where the data names none. Sorts by time. */
export type PeriodKey = string;
export type Grain = 'month' | 'quarter' | 'year';

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const monthPattern = /^(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?(?:[ -]?'?(\d{4}))?$/i;
const quarterPattern = /^(?:(\d{4})[ -]?)?(?:q|quarter ?)([1-4])(?:[ -]?(\d{4}))?$/i;

const two = (value: number) => String(value).padStart(2, '0');

function monthNumber(name: string): number {
  return monthNames.findIndex((month) => month.toLowerCase().startsWith(name.slice(0, 3).toLowerCase())) + 1;
}

/** Full or three-letter English name of a month from 1. */
export const monthName = (month: number, short: boolean): string =>
  (monthNames[month - 1] ?? '').slice(0, short ? 3 : undefined);

/** What period a text stands for: a date, a month with or without a year, a quarter; undefined for anything else. */
export function periodOfText(text: string): PeriodKey | undefined {
  const trimmed = text.trim();
  if (isIsoDate(trimmed)) return trimmed.slice(0, 7);
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(trimmed)) return trimmed;
  const month = monthPattern.exec(trimmed);
  if (month?.[1] !== undefined && isMonthWord(trimmed)) return `${month[2] ?? '0000'}-${two(monthNumber(month[1]))}`;
  const quarter = quarterPattern.exec(trimmed);
  if (quarter?.[2] !== undefined) return `${quarter[1] ?? quarter[3] ?? '0000'}-Q${quarter[2]}`;
  return undefined;
}

/** Keeps words such as “Mayor” or “Marketing” from being read as months. */
function isMonthWord(text: string): boolean {
  const word = /^[a-z]+/i.exec(text)?.[0].toLowerCase() ?? '';
  return (
    word === 'sept' || monthNames.some((name) => name.toLowerCase() === word || name.slice(0, 3).toLowerCase() === word)
  );
}

/** What period a cell of a column named `header` stands for. Bare numbers count in columns of months and years alone. */
export function periodOfCell(cell: Cell | undefined, header: string): PeriodKey | undefined {
  const value = shown(cell);
  if (typeof value === 'string') return periodOfText(value);
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  if (/\bmonth\b/i.test(header) && value >= 1 && value <= 12) return `0000-${two(value)}`;
  if (/\byear\b/i.test(header) && value >= 1900 && value <= 2100) return String(value);
  return undefined;
}

export const grainOf = (key: PeriodKey): Grain => (key.length === 4 ? 'year' : key.includes('Q') ? 'quarter' : 'month');
export const yearOf = (key: PeriodKey): string => key.slice(0, 4);

/** The quarter or year that a period lies in. A coarser period stays as it is. */
export function coarser(key: PeriodKey, grain: Grain): PeriodKey {
  if (grain === 'year') return yearOf(key);
  if (grain === 'quarter' && grainOf(key) === 'month') return `${yearOf(key)}-Q${Math.ceil(Number(key.slice(5)) / 3)}`;
  return key;
}

/** How the months of a summary are written. */
export type MonthStyle = 'iso' | 'short' | 'long';

/** Label of a period in a summary. Without `withYear` the year is left out of months and quarters. Years are numbers. */
export function periodLabel(key: PeriodKey, style: MonthStyle, withYear: boolean): string | number {
  const year = yearOf(key);
  switch (grainOf(key)) {
    case 'year':
      return Number(year);
    case 'quarter':
      return withYear ? `${year} ${key.slice(5)}` : key.slice(5);
    case 'month': {
      if (style === 'iso') return key;
      const name = monthName(Number(key.slice(5)), style === 'short');
      return withYear ? `${name} ${year}` : name;
    }
  }
}
