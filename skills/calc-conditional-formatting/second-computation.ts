import type { Seen } from '../../scripts/lib/read-table.ts';

type Row = Record<string, Seen>;
type Reader = (match: RegExpExecArray, rows: readonly Row[], cellAt: (address: string) => Seen) => boolean[];

const monthNames = 'January February March April May June July August September October November December'.split(' ');
const numbers = (rows: readonly Row[], name = '') => rows.map((row) => Number(row[name]));
const texts = (rows: readonly Row[], name = '') => rows.map((row) => String(row[name]));
const occurrences = (keys: readonly string[], once: boolean) =>
  keys.map((key) => (keys.filter((other) => other === key).length === 1) === once);
const places = (values: readonly number[], highest: boolean, count: number) => {
  const best = [...values].sort((a, b) => (highest ? b - a : a - b)).slice(0, count);
  return values.map((value) => best.includes(value));
};

/** Ways to say when a rule holds, each read for itself. */
const conditions: [RegExp, Reader][] = [
  [
    /^(.+) and (.+) together occur (only once|more than once) in the table$/,
    ([, a = '', b = '', how], rows) =>
      occurrences(
        rows.map((row) => JSON.stringify([row[a], row[b]])),
        how === 'only once',
      ),
  ],
  [
    /^(.+) is “(.+)” (and|or) (.+) is at least (\S+)$/,
    ([, a = '', text, how, b = '', limit], rows) =>
      rows.map((row) => {
        const both = [row[a] === text, Number(row[b]) >= Number(limit)];
        return how === 'and' ? both.every(Boolean) : both.some(Boolean);
      }),
  ],
  [
    /^(.+) is (not )?“(.+)”$/,
    ([, a = '', not, text], rows) => rows.map((row) => (row[a] === text) === (not === undefined)),
  ],
  [
    /^(.+) (contains|begins with|ends with) “(.+)”$/,
    ([, a, how, part = ''], rows) =>
      texts(rows, a).map((text) => {
        const at = text.toLowerCase().lastIndexOf(part.toLowerCase());
        if (how === 'contains') return at >= 0;
        return how === 'begins with'
          ? text.toLowerCase().indexOf(part.toLowerCase()) === 0
          : at >= 0 && at === text.length - part.length;
      }),
  ],
  [
    /^(.+) holds a value that occurs (only once|more than once) in its column$/,
    ([, a, how], rows) => occurrences(texts(rows, a), how === 'only once'),
  ],
  [
    /^(.+) is (in|outside) the range from (\S+) to (\S+), /,
    ([, a, how, low, high], rows) =>
      numbers(rows, a).map((value) => (Number(low) <= value && value <= Number(high)) === (how === 'in')),
  ],
  [
    /^(.+) is (above|below) the average of its column$/,
    ([, a, how], rows) => {
      const values = numbers(rows, a);
      const sum = values.reduce((all, value) => all + value, 0);
      return values.map((value) => (how === 'above' ? value * values.length > sum : value * values.length < sum));
    },
  ],
  [
    /^(.+) is (above|at least|below|at most) (?:the limit in cell ([A-Z]+\d+)|(\S+))$/,
    ([, a, how = '', cell, literal], rows, cellAt) => {
      const limit = Number(cell === undefined ? literal : cellAt(cell));
      const tests: Record<string, (value: number) => boolean> = {
        above: (value) => value > limit,
        'at least': (value) => value >= limit,
        below: (value) => value < limit,
        'at most': (value) => value <= limit,
      };
      return numbers(rows, a).map((value) => tests[how]?.(value) ?? false);
    },
  ],
  [
    /^(.+) is among the (highest|lowest) (\d+)( percent)? of its column$/,
    ([, a, how, count, percent], rows) =>
      places(
        numbers(rows, a),
        how === 'highest',
        percent === undefined ? Number(count) : Math.floor((rows.length * Number(count)) / 100),
      ),
  ],
  [
    /^(.+) equals the (smallest|largest) value of its column$/,
    ([, a, how], rows) => places(numbers(rows, a), how === 'largest', 1),
  ],
  [
    /^(.+) is greater than (.+) in the same row$/,
    ([, a = '', b = ''], rows) => rows.map((row) => Number(row[a]) > Number(row[b])),
  ],
  [
    /^(.+) lies in (\w+) (\d{4})$/,
    ([, a, month = '', year], rows) => {
      const start = `${year}-${String(monthNames.indexOf(month) + 1).padStart(2, '0')}-`;
      return texts(rows, a).map((day) => day.startsWith(start));
    },
  ],
  [/^(.+) is before (\d{4}-\d\d-\d\d)$/, ([, a, day = ''], rows) => texts(rows, a).map((each) => each < day)],
  [/^(.+) is (\d{4}-\d\d-\d\d) or later$/, ([, a, day = ''], rows) => texts(rows, a).map((each) => !(each < day))],
  [
    /^(.+) is from (\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d), both days included$/,
    ([, a, from = '', to = ''], rows) => texts(rows, a).map((day) => from <= day && day <= to),
  ],
  [
    /^(.+) falls on a Saturday or Sunday$/,
    ([, a], rows) => texts(rows, a).map((day) => new Date(`${day}T12:00:00Z`).getUTCDay() % 6 === 0),
  ],
];

