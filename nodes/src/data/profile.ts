import { ForgeError } from '@cua-forge/spec/errors';
import type { Column, Sheet, Workbook } from '@cua-forge/spec/task';
import { ColumnType } from '@cua-forge/spec/task';
import { z } from 'zod';
import { isEmpty, isErrorText, numberOf, shown } from './cell-values.ts';
import { comparableMeasures, isAdditive, isIdentifier } from './measures.ts';
import { coarser, type Grain, grainOf, type PeriodKey, periodOfCell, periodOfText, yearOf } from './periods.ts';

/** A column that holds one period and one measure, as in `Q1 Revenue`. */
const WideColumn = z.strictObject({ column: z.string(), period: z.string(), measure: z.string() });

/** What a workbook can be summarised by: the table that was chosen and the roles of its columns. */
export const Profile = z.strictObject({
  sheet: z.string(),
  /** Rows that hold data: no totals, no blanks. Indexes into the sheet's rows. */
  rows: z.array(z.number().int().nonnegative()).min(2),
  /** What the rows are grouped by: time, where the table has it, else categories. */
  basis: z.enum(['dates', 'months', 'quarters', 'years', 'period columns', 'categories']),
  period: z.string().nullable(),
  grain: z.enum(['month', 'quarter', 'year']).nullable(),
  periods: z.array(z.string()),
  wide: z.array(WideColumn),
  /** Columns of few different texts. */
  dimensions: z.array(z.strictObject({ column: z.string(), values: z.array(z.string()) })),
  /** Columns of numbers that can be added up. */
  measures: z.array(z.strictObject({ column: z.string(), type: ColumnType })).min(1),
  others: z.array(z.string()),
  /** Kinds of summary that the table supports. */
  outcomes: z.array(z.string()).min(1),
  /** What was chosen, for a person. */
  chosen: z.string(),
});
export type Profile = z.infer<typeof Profile>;

const totalRow = /^(grand |sub ?)?totals?\b|^(sum|average|overall)\b/i;

const indexOf = (sheet: Sheet, name: string) => sheet.columns.findIndex((column) => column.name === name);
const isNumeric = (column: Column) => ['integer', 'number', 'currency'].includes(column.type);

/** Named columns whose name no other column has. */
function namedColumns(sheet: Sheet): Column[] {
  return sheet.columns.filter(
    (column) =>
      column.name !== '' &&
      !isErrorText(column.name) &&
      sheet.columns.filter((other) => other.name === column.name).length === 1,
  );
}

function dataRows(sheet: Sheet): number[] {
  return sheet.rows.flatMap((row, index) => {
    const filled = row.filter((cell) => !isEmpty(cell));
    const first = shown(filled[0]);
    const isTotal = typeof first === 'string' && totalRow.test(first.trim());
    return filled.length < Math.min(2, sheet.columns.length) || isTotal ? [] : [index];
  });
}

/** Columns such as `Q1 Revenue` or `Jan`: one period in the name, numbers below, at least three periods for each measure. */
function wideColumns(sheet: Sheet, columns: readonly Column[]): z.infer<typeof WideColumn>[] {
  const found = columns.flatMap((column) => {
    const words = column.name.split(/[\s_]+/);
    const periods = words.map((word) => periodOfText(word));
    const at = periods.findIndex((period) => period !== undefined);
    const period = periods[at];
    if (!isNumeric(column) || period === undefined || periods.filter((each) => each !== undefined).length !== 1)
      return [];
    const measure = words.filter((_, index) => index !== at).join(' ');
    return [{ column: column.name, period, measure: measure === '' ? 'Amount' : measure }];
  });
  const rows = dataRows(sheet);
  const complete = found.filter(({ column }) =>
    rows.every((row) => numberOf(sheet.rows[row]?.[indexOf(sheet, column)]) !== undefined),
  );
  return complete.filter(({ measure, period }) => {
    const same = complete.filter((other) => other.measure === measure);
    const all = new Set(complete.map((other) => other.period));
    return same.length >= 3 && same.length === all.size && same.filter((other) => other.period === period).length === 1;
  });
}

interface TimeColumn {
  column: string;
  basis: 'dates' | 'months' | 'quarters' | 'years';
  keys: PeriodKey[];
}

function timeColumn(sheet: Sheet, columns: readonly Column[], rows: readonly number[]): TimeColumn | undefined {
  for (const column of columns) {
    const index = indexOf(sheet, column.name);
    const cells = rows.map((row) => sheet.rows[row]?.[index]);
    const keys = cells.map((cell) => periodOfCell(cell, column.name)).filter((key) => key !== undefined);
    const [first] = keys;
    if (first === undefined || keys.length < rows.length || new Set(keys).size < 2) continue;
    if (new Set(keys.map(grainOf)).size > 1) continue;
    const days = cells.every(
      (cell) =>
        typeof shown(cell) === 'string' &&
        String(shown(cell)).length >= 10 &&
        /^\d{4}-\d{2}-\d{2}/.test(String(shown(cell))),
    );
    const bases = { month: 'months', quarter: 'quarters', year: 'years' } as const;
    return { column: column.name, basis: days ? 'dates' : bases[grainOf(first)], keys };
  }
  return undefined;
}

function measuresOf(sheet: Sheet, columns: readonly Column[], rows: readonly number[]): Profile['measures'] {
  const full = columns.filter((column) => {
    const index = indexOf(sheet, column.name);
    const values = rows.map((row) => numberOf(sheet.rows[row]?.[index]));
    return isNumeric(column) && values.every((value) => value !== undefined) && new Set(values).size > 1;
  });
  const additive = full.filter((column) => isAdditive(column.name));
  const usable = additive.length > 0 ? additive : full.filter((column) => !isIdentifier(column.name));
  return usable.map((column) => ({ column: column.name, type: column.type }));
}

