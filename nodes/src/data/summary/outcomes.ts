import type { Cell, ColumnType } from '@cua-forge/spec/task';
import type { Random } from '../random.ts';
import { type Grouping, type Groups, roundTo, total, valuesOf } from './groups.ts';

/** A summary that somebody could ask for, worked out. */
export interface SummaryTable {
  /** Kind of outcome, for diversity counts: what is worked out, without names and numbers. */
  kind: string;
  columns: { heading: string; type: ColumnType; percent?: boolean }[];
  rows: Cell[][];
  answers: { label: string; value: string | number }[];
  /** What the summary shows, after “a summary that shows”. */
  shows: string;
  /** Which rows there are, and in what order. */
  rowsText: string;
  /** How the values are worked out; no values of its own. */
  valuesText: string;
  /** Names from the data, and limits, that the instruction has to mention. */
  mentions: string[];
  /** How the values were computed, for a person. */
  derivation: string;
}

export interface SummaryRequest {
  groups: Groups;
  grouping: Grouping;
  measure: string;
  /** A second measure; the same as `measure` where there is one only. */
  other: string;
  /** Categories across, for a pivot or a filter. */
  across: { dimension: string; values: string[] } | undefined;
  random: Random;
}

type Build = (request: SummaryRequest) => SummaryTable;

const order = ({ grouping }: SummaryRequest) =>
  grouping.time ? 'in calendar order' : `in alphabetical order of ${grouping.heading}`;
const everyGroup = (request: SummaryRequest) =>
  `one row for each ${request.grouping.word} that occurs in the data, ${order(request)}`;
const labelColumn = ({ grouping }: SummaryRequest) =>
  ({ heading: grouping.heading, type: grouping.heading === 'Year' ? 'integer' : 'text' }) as const;
const amount = (heading: string) => ({ heading, type: 'number' }) as const;
const totalsOf = ({ groups, grouping, measure }: SummaryRequest) =>
  [...groups].map(([key, members]) => ({ key, label: grouping.label(key), members, value: total(members, measure) }));
/** “Total Revenue”; a measure that is called a total already keeps its name. */
export const totalOf = (measure: string) => (/^total\b/i.test(measure) ? measure : `Total ${measure}`);
const sumOf = (measure: string) => (/^total\b/i.test(measure) ? measure : `total ${measure}`);
const answer = (what: string, label: string | number, value: number) => ({ label: `${what} of ${label}`, value });

const totals: Build = (request) => {
  const { measure, grouping, random } = request;
  const groups = totalsOf(request);
  const withTotal = random.chance(0.5);
  const sum = roundTo(
    groups.reduce((all, group) => all + group.value, 0),
    2,
  );
  return {
    kind: withTotal ? 'totals with a closing row' : 'totals',
    columns: [labelColumn(request), amount(totalOf(measure))],
    rows: [...groups.map(({ label, value }) => [label, value]), ...(withTotal ? [['Total', sum]] : [])],
    answers: [
      ...groups.map(({ label, value }) => answer(totalOf(measure), label, value)),
      ...(withTotal ? [{ label: `${totalOf(measure)} of all`, value: sum }] : []),
    ],
    shows: `the ${sumOf(measure)} for each ${grouping.word}${withTotal ? ' and a closing row with the overall total' : ''}`,
    rowsText: withTotal ? `${everyGroup(request)}, and a last row named Total` : everyGroup(request),
    valuesText: `Each value is the sum of ${measure} over all rows of that ${grouping.word}.`,
    mentions: [],
    derivation: `Sum of ${measure} for each ${grouping.word}.`,
  };
};

const pivot: Build = (request) => {
  const { groups, grouping, measure, across } = request;
  const { dimension, values } = across ?? { dimension: '', values: [] };
  const cells = [...groups].map(([key, members]) => ({
    label: grouping.label(key),
    amounts: values.map((value) =>
      total(
        members.filter((each) => each.categories[dimension] === value),
        measure,
      ),
    ),
  }));
  return {
    kind: 'pivot',
    columns: [labelColumn(request), ...values.map(amount)],
    rows: cells.map(({ label, amounts }) => [label, ...amounts]),
    answers: cells.flatMap(({ label, amounts }) =>
      amounts.map((value, index) => answer(`${totalOf(measure)} of ${values[index]}`, label, value)),
    ),
    shows: `the ${sumOf(measure)} for each ${grouping.word} down the side and each ${dimension} across the top`,
    rowsText: `${everyGroup(request)}; after the first column one column for each ${dimension}, headed by its name, in alphabetical order`,
    valuesText: `Each value is the sum of ${measure} over the rows of that ${grouping.word} and ${dimension}; a combination without rows shows 0.`,
    mentions: [dimension],
    derivation: `Sum of ${measure} for each ${grouping.word} and ${dimension}.`,
  };
};

