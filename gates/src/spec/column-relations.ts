import { isTotalRow, type SpecTable, shownIn } from './spec-tables.ts';

/** Share of rows that must follow a relation for it to be meant. */
const MEANT = 0.75;
const LEAST_ROWS = 5;
const MOST_COLUMNS = 10;

const relations: readonly { sign: string; of(a: number, b: number): number; says(a: number, b: number): boolean }[] = [
  { sign: '×', of: (a, b) => a * b, says: (a, b) => a !== 0 && b !== 0 && Math.abs(a) !== 1 && Math.abs(b) !== 1 },
  { sign: '+', of: (a, b) => a + b, says: (a, b) => a !== 0 && b !== 0 },
  { sign: '−', of: (a, b) => a - b, says: (a, b) => a !== 0 && b !== 0 && a !== b },
];

const near = (value: number, wanted: number) => Math.abs(value - wanted) <= Math.max(0.0151, Math.abs(wanted) * 1e-6);

/** Rows that break what nearly all rows follow: one column is the product, sum or difference of two others. */
export function brokenRelations(table: SpecTable): string[] {
  const numeric = table.columns.flatMap(({ type }, index) =>
    type === 'text' || type === 'date' || type === 'boolean' ? [] : [index],
  );
  if (numeric.length > MOST_COLUMNS) return [];
  const rows = table.rows.flatMap((row, at) => (isTotalRow(row) ? [] : [{ at, cells: row.map(shownIn) }]));
  const problems = new Map<string, string>();
  for (const c of numeric)
    for (const a of numeric)
      for (const b of numeric) {
        if (a === b || a === c || b === c) continue;
        for (const { sign, of, says } of relations) {
          if (sign !== '−' && a > b) continue;
          const telling = rows.flatMap(({ at, cells }) => {
            const [x, y, z] = [cells[a], cells[b], cells[c]];
            return typeof x === 'number' && typeof y === 'number' && typeof z === 'number' && says(x, y)
              ? [{ at, x, y, z }]
              : [];
          });
          const broken = telling.filter(({ x, y, z }) => !near(z, of(x, y)));
          if (telling.length < LEAST_ROWS || broken.length === 0 || broken.length > telling.length * (1 - MEANT))
            continue;
          for (const { at, x, y, z } of broken) {
            // One wrong cell breaks the relation in every way it can be written: it is told once.
            const key = `${at}/${[a, b, c].sort().join()}`;
            const names = [c, a, b].map((index) => table.columns[index]?.name ?? '');
            if (!problems.has(key))
              problems.set(
                key,
                `${table.placeOf(at, c)}: ${names[0]} is ${z}, but ${names[1]} ${sign} ${names[2]} is ${Number(of(x, y).toPrecision(12))}`,
              );
          }
        }
      }
  return [...problems.values()];
}
