import { type NumberColumn, quantile, roundNumber } from '../columns/column-facts.ts';
import { covering, type DraftContext, type RuleBuilder, type RuleDraft, tells, wholeRow } from './rule-draft.ts';

const comparisons = {
  greaterThan: { text: 'is above', holds: (value: number, limit: number) => value > limit, sign: '>' },
  greaterThanOrEqual: { text: 'is at least', holds: (value: number, limit: number) => value >= limit, sign: '>=' },
  lessThan: { text: 'is below', holds: (value: number, limit: number) => value < limit, sign: '<' },
  lessThanOrEqual: { text: 'is at most', holds: (value: number, limit: number) => value <= limit, sign: '<=' },
} as const;

type Comparison = keyof typeof comparisons;
const operators: readonly [Comparison, ...Comparison[]] = [
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
];

/** A limit that tells some values from others and that people would name. */
export function limitFor(
  values: readonly number[],
  operator: Comparison,
  share: number,
): { limit: number; rows: boolean[] } | undefined {
  for (const figures of [2, 3, 4]) {
    const limit = roundNumber(quantile(values, share), figures);
    const rows = values.map((value) => comparisons[operator].holds(value, limit));
    if (tells(rows)) return { limit, rows };
  }
  return undefined;
}

const drawShare = (operator: Comparison, fraction: number) =>
  operator.startsWith('greater') ? 0.55 + 0.35 * fraction : 0.1 + 0.35 * fraction;

function someNumber({ columns, random }: DraftContext): NumberColumn | undefined {
  return random.shuffle(columns.numbers.filter(({ values }) => new Set(values).size >= 3))[0];
}

const threshold: RuleBuilder = (context) => {
  const { random, sheet, firstRow, limitCell } = context;
  const column = someNumber(context);
  if (column === undefined) return undefined;
  const operator = random.pick(operators);
  const found = limitFor(column.values, operator, drawShare(operator, random.fraction()));
  if (found === undefined) return undefined;
  const { limit, rows } = found;
  const { text, sign } = comparisons[operator];
  const fromCell = random.chance(0.3);
  const wanted = fromCell ? `the limit in cell ${limitCell.replaceAll('$', '')}` : String(limit);
  const shared = {
    condition: `${column.name} ${text} ${wanted}`,
    rows,
    mentions: [column.name, ...(fromCell ? [limitCell.replaceAll('$', '')] : [])],
    ...(fromCell ? { limit: { label: random.pick(['Limit', 'Threshold', 'Alert at']), value: limit } } : {}),
  };
  const side = operator.startsWith('greater') ? 'above a limit' : 'below a limit';
  const kind = fromCell ? `${side} in a cell` : side;
  if (random.chance(0.35)) {
    const formula = `$${column.letters}${firstRow}${sign}${fromCell ? limitCell : limit}`;
    return { kind, scope: 'rows', covers: wholeRow(sheet), rule: { type: 'formula', formula }, ...shared };
  }
  const rule: RuleDraft['rule'] = { type: 'cell', operator, values: [fromCell ? limitCell : limit] };
  return { kind, scope: 'cells', covers: covering(column.index), rule, ...shared };
};

const range: RuleBuilder = (context) => {
  const { random } = context;
  const column = someNumber(context);
  if (column === undefined) return undefined;
  const low = roundNumber(quantile(column.values, 0.15 + 0.25 * random.fraction()));
  const high = roundNumber(quantile(column.values, 0.6 + 0.3 * random.fraction()));
  const outside = random.chance(0.4);
  const rows = column.values.map((value) => (value >= low && value <= high) !== outside);
  if (low >= high || !tells(rows)) return undefined;
  return {
    kind: outside ? 'outside a range' : 'inside a range',
    scope: 'cells',
    covers: covering(column.index),
    rule: { type: 'cell', operator: outside ? 'notBetween' : 'between', values: [low, high] },
    condition: `${column.name} is ${outside ? 'outside the range' : 'in the range'} from ${low} to ${high}, ${outside ? 'the ends not counting as outside' : 'both included'}`,
    rows,
    mentions: [column.name],
  };
};

