import type { Seen } from '../../scripts/lib/read-table.ts';

export type Row = Record<string, Seen>;
/** Tables of the prepared file by sheet. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

const round = (value: number) => Math.sign(value) * (Math.round(Math.abs(Number((value * 100).toPrecision(14)))) / 100);

function table(tables: Tables, name: string): readonly Row[] {
  const found = tables.get(name);
  if (found === undefined) throw new Error(`no sheet ${name}`);
  return found;
}

function single(rows: readonly Row[], key: string, value: Seen): Row | undefined {
  const hits = rows.filter((row) => row[key] === value);
  if (hits.length > 1) throw new Error(`${value} is there ${hits.length} times`);
  return hits[0];
}

type Reader = (match: RegExpExecArray, rows: readonly Row[], tables: Tables) => Seen[];

/** Ways to say what each row shows, each worked out from the words and the tables alone. */
const readers: [RegExp, Reader][] = [
  [
    /^Each row shows the (.+) that the sheet (.+) gives for its (.+) and its (.+) together\.$/,
    ([, wanted = '', sheet = '', a = '', b = ''], rows, tables) =>
      rows.map((row) => {
        const reference = table(tables, sheet);
        const isList = reference.every((each) => wanted in each);
        if (!isList) return single(reference, a, row[a] ?? null)?.[String(row[b])] ?? null;
        return reference.find((each) => each[a] === row[a] && each[b] === row[b])?.[wanted] ?? null;
      }),
  ],
  [
    /^Each row shows its (.+) (plus|times) the (.+) that the sheet (.+) gives for its (.+), rounded to two decimals\.$/,
    ([, measure = '', how, wanted = '', sheet = '', key = ''], rows, tables) =>
      rows.map((row) => {
        const rate = Number(single(table(tables, sheet), key, row[key] ?? null)?.[wanted]);
        return round(how === 'plus' ? Number(row[measure]) + rate : Number(row[measure]) * rate);
      }),
  ],
  [
    /^Each row shows the (.+) that the sheet (.+) gives for its (.+?)(?:; where that sheet does not have the .+, the cell says “(.+)”)?\.$/,
    ([, wanted = '', sheet = '', key = '', text], rows, tables) =>
      rows.map((row) => single(table(tables, sheet), key, row[key] ?? null)?.[wanted] ?? text ?? null),
  ],
  [
    /^Each row shows the (.+) of the band that its (.+) falls into; the sheet (.+) gives the lower limit/,
    ([, wanted = '', measure = '', sheet = ''], rows, tables) =>
      rows.map((row) => {
        let best: Row | undefined;
        for (const band of table(tables, sheet)) {
          const lower = Number(Object.values(band)[0]);
          if (lower <= Number(row[measure]) && (best === undefined || lower > Number(Object.values(best)[0])))
            best = band;
        }
        return best?.[wanted] ?? null;
      }),
  ],
  [
    /^Each row of the sheet .+ shows the sum of (.+) over all rows of the sheet (.+) that have its (.+), rounded to two decimals, and 0 where there is none\.$/,
    ([, measure = '', sheet = '', key = ''], rows, tables) =>
      rows.map((row) => {
        let sum = 0;
        for (const each of table(tables, sheet)) if (each[key] === row[key]) sum += Number(each[measure]);
        return round(sum);
      }),
  ],
  [
    /^Each row of the sheet .+ shows the largest (.+) among the rows of the sheet (.+) that have its (.+), and 0 where there is none\.$/,
    ([, measure = '', sheet = '', key = ''], rows, tables) =>
      rows.map((row) => {
        const values = table(tables, sheet).flatMap((each) => (each[key] === row[key] ? [Number(each[measure])] : []));
        return values.sort((a, b) => b - a)[0] ?? 0;
      }),
  ],
  [
    /^Each row of the sheet .+ shows how many rows of the sheet (.+) have its (.+)\.$/,
    ([, sheet = '', key = ''], rows, tables) =>
      rows.map((row) => table(tables, sheet).filter((each) => each[key] === row[key]).length),
  ],
  [
    /^Each row of the sheet .+ shows “(.+)” where the sheet (.+) has a row with its (.+), and “(.+)” where it has none\.$/,
    ([, yes = '', sheet = '', key = '', no = ''], rows, tables) =>
      rows.map((row) => (table(tables, sheet).some((each) => each[key] === row[key]) ? yes : no)),
  ],
];

/** What the rows of a table are to show, by the sentence that asks for it. */
export function solve(sentence: string, rows: readonly Row[], tables: Tables): Seen[] {
  for (const [pattern, read] of readers) {
    const match = pattern.exec(sentence);
    if (match !== null) return read(match, rows, tables);
  }
  throw new Error(`no second computation for: ${sentence}`);
}
