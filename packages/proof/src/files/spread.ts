import { parseAddress } from '@cua-forge/spec/cell-address';
import type { CellPlace } from './workbook-variants.ts';

/** At most so many of a list, evenly spread, the first and the last among them. */
export function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from(
    { length: most },
    (_, index) => all[Math.round((index * (all.length - 1)) / Math.max(1, most - 1))],
  ).flatMap((one) => (one === undefined ? [] : [one]));
}

/**
 * At most so many cells, in the order of the list. The topmost of each column, where headings stand, and the last of each row come before others:
 * what is not looked at is most often a whole row or a whole column.
 */
export function acrossCells<T>(all: readonly T[], placeOf: (one: T) => CellPlace, most: number): T[] {
  if (all.length <= most) return [...all];
  const [tops, ends] = [new Map<string, T>(), new Map<string, T>()];
  for (const one of all) {
    const { sheet, address } = placeOf(one);
    const { row, column } = parseAddress(address) ?? { row: 0, column: 0 };
    if (!tops.has(`${sheet}!${column}`)) tops.set(`${sheet}!${column}`, one);
    ends.set(`${sheet}!${row}`, one);
  }
  const chosen = new Set([...spread([...tops.values()], most / 2), ...spread([...ends.values()], most / 2)]);
  const others = all.filter((one) => !chosen.has(one));
  for (const one of spread(others, most - chosen.size)) chosen.add(one);
  return all.filter((one) => chosen.has(one));
}
