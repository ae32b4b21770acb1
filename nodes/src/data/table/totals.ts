import type { Column, ColumnType } from '@cua-forge/spec/task';
import { type Frame, keyOf, placeOf, type Scalar, wrong } from './frame.ts';
import type { Total } from './steps.ts';

const numeric = new Set<Total>(['sum', 'mean', 'median']);
const counting = new Set<Total>(['count', 'distinct']);

/** What a total needs: the place of its column, or null for counting rows. */
export function totalled(frame: Frame, total: Total, column: string | undefined, where: string): number | null {
  if (column !== undefined) return placeOf(frame, column, where);
  if (total === 'count') return null;
  throw wrong(where, `the total ${total} needs a column.`, 'Say of which column, or use count.');
}

/** One value of many. Sums are rounded to 12 digits, so that 0.1 + 0.2 is 0.3. */
export function totalOf(frame: Frame, rows: Frame['rows'], total: Total, place: number | null, where: string): Scalar {
  if (place === null) return rows.length;
  const values = rows.map((row) => row[place] ?? null).filter((value) => value !== null);
  if (numeric.has(total)) return arithmetic(frame, values, total, place, where);
  switch (total) {
    case 'count':
      return values.length;
    case 'distinct':
      return new Set(values.map((value) => keyOf([value]))).size;
    case 'min':
    case 'max': {
      const sorted = [...values].sort(compare);
      return (total === 'min' ? sorted[0] : sorted.at(-1)) ?? null;
    }
    case 'last':
      return values.at(-1) ?? null;
    case 'join':
      return values.length === 0 ? null : [...new Set(values.map(String))].join(', ');
    default:
      return values[0] ?? null;
  }
}

function arithmetic(
  frame: Frame,
  values: readonly Scalar[],
  total: Total,
  place: number,
  where: string,
): number | null {
  const numbers = values.map((value) => {
    if (typeof value === 'number') return value;
    const name = frame.columns[place]?.name ?? '';
    throw wrong(
      where,
      `${total} of "${name}" meets ${JSON.stringify(value).slice(0, 80)}, which is no number.`,
      'Use a column of numbers, or a step type or filter before.',
    );
  });
  if (numbers.length === 0) return total === 'sum' ? 0 : null;
  if (total === 'median') {
    const sorted = numbers.sort((a, b) => a - b);
    const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0];
    return tidy((low + high) / 2);
  }
  const sum = numbers.reduce((all, one) => all + one, 0);
  return tidy(total === 'mean' ? sum / numbers.length : sum);
}

const tidy = (value: number): number => Number(value.toPrecision(12));

/** The column that holds a total: a type that fits, and the look of the column it is of. */
export function totalColumn(frame: Frame, name: string, total: Total, place: number | null): Column {
  const source = place === null ? undefined : frame.columns[place];
  if (source === undefined || counting.has(total)) return { name, type: 'integer' };
  if (total === 'join') return { name, type: 'text' };
  const type: ColumnType =
    source.type === 'integer' && (total === 'mean' || total === 'median') ? 'number' : source.type;
  return { ...source, name, type };
}

/** Order of values: numbers by size, texts by their characters; of different types numbers, texts, then true and false. Null comes last. */
export function compare(a: Scalar, b: Scalar): number {
  const [first, second] = [rank(a), rank(b)];
  if (first !== second) return first - second;
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : 1;
}

const rank = (value: Scalar): number =>
  value === null ? 3 : typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2;

/** Rows by key, in the order the keys first appear. */
export function groupsOf(
  rows: Frame['rows'],
  places: readonly number[],
): { key: Scalar[]; rows: (readonly Scalar[])[] }[] {
  const groups = new Map<string, { key: Scalar[]; rows: (readonly Scalar[])[] }>();
  for (const row of rows) {
    const key = places.map((place) => row[place] ?? null);
    const text = keyOf(key);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, { key, rows: [row] });
    else group.rows.push(row);
  }
  return [...groups.values()];
}