const top: Build = (request) => {
  const { grouping, measure, random } = request;
  const lowest = random.chance(0.35);
  const [best = { label: '', value: 0 }] = totalsOf(request).sort(
    (a, b) => (lowest ? a.value - b.value : b.value - a.value) || (a.key < b.key ? -1 : 1),
  );
  const word = lowest ? 'lowest' : 'highest';
  const heading = `${lowest ? 'Weakest' : 'Best'} ${grouping.heading}`;
  return {
    kind: `the ${word}`,
    columns: [{ heading, type: grouping.heading === 'Year' ? 'integer' : 'text' }, amount(totalOf(measure))],
    rows: [[best.label, best.value]],
    answers: [{ label: heading, value: best.label }, answer(totalOf(measure), heading, best.value)],
    shows: `which ${grouping.word} has the ${word} ${sumOf(measure)}, and that total`,
    rowsText: `a single row; if several tie, the ${grouping.time ? 'earliest' : 'first in the alphabet'} counts`,
    valuesText: `The row names the ${grouping.word} whose sum of ${measure} is the ${word}, and holds that sum.`,
    mentions: [],
    derivation: `Sum of ${measure} for each ${grouping.word}; the ${word} of them.`,
  };
};

const averageAndCount: Build = (request) => {
  const { groups, grouping, measure } = request;
  const rows = [...groups].map(([key, members]) => ({
    label: grouping.label(key),
    count: members.length,
    mean: roundTo(total(members, measure) / members.length, 2),
  }));
  return {
    kind: 'average and count',
    columns: [labelColumn(request), { heading: 'Entries', type: 'integer' }, amount(`Average ${measure}`)],
    rows: rows.map(({ label, count, mean }) => [label, count, mean]),
    answers: rows.map(({ label, mean }) => answer(`Average ${measure}`, label, mean)),
    shows: `how many entries each ${grouping.word} has and their average ${measure}`,
    rowsText: everyGroup(request),
    valuesText: `Entries is the number of entries of that ${grouping.word}; the average is that of ${measure} over them, rounded to two decimals.`,
    mentions: [],
    derivation: `Count and mean of ${measure} for each ${grouping.word}.`,
  };
};

/** A round limit that some groups reach and some do not, and that is no total itself. */
function limitBetween(values: readonly number[], random: Random): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = random.integer(
    Math.floor(sorted.length / 4),
    Math.max(Math.floor(sorted.length / 4), Math.floor((sorted.length * 2) / 3) - 1),
  );
  const [low = 0, high = 0] = [sorted[index], sorted[index + 1] ?? sorted[index]];
  for (let step = 10 ** Math.ceil(Math.log10(Math.max(1, Math.abs(high)))); step >= 0.01; step /= 10) {
    const limit = roundTo(Math.ceil((low + step * 1e-9) / step) * step, 2);
    // A total that rounds to the limit would be given away by it.
    const unit = Number.isInteger(limit) ? 1 : 0.1;
    if (limit > low && limit < high && sorted.every((value) => Math.abs(value - limit) > unit)) return limit;
  }
  return high;
}

const aboveThreshold: Build = (request) => {
  const { grouping, measure, random } = request;
  const groups = totalsOf(request);
  const limit = limitBetween(
    groups.map(({ value }) => value),
    random,
  );
  const kept = groups
    .filter(({ value }) => value >= limit)
    .sort((a, b) => b.value - a.value || (a.key < b.key ? -1 : 1));
  return {
    kind: 'above a limit',
    columns: [labelColumn(request), amount(totalOf(measure))],
    rows: kept.map(({ label, value }) => [label, value]),
    answers: kept
      .filter(({ value }) => value !== limit)
      .map(({ label, value }) => answer(totalOf(measure), label, value)),
    shows: `only each ${grouping.word} whose ${sumOf(measure)} is at least ${limit}, largest first`,
    rowsText: `one row for each ${grouping.word} whose ${sumOf(measure)} is ${limit} or more and no other, from the largest total to the smallest`,
    valuesText: `Each value is the sum of ${measure} over all rows of that ${grouping.word}.`,
    mentions: [String(limit)],
    derivation: `Sum of ${measure} for each ${grouping.word}; those of at least ${limit}, descending.`,
  };
};