/** Rows for which a condition holds, from its words and the data alone. */
export function rowsWhere(condition: string, rows: readonly Row[], cellAt: (address: string) => Seen): boolean[] {
  for (const [pattern, read] of conditions) {
    const match = pattern.exec(condition);
    if (match !== null) return read(match, rows, cellAt);
  }
  throw new Error(`no second computation for: ${condition}`);
}

/** A rule as the instruction states it; null for bars, scales and icons. */
export function statedRule(text: string): { sheet: string; column: string | null; condition: string } | null {
  const match =
    /^On the sheet (.+?), (?:the whole row of the table|the cell in the column (.+?))(?: \([^)]*\d\))? has .+? wherever (.+)\.$/.exec(
      text,
    );
  if (match === null) return null;
  return { sheet: match[1] ?? '', column: match[2] ?? null, condition: match[3] ?? '' };
}

interface WrittenRule {
  type: string;
  operator?: string;
  formulae?: unknown[];
  rank?: number;
  percent?: boolean;
  bottom?: boolean;
  aboveAverage?: boolean;
}

/** What a rule of a file highlights among the values of its column; undefined for rules that are formulas. */
export function rowsOfRule(
  rule: WrittenRule,
  values: readonly Seen[],
  cellAt: (address: string) => Seen,
): boolean[] | undefined {
  const operands = (rule.formulae ?? []).map((formula): Seen => {
    const text = String(formula);
    if (text.startsWith('"')) return text.slice(1, -1);
    return text.startsWith('$') ? cellAt(text.replaceAll('$', '')) : Number(text);
  });
  const [first = null, second = null] = operands;
  const tests: Record<string, (value: Seen) => boolean> = {
    greaterThan: (value) => Number(value) > Number(first),
    greaterThanOrEqual: (value) => Number(value) >= Number(first),
    lessThan: (value) => Number(value) < Number(first),
    lessThanOrEqual: (value) => Number(value) <= Number(first),
    equal: (value) => value === first,
    notEqual: (value) => value !== first,
    between: (value) => Number(value) >= Number(first) && Number(value) <= Number(second),
    notBetween: (value) => Number(value) < Number(first) || Number(value) > Number(second),
  };
  const all = values.map(Number);
  switch (rule.type) {
    case 'cellIs':
      return values.map((value) => tests[rule.operator ?? '']?.(value) ?? false);
    case 'top10': {
      const count = rule.percent === true ? Math.floor((all.length * (rule.rank ?? 10)) / 100) : (rule.rank ?? 10);
      return places(all, rule.bottom !== true, count);
    }
    case 'aboveAverage': {
      const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
      return all.map((value) => (rule.aboveAverage === false ? value < mean : value > mean));
    }
    default:
      return undefined;
  }
}

/** A formula of a rule for the row `down` below the one it is written for. */
export function movedDown(formula: string, down: number): string {
  return formula
    .split(/("(?:[^"]|"")*")/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(
            /(\$?[A-Z]{1,3})(\$?)(\d+)(?![\d(A-Za-z])/g,
            (all, column: string, fixed: string, row: string) =>
              fixed === '$' ? all : `${column}${Number(row) + down}`,
          ),
    )
    .join('');
}
