import type { Random } from '../random.ts';
import { roundTo, total, valuesOf } from './groups.ts';
import { amount, answer, type Build, everyGroup, labelColumn, sumOf, totalOf, totalsOf } from './summary-table.ts';

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
    const rounding = (Number.isInteger(limit) ? 0.5 : Number.isInteger(limit * 10) ? 0.05 : 0.005) * 1.01;
    if (limit > low && limit < high && sorted.every((value) => Math.abs(value - limit) > rounding)) return limit;
  }
  return high;
}

export const averageAndCount: Build = (request) => {
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

export const largestEntry: Build = (request) => {
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

export const aboveThreshold: Build = (request) => {
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

export const twoMeasures: Build = (request) => {
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