const ranked: Build = (request) => {
  const { grouping, measure } = request;
  const groups = totalsOf(request).sort((a, b) => b.value - a.value || (a.key < b.key ? -1 : 1));
  return {
    kind: 'ranking',
    columns: [{ heading: 'Rank', type: 'integer' }, labelColumn(request), amount(totalOf(measure))],
    rows: groups.map(({ label, value }, index) => [index + 1, label, value]),
    answers: groups.map(({ label, value }) => answer(totalOf(measure), label, value)),
    shows: `each ${grouping.word} ranked by its ${sumOf(measure)}, largest first`,
    rowsText: `one row for each ${grouping.word}, from the largest total to the smallest, numbered from 1; ties in ${grouping.time ? 'calendar' : 'alphabetical'} order`,
    valuesText: `Each total is the sum of ${measure} over all rows of that ${grouping.word}.`,
    mentions: [],
    derivation: `Sum of ${measure} for each ${grouping.word}, descending, numbered.`,
  };
};

const share: Build = (request) => {
  const { grouping, measure } = request;
  const groups = totalsOf(request);
  const sum = groups.reduce((all, { value }) => all + value, 0);
  const rows = groups.map(({ label, value }) => ({ label, value, part: sum === 0 ? 0 : roundTo(value / sum, 4) }));
  return {
    kind: 'shares',
    columns: [labelColumn(request), amount(totalOf(measure)), { heading: 'Share', type: 'percent', percent: true }],
    rows: rows.map(({ label, value, part }) => [label, value, part]),
    answers: rows.map(({ label, value }) => answer(totalOf(measure), label, value)),
    shows: `the ${sumOf(measure)} of each ${grouping.word} and its share of the whole`,
    rowsText: everyGroup(request),
    valuesText: `Each total is the sum of ${measure} of that ${grouping.word}; Share is that total divided by the sum of all, as a percentage.`,
    mentions: [],
    derivation: `Sum of ${measure} for each ${grouping.word}, divided by the sum of all (rounded to four decimals).`,
  };
};

const largestEntry: Build = (request) => {
  const { groups, grouping, measure, random } = request;
  const smallest = random.chance(0.35);
  const word = smallest ? 'smallest' : 'largest';
  const heading = `${smallest ? 'Smallest' : 'Largest'} ${measure}`;
  const rows = [...groups].map(([key, members]) => {
    const values = valuesOf(members, measure);
    return { label: grouping.label(key), value: roundTo(smallest ? Math.min(...values) : Math.max(...values), 2) };
  });
  return {
    kind: `${word} entry`,
    columns: [labelColumn(request), amount(heading)],
    rows: rows.map(({ label, value }) => [label, value]),
    answers: rows.map(({ label, value }) => answer(heading, label, value)),
    shows: `the ${word} single ${measure} of each ${grouping.word}`,
    rowsText: everyGroup(request),
    valuesText: `Each value is the ${word} ${measure} among the entries of that ${grouping.word}.`,
    mentions: [],
    derivation: `${smallest ? 'Minimum' : 'Maximum'} of ${measure} for each ${grouping.word}.`,
  };
};

const oneCategory: Build = (request) => {
  const { groups, grouping, measure, across, random } = request;
  const { dimension, values } = across ?? { dimension: '', values: [] };
  const occurring = values.filter((value) =>
    [...groups.values()].flat().some((each) => each.categories[dimension] === value),
  );
  const value = random.shuffle(occurring)[0] ?? '';
  const rows = [...groups].flatMap(([key, members]) => {
    const matching = members.filter((each) => each.categories[dimension] === value);
    return matching.length === 0 ? [] : [{ label: grouping.label(key), value: total(matching, measure) }];
  });
  return {
    kind: 'totals of one category',
    columns: [labelColumn(request), amount(totalOf(measure))],
    rows: rows.map((row) => [row.label, row.value]),
    answers: rows.map((row) => answer(`${totalOf(measure)} of ${value}`, row.label, row.value)),
    shows: `the ${sumOf(measure)} for each ${grouping.word}, counting only rows whose ${dimension} is ${value}`,
    rowsText: `one row for each ${grouping.word} in which such rows occur, ${order(request)}`,
    valuesText: `Each value is the sum of ${measure} over the rows of that ${grouping.word} whose ${dimension} is ${value}.`,
    mentions: [dimension, value],
    derivation: `Rows with ${dimension} = ${value}; sum of ${measure} for each ${grouping.word}.`,
  };
};

