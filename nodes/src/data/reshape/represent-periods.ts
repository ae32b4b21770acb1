import type { Column } from '@cua-forge/spec/task';
import { monthName, type PeriodKey, periodOfCell, yearOf } from '../periods.ts';
import type { Profile } from '../profile.ts';
import type { Random } from '../random.ts';
import type { Source } from '../summary/source.ts';
import { type Frame, type FrameCell, type FrameRow, resultOf } from './frame.ts';

interface Represented {
  frame: Frame;
  period: Source['period'];
  /** How periods are written now, for the traits. */
  label: string;
}

interface Style {
  label: string;
  columns: Column[];
  cells: (key: PeriodKey, value: string) => FrameCell[];
}

const month = (key: PeriodKey) => Number(key.slice(5, 7));

function dateStyles(column: string, random: Random): [Style, ...Style[]] {
  const format = random.pick(['yyyy-mm-dd', 'dd/mm/yyyy', 'mmm d, yyyy', 'dd mmm yyyy', 'mm/dd/yyyy']);
  const short = random.chance(0.5);
  return [
    {
      label: `dates as ${format}`,
      columns: [{ name: column, type: 'date', format }],
      cells: (_, value) => [value.slice(0, 10)],
    },
    { label: 'dates as text', columns: [{ name: column, type: 'text' }], cells: (_, value) => [value.slice(0, 10)] },
    {
      label: `columns for year and month ${short ? 'in short' : 'in full'}`,
      columns: [
        { name: 'Year', type: 'integer' },
        { name: 'Month', type: 'text' },
      ],
      cells: (key) => [Number(yearOf(key)), monthName(month(key), short)],
    },
    {
      label: 'columns for year and month number',
      columns: [
        { name: 'Year', type: 'integer' },
        { name: 'Month', type: 'integer' },
      ],
      cells: (key) => [Number(yearOf(key)), month(key)],
    },
    {
      label: `month names with year ${short ? 'in short' : 'in full'}`,
      columns: [{ name: 'Month', type: 'text' }],
      cells: (key) => [`${monthName(month(key), short)} ${yearOf(key)}`],
    },
    { label: 'months as yyyy-mm', columns: [{ name: 'Month', type: 'text' }], cells: (key) => [key] },
  ];
}

function monthStyles(column: string, withYear: boolean): [Style, ...Style[]] {
  const name = (short: boolean): Style => ({
    label: `month names ${short ? 'in short' : 'in full'}`,
    columns: [{ name: column, type: 'text' }],
    cells: (key) => [`${monthName(month(key), short)}${withYear ? ` ${yearOf(key)}` : ''}`],
  });
  const numbers: Style = withYear
    ? { label: 'months as yyyy-mm', columns: [{ name: column, type: 'text' }], cells: (key) => [key] }
    : {
        label: 'month numbers',
        columns: [{ name: /\bmonth\b/i.test(column) ? column : 'Month', type: 'integer' }],
        cells: (key) => [month(key)],
      };
  return [name(true), name(false), numbers];
}

function quarterStyles(column: string, withYear: boolean): [Style, ...Style[]] {
  const suffix = (key: PeriodKey) => (withYear ? ` ${yearOf(key)}` : '');
  return [
    {
      label: 'quarters as Q1',
      columns: [{ name: column, type: 'text' }],
      cells: (key) => [`${key.slice(5)}${suffix(key)}`],
    },
    {
      label: 'quarters in words',
      columns: [{ name: column, type: 'text' }],
      cells: (key) => [`Quarter ${key.slice(6)}${suffix(key)}`],
    },
  ];
}

/** Turns columns such as `Q1 Revenue` into rows: one for each row and period. */
export function lengthen(frame: Frame, profile: Profile, random: Random): Represented {
  const inWide = new Set(profile.wide.map((each) => each.column));
  const periods = [...new Set(profile.wide.map((each) => each.period))].sort();
  const name = profile.grain === 'quarter' ? 'Quarter' : 'Month';
  const styles = profile.grain === 'quarter' ? quarterStyles(name, false) : monthStyles(name, false);
  const style = random.pick(styles);
  const rest = frame.columns.filter((column) => !inWide.has(column.name));
  const column: Column = style.columns[0] ?? { name, type: 'text' };
  const measures = profile.measures.map((measure): Column => ({ name: measure.column, type: 'number' }));
  const rows = frame.rows.flatMap((row) =>
    periods.map((key): FrameRow => {
      const cells = new Map<string, FrameCell>(rest.map((each) => [each.name, resultOf(row.cells.get(each.name))]));
      cells.set(column.name, style.cells(key, key)[0] ?? null);
      for (const each of profile.wide)
        if (each.period === key) cells.set(each.measure, resultOf(row.cells.get(each.column)));
      return { cells, key };
    }),
  );
  return {
    frame: { columns: [...rest, column, ...measures], rows },
    period: { column: column.name, yearColumn: null },
    label: `one row per ${profile.grain ?? 'period'}, ${style.label}`,
  };
}

/** Writes the period column of a long table in another way: other formats, names, or a column of its own for the year. */
export function representPeriods(frame: Frame, profile: Profile, random: Random): Represented {
  const { period, basis } = profile;
  if (period === null) return { frame, period: null, label: 'none' };
  const keyed = frame.rows.map((row) => ({ row, key: periodOfCell(resultOf(row.cells.get(period)), period) ?? '' }));
  const withYear = keyed.some(({ key }) => yearOf(key) !== '0000');
  const others = new Set(frame.columns.map((column) => column.name).filter((name) => name !== period));
  const plain: Style = { label: 'years', columns: [{ name: period, type: 'integer' }], cells: (key) => [Number(key)] };
  const all: [Style, ...Style[]] =
    basis === 'dates'
      ? dateStyles(period, random)
      : basis === 'months'
        ? monthStyles(period, withYear)
        : basis === 'quarters'
          ? quarterStyles(period, withYear)
          : [plain];
  const [first, ...more] = all;
  const style = random.pick([
    first,
    ...more.filter((each) => each.columns.every((column) => !others.has(column.name))),
  ]);
  const index = frame.columns.findIndex((column) => column.name === period);
  const columns = [...frame.columns.slice(0, index), ...style.columns, ...frame.columns.slice(index + 1)];
  const rows = keyed.map(({ row, key }): FrameRow => {
    const written = style.cells(key, String(resultOf(row.cells.get(period))));
    const cells = new Map(row.cells);
    cells.delete(period);
    style.columns.forEach((column, at) => {
      cells.set(column.name, written[at] ?? null);
    });
    return { cells, key };
  });
  const [one, second] = style.columns;
  const name = second?.name ?? one?.name ?? period;
  return {
    frame: { columns, rows },
    period: { column: name, yearColumn: second === undefined ? null : (one?.name ?? null) },
    label: style.label,
  };
}