function dimensionsOf(
  sheet: Sheet,
  columns: readonly Column[],
  rows: readonly number[],
  wide: boolean,
): Profile['dimensions'] {
  return columns.flatMap((column) => {
    const index = indexOf(sheet, column.name);
    const cells = rows.map((row) => shown(sheet.rows[row]?.[index]));
    const texts = cells.filter((value) => typeof value === 'string').map((value) => value.trim());
    const values = [...new Set(texts)].sort((a, b) => (a < b ? -1 : 1));
    const most = wide ? 12 : Math.min(12, Math.floor(rows.length * 0.6));
    const usable =
      texts.length === rows.length &&
      values.length >= 2 &&
      values.length <= most &&
      values.every((value) => value.length <= 40 && !isErrorText(value));
    return usable && column.type === 'text' ? [{ column: column.name, values }] : [];
  });
}

/** Kinds of summary for a table with these roles. */
function outcomesOf(
  periods: readonly PeriodKey[],
  grain: Grain | null,
  dimensions: number,
  measures: readonly string[],
): string[] {
  const time = grain !== null;
  const quarters = new Set(periods.map((key) => coarser(key, 'quarter'))).size;
  const across = time ? dimensions >= 1 : dimensions >= 2;
  return [
    'totals',
    'top',
    'average-and-count',
    'above-threshold',
    'ranked',
    'share',
    'largest-entry',
    ...(across ? ['pivot', 'one-category'] : []),
    ...(time && periods.length >= 3 ? ['running-total', 'change-on-previous'] : []),
    ...(grain === 'month' && quarters >= 2 ? ['quarter-rollup'] : []),
    ...(comparableMeasures(measures).length >= 2 ? ['two-measures'] : []),
  ];
}

const listed = (names: readonly string[]) => names.map((name) => `“${name}”`).join(', ');

/** Roles of a sheet's columns, or why it cannot be summarised. */
function profileOf(sheet: Sheet): Profile | string {
  const columns = namedColumns(sheet);
  const rows = dataRows(sheet);
  if (rows.length < 2) return 'fewer than two rows of data';
  const wide = wideColumns(sheet, columns);
  const inWide = new Set(wide.map((each) => each.column));
  const rest = columns.filter((column) => !inWide.has(column.name));
  const time = wide.length > 0 ? undefined : timeColumn(sheet, rest, rows);
  const measures: Profile['measures'] =
    wide.length > 0
      ? [...new Set(wide.map((each) => each.measure))].map((column) => ({ column, type: 'number' }))
      : measuresOf(
          sheet,
          rest.filter((column) => column.name !== time?.column),
          rows,
        );
  if (measures.length === 0) return 'no column of numbers that can be added up and is filled in every row';
  const dimensions = dimensionsOf(
    sheet,
    rest.filter((column) => column.name !== time?.column),
    rows,
    wide.length > 0,
  );
  const keys = [...new Set(wide.length > 0 ? wide.map((each) => each.period) : (time?.keys ?? []))].sort();
  const sparse = rows.length < keys.length * 1.3 && new Set(keys.map(yearOf)).size >= 3;
  const tooFine = time?.basis === 'dates' && (keys.length > 24 || sparse);
  const grain = keys[0] === undefined ? null : tooFine ? 'year' : grainOf(keys[0]);
  const periods = grain === null ? [] : [...new Set(keys.map((key) => coarser(key, grain)))];
  if (grain === null && dimensions.length === 0)
    return 'neither a date, month or quarter column nor a column of categories';
  const basis = wide.length > 0 ? 'period columns' : (time?.basis ?? 'categories');
  const roles = new Set([
    time?.column,
    ...measures.map((each) => each.column),
    ...dimensions.map((each) => each.column),
    ...inWide,
  ]);
  const by = grain === null ? `by category (${listed(dimensions.map((each) => each.column))})` : `by ${grain}`;
  return {
    sheet: sheet.name,
    rows,
    basis,
    period: time?.column ?? null,
    grain,
    periods,
    wide,
    dimensions,
    measures,
    others: columns.map((column) => column.name).filter((name) => !roles.has(name)),
    outcomes: outcomesOf(
      periods,
      grain,
      dimensions.length,
      measures.map((each) => each.column),
    ),
    chosen: `Sheet “${sheet.name}” is summarised ${by}, from its ${basis}; numbers: ${listed(measures.map((each) => each.column))}.`,
  };
}

/** Rows with time count more, since a summary by month is what is asked for first. */
const weight = (profile: Profile) =>
  profile.rows.length * Math.max(1, profile.wide.length / 2) * (profile.grain === null ? 1 : 3);

/**
 * Chooses the table of a workbook that can be summarised best and says what its columns are for.
 * @throws ForgeError `input.invalid` saying for each sheet why it cannot
 */
export function profileWorkbook(workbook: Workbook): Profile {
  const reasons: string[] = [];
  let best: Profile | undefined;
  for (const sheet of workbook.sheets) {
    const profile = profileOf(sheet);
    if (typeof profile === 'string') reasons.push(`sheet “${sheet.name}”: ${profile}`);
    else if (best === undefined || weight(profile) > weight(best)) best = profile;
  }
  if (best !== undefined) return best;
  throw new ForgeError('input.invalid', `The workbook has no table that can be summarised (${reasons.join('; ')}).`, {
    fix: 'Give a workbook with a table that has a column of numbers and a column of dates, months, quarters or categories.',
  });
}
