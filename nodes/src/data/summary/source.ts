import { ForgeError } from '@cua-forge/spec/errors';
import type { Sheet, Workbook } from '@cua-forge/spec/task';
import { z } from 'zod';
import { numberOf, shown } from '../cell-values.ts';
import { type PeriodKey, periodOfCell, yearOf } from '../periods.ts';

/** Where the data of a reshaped workbook stands and what its columns mean. */
export const Source = z.strictObject({
  /** Sheets that hold data, in the order of the workbook. */
  sheets: z.array(z.string()).min(1),
  /** Set where each sheet holds one value of this dimension, which then is the sheet's name and no column. */
  splitBy: z.string().nullable(),
  period: z.strictObject({ column: z.string(), yearColumn: z.string().nullable() }).nullable(),
  grain: z.enum(['month', 'quarter', 'year']).nullable(),
  /** Columns that hold one period and one measure each; empty for a long table. */
  wide: z.array(z.strictObject({ column: z.string(), period: z.string(), measure: z.string() })),
  dimensions: z.array(z.string()),
  measures: z.array(z.string()).min(1),
});
export type Source = z.infer<typeof Source>;

/** One observation: when, of what categories, how much. */
export interface Observation {
  period: PeriodKey | undefined;
  categories: Record<string, string>;
  values: Record<string, number>;
}

function columnIndex(sheet: Sheet, name: string): number {
  const index = sheet.columns.findIndex((column) => column.name === name);
  if (index >= 0) return index;
  throw new ForgeError('input.invalid', `The sheet “${sheet.name}” has no column “${name}”.`, {
    fix: 'Connect the workbook and the source of the same data.reshape node.',
  });
}

function sheetObservations(sheet: Sheet, source: Source): Observation[] {
  const at = (name: string) => columnIndex(sheet, name);
  return sheet.rows.flatMap((row) => {
    const categories: Record<string, string> = {};
    for (const name of source.dimensions) {
      categories[name] = source.splitBy === name ? sheet.name : String(shown(row[at(name)]) ?? '').trim();
    }
    const amount = (name: string) => numberOf(row[at(name)]) ?? 0;
    if (source.wide.length > 0) {
      const periods = [...new Set(source.wide.map((each) => each.period))];
      return periods.map((period) => ({
        period,
        categories,
        values: Object.fromEntries(
          source.wide.filter((each) => each.period === period).map((each) => [each.measure, amount(each.column)]),
        ),
      }));
    }
    return [
      {
        period: periodOf(sheet, row, source),
        categories,
        values: Object.fromEntries(source.measures.map((name) => [name, amount(name)])),
      },
    ];
  });
}

function periodOf(sheet: Sheet, row: Sheet['rows'][number], source: Source): PeriodKey | undefined {
  if (source.period === null) return undefined;
  const { column, yearColumn } = source.period;
  const key = periodOfCell(row[columnIndex(sheet, column)], column);
  if (key === undefined) {
    throw new ForgeError(
      'input.invalid',
      `The column “${column}” of sheet “${sheet.name}” holds a value that is no period.`,
    );
  }
  if (yearColumn === null || yearOf(key) !== '0000') return key;
  return `${shown(row[columnIndex(sheet, yearColumn)])}${key.slice(4)}`;
}

/**
 * Reads the observations out of the data sheets of a workbook, as a person would who looks at it.
 * @throws ForgeError `input.invalid` when workbook and source do not belong together
 */
export function observationsOf(workbook: Workbook, source: Source): Observation[] {
  return source.sheets.flatMap((name) => {
    const sheet = workbook.sheets.find((candidate) => candidate.name === name);
    if (sheet === undefined) throw new ForgeError('input.invalid', `The workbook has no sheet “${name}”.`);
    return sheetObservations(sheet, source);
  });
}
