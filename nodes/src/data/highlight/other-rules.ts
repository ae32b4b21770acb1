import type { ConditionalRule } from '@cua-forge/spec/workbook-features';
import type { DateColumn } from '../columns/column-facts.ts';
import { covering, type DraftContext, type RuleBuilder, tells, wholeRow } from './rule-draft.ts';

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
];

const dateFunction = (day: string) => `DATE(${day.split('-').map(Number).join(',')})`;

interface Period {
  kind: string;
  condition: string;
  test: string;
  rows: boolean[];
}

function periodOf(column: DateColumn, { random, firstRow }: DraftContext): Period | undefined {
  const cell = `$${column.letters}${firstRow}`;
  const days = [...new Set(column.values)].sort();
  const [first = '', second = first] = random.subset(days, Math.min(2, days.length));
  const wish = random.pick(['month', 'before', 'since', 'between', 'weekend']);
  switch (wish) {
    case 'month': {
      const [year = '', month = ''] = first.split('-');
      return {
        kind: 'date in a month',
        condition: `${column.name} lies in ${monthNames[Number(month) - 1]} ${year}`,
        test: `AND(YEAR(${cell})=${Number(year)},MONTH(${cell})=${Number(month)})`,
        rows: column.values.map((day) => day.startsWith(`${year}-${month}`)),
      };
    }
    case 'before':
      return {
        kind: 'date before a day',
        condition: `${column.name} is before ${second}`,
        test: `${cell}<${dateFunction(second)}`,
        rows: column.values.map((day) => day < second),
      };
    case 'since':
      return {
        kind: 'date from a day on',
        condition: `${column.name} is ${first} or later`,
        test: `${cell}>=${dateFunction(first)}`,
        rows: column.values.map((day) => day >= first),
      };
    case 'between':
      return {
        kind: 'date in a period',
        condition: `${column.name} is from ${first} to ${second}, both days included`,
        test: `AND(${cell}>=${dateFunction(first)},${cell}<=${dateFunction(second)})`,
        rows: column.values.map((day) => day >= first && day <= second),
      };
    case 'weekend':
      return {
        kind: 'date on a weekend',
        condition: `${column.name} falls on a Saturday or Sunday`,
        test: `WEEKDAY(${cell},2)>5`,
        rows: column.values.map((day) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())),
      };
    default:
      return undefined;
  }
}

const date: RuleBuilder = (context) => {
  const { columns, random, sheet } = context;
  const [column] = random.shuffle(columns.dates);
  const period = column === undefined ? undefined : periodOf(column, context);
  if (column === undefined || period === undefined || !tells(period.rows)) return undefined;
  const rows = random.chance(0.5);
  return {
    kind: period.kind,
    scope: rows ? 'rows' : 'cells',
    covers: rows ? wholeRow(sheet) : covering(column.index),
    rule: { type: 'formula', formula: period.test },
    condition: period.condition,
    rows: period.rows,
    mentions: [column.name],
  };
};

interface Colour {
  name: string;
  argb: string;
}
const colours: readonly [Colour, ...Colour[]] = [
  { name: 'blue', argb: 'FF5B9BD5' },
  { name: 'green', argb: 'FF63BE7B' },
  { name: 'orange', argb: 'FFF4B084' },
  { name: 'purple', argb: 'FF8064A2' },
];
const white = { name: 'white', argb: 'FFFFFFFF' };
const red = { name: 'red', argb: 'FFF8696B' };
const yellow = { name: 'yellow', argb: 'FFFFEB84' };
const green = { name: 'green', argb: 'FF63BE7B' };

type IconSet = Extract<ConditionalRule, { type: 'icons' }>['set'];
const iconSets: readonly [{ set: IconSet; words: string }, ...{ set: IconSet; words: string }[]] = [
  { set: '3Arrows', words: 'three arrows' },
  { set: '3TrafficLights1', words: 'three traffic lights' },
  { set: '3Flags', words: 'three flags' },
];

const gradual: RuleBuilder = ({ columns, random }) => {
  const [column] = random.shuffle(columns.numbers.filter(({ values }) => new Set(values).size >= 3));
  if (column === undefined) return undefined;
  const shared = {
    scope: 'cells' as const,
    covers: covering(column.index),
    rows: null,
    mentions: [column.name],
  };
  const wish = random.pick(['bar', 'two', 'three', 'icons']);
  const colour = random.pick(colours);
  if (wish === 'bar')
    return {
      ...shared,
      kind: 'data bars',
      rule: { type: 'data-bar', color: colour.argb },
      condition: `every cell of ${column.name} shows a ${colour.name} data bar, from the smallest value of the column to the largest`,
    };
  if (wish === 'icons') {
    const { set, words } = random.pick(iconSets);
    return {
      ...shared,
      kind: 'icons',
      rule: { type: 'icons', set },
      condition: `every cell of ${column.name} shows one of ${words}, by thirds between the smallest and the largest value`,
    };
  }
  const turned = random.chance(0.5);
  const ends = wish === 'two' ? [white, colour] : [red, yellow, green];
  const points = turned ? [...ends].reverse() : ends;
  const [low = white, middle = white, high = middle] = points;
  const at = wish === 'two' ? (['min', 'max'] as const) : (['min', 'percentile', 'max'] as const);
  const words =
    wish === 'two'
      ? `from ${low.name} for the smallest value to ${middle.name} for the largest`
      : `${low.name} for the smallest value, ${middle.name} for the median and ${high.name} for the largest value`;
  return {
    ...shared,
    kind: wish === 'two' ? 'two-colour scale' : 'three-colour scale',
    rule: {
      type: 'color-scale',
      points: points.map(({ argb }, index) => {
        const where = at[index] ?? 'max';
        return { at: where, color: argb, ...(where === 'percentile' ? { value: 50 } : {}) };
      }),
    },
    condition: `every cell of ${column.name} is coloured by its value: ${words}`,
  };
};

export const otherRules: Record<string, RuleBuilder> = { date, gradual };