const runningTotal: Build = (request) => {
  const { grouping, measure } = request;
  let sofar = 0;
  const rows = totalsOf(request).map(({ label, value }) => {
    sofar = roundTo(sofar + value, 2);
    return { label, value, sofar };
  });
  return {
    kind: 'running total',
    columns: [labelColumn(request), amount(totalOf(measure)), amount('Running Total')],
    rows: rows.map((row) => [row.label, row.value, row.sofar]),
    answers: rows.flatMap((row) => [
      answer(totalOf(measure), row.label, row.value),
      answer('Running total', row.label, row.sofar),
    ]),
    shows: `the ${sumOf(measure)} for each ${grouping.word} with a running total`,
    rowsText: everyGroup(request),
    valuesText: `Each total is the sum of ${measure} of that ${grouping.word}; the running total adds up all totals from the first ${grouping.word} to this one.`,
    mentions: [],
    derivation: `Sum of ${measure} for each ${grouping.word}, accumulated.`,
  };
};

const changeOnPrevious: Build = (request) => {
  const { grouping, measure, random } = request;
  const percent = random.chance(0.5);
  const groups = totalsOf(request);
  const rows = groups.map(({ label, value }, index) => {
    const before = groups[index - 1]?.value;
    const change =
      before === undefined || (percent && before === 0)
        ? null
        : percent
          ? roundTo((value - before) / before, 4)
          : roundTo(value - before, 2);
    return { label, value, change };
  });
  const heading = percent ? 'Change %' : 'Change';
  return {
    kind: percent ? 'change in percent' : 'change',
    columns: [
      labelColumn(request),
      amount(totalOf(measure)),
      percent ? { heading, type: 'percent', percent } : amount(heading),
    ],
    rows: rows.map((row) => [row.label, row.value, row.change]),
    answers: rows.map((row) => answer(totalOf(measure), row.label, row.value)),
    shows: `the ${sumOf(measure)} for each ${grouping.word} and its change on the ${grouping.word} before${percent ? ' in percent' : ''}`,
    rowsText: everyGroup(request),
    valuesText: `Each total is the sum of ${measure} of that ${grouping.word}; the change is this total less the one of the row above${percent ? ', divided by that one and shown as a percentage' : ''}; the first row has no change.`,
    mentions: [],
    derivation: `Sum of ${measure} for each ${grouping.word}; difference to the row above${percent ? ' divided by it (rounded to four decimals)' : ''}.`,
  };
};

const twoMeasures: Build = (request) => {
  const { groups, grouping, measure, other } = request;
  const rows = [...groups].map(([key, members]) => {
    const [a, b] = [total(members, measure), total(members, other)];
    return { label: grouping.label(key), a, b, difference: roundTo(a - b, 2) };
  });
  return {
    kind: 'two measures with difference',
    columns: [labelColumn(request), amount(totalOf(measure)), amount(totalOf(other)), amount('Difference')],
    rows: rows.map((row) => [row.label, row.a, row.b, row.difference]),
    answers: rows.flatMap((row) => [
      answer(totalOf(measure), row.label, row.a),
      answer(totalOf(other), row.label, row.b),
      answer('Difference', row.label, row.difference),
    ]),
    shows: `the ${sumOf(measure)}, the ${sumOf(other)} and their difference for each ${grouping.word}`,
    rowsText: everyGroup(request),
    valuesText: `The totals are the sums of ${measure} and of ${other} of that ${grouping.word}; Difference is the first less the second.`,
    mentions: [other],
    derivation: `Sums of ${measure} and ${other} for each ${grouping.word}, and their difference.`,
  };
};

const quarterRollup: Build = (request) => ({ ...totals(request), kind: 'roll-up' });

/** Every kind of summary by the name that profiles use. */
export const outcomeBuilders: Record<string, Build> = {
  totals,
  pivot,
  top,
  'average-and-count': averageAndCount,
  'above-threshold': aboveThreshold,
  ranked,
  share,
  'largest-entry': largestEntry,
  'one-category': oneCategory,
  'running-total': runningTotal,
  'change-on-previous': changeOnPrevious,
  'two-measures': twoMeasures,
  'quarter-rollup': quarterRollup,
};
