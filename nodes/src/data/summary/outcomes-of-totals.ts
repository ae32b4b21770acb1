import { roundTo, total } from './groups.ts';
import {
  amount,
  answer,
  type Build,
  everyGroup,
  labelColumn,
  order,
  sumOf,
  totalOf,
  totalsOf,
} from './summary-table.ts';

export const totals: Build = (request) => {
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

export const quarterRollup: Build = (request) => ({ ...totals(request), kind: 'roll-up' });

export const pivot: Build = (request) => {
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

export const top: Build = (request) => {
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

export const ranked: Build = (request) => {
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

export const share: Build = (request) => {
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

export const oneCategory: Build = (request) => {
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