const extreme: RuleBuilder = (context) => {
  const { random } = context;
  const column = someNumber(context);
  if (column === undefined) return undefined;
  const bottom = random.chance(0.45);
  const percent = random.chance(0.35);
  const total = column.values.length;
  const rank = percent ? random.pick([10, 20, 25]) : random.pick([3, 5, 10]);
  const count = percent ? Math.floor((total * rank) / 100) : rank;
  if (count < 1 || count >= total) return undefined;
  const sorted = [...column.values].sort((a, b) => (bottom ? a - b : b - a));
  const last = sorted[count - 1] ?? 0;
  // Where the last place is shared, applications differ.
  if (sorted[count] === last) return undefined;
  return {
    kind: `${bottom ? 'bottom' : 'top'} ${percent ? 'percent' : 'places'}`,
    scope: 'cells',
    covers: covering(column.index),
    rule: { type: 'top', count: rank, percent, bottom },
    condition: `${column.name} is among the ${bottom ? 'lowest' : 'highest'} ${rank}${percent ? ' percent' : ''} of its column`,
    rows: column.values.map((value) => (bottom ? value <= last : value >= last)),
    mentions: [column.name],
  };
};

const average: RuleBuilder = (context) => {
  const column = someNumber(context);
  if (column === undefined) return undefined;
  const above = context.random.chance(0.5);
  const mean = column.values.reduce((sum, value) => sum + value, 0) / column.values.length;
  // A value that equals the mean but for rounding could go either way.
  if (column.values.some((value) => Math.abs(value - mean) < 1e-9 * Math.max(1, Math.abs(mean)))) return undefined;
  return {
    kind: above ? 'above average' : 'below average',
    scope: 'cells',
    covers: covering(column.index),
    rule: { type: 'average', above },
    condition: `${column.name} is ${above ? 'above' : 'below'} the average of its column`,
    rows: column.values.map((value) => (above ? value > mean : value < mean)),
    mentions: [column.name],
  };
};

const extremeRow: RuleBuilder = (context) => {
  const { random, sheet, firstRow } = context;
  const column = someNumber(context);
  if (column === undefined) return undefined;
  const lowest = random.chance(0.4);
  const best = lowest ? Math.min(...column.values) : Math.max(...column.values);
  const rows = column.values.map((value) => value === best);
  const cells = `$${column.letters}$${firstRow}:$${column.letters}$${firstRow + column.values.length - 1}`;
  return {
    kind: lowest ? 'row of the minimum' : 'row of the maximum',
    scope: 'rows',
    covers: wholeRow(sheet),
    rule: { type: 'formula', formula: `$${column.letters}${firstRow}=${lowest ? 'MIN' : 'MAX'}(${cells})` },
    condition: `${column.name} equals the ${lowest ? 'smallest' : 'largest'} value of its column`,
    rows,
    mentions: [column.name],
  };
};

const compareColumns: RuleBuilder = ({ columns, random, sheet, firstRow }) => {
  const pairs = columns.numbers.flatMap((a) =>
    columns.numbers.flatMap((b) => {
      if (a === b) return [];
      const rows = a.values.map((value, index) => value > (b.values[index] ?? 0));
      return tells(rows) ? [{ a, b, rows }] : [];
    }),
  );
  const [pair] = random.shuffle(pairs);
  if (pair === undefined) return undefined;
  return {
    kind: 'one column above another',
    scope: 'rows',
    covers: wholeRow(sheet),
    rule: { type: 'formula', formula: `$${pair.a.letters}${firstRow}>$${pair.b.letters}${firstRow}` },
    condition: `${pair.a.name} is greater than ${pair.b.name} in the same row`,
    rows: pair.rows,
    mentions: [pair.a.name, pair.b.name],
  };
};

export const numberRules: Record<string, RuleBuilder> = {
  threshold,
  range,
  extreme,
  average,
  'extreme-row': extremeRow,
  'compare-columns': compareColumns,
};
