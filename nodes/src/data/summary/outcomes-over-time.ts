import { roundTo } from './groups.ts';
import { amount, answer, type Build, everyGroup, labelColumn, sumOf, totalOf, totalsOf } from './summary-table.ts';

export const runningTotal: Build = (request) => {
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

export const changeOnPrevious: Build = (request) => {
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
