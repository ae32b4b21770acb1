import { distance } from '@cua-forge/spec/nearest';
import type { TaskSpecification } from '@cua-forge/spec/task';
import { type Check, check } from '../evidence.ts';
import { namesOf } from '../package/package-checks.ts';
import { brokenRelations } from './column-relations.ts';
import { isTotalRow, loose, type SpecTable, shownIn, tablesOf, textsIn, valuesOf, wordsOf } from './spec-tables.ts';

type Value = string | number | boolean | null;

const titleOf = ({ sheet, file }: SpecTable) => sheet || file;
const keyOf = (value: Value): string => (typeof value === 'string' ? value.trim() : String(value ?? ''));
const columnNamed = (table: SpecTable, heading: string) =>
  table.columns.findIndex(({ name }) => loose(name) === heading);
const headingsOf = ({ columns }: SpecTable) => columns.map(({ name }) => loose(name)).filter((name) => name !== '');

function strayMentions(spec: TaskSpecification): string[] {
  const { mentions, ...outcome } = spec.outcome;
  const names = namesOf({ ...spec, outcome: { ...outcome, mentions: [] } }).map(loose);
  const rest = loose([...wordsOf(spec), ...textsIn(spec.files)].join('\n'));
  const numbers = new Set(
    tablesOf(spec.files).flatMap(({ rows }) => rows.flatMap((row) => row.map((cell) => String(shownIn(cell))))),
  );
  return mentions
    .filter((one) => !names.includes(loose(one)) && !rest.includes(loose(one)) && !numbers.has(one.replaceAll(',', '')))
    .map((one) => `“${one}” is to be mentioned, but is in no file and no requirement`);
}

/** A list of figures (total, average, count, …) is no table of things that a row sums up. */
const isListOfFigures = ({ rows }: SpecTable) =>
  rows.some((row) =>
    row.some(
      (cell) =>
        typeof cell === 'string' &&
        /^(?:average|avg\.?|mean|median|count|minimum|min|maximum|max)\b/i.test(cell.trim()),
    ),
  );
const isRate = (heading: string) => /%|\b(?:margin|rate|ratio|average|avg|price|share|growth)\b|\bper\b/i.test(heading);

function wrongTotals(tables: readonly SpecTable[]): string[] {
  return tables
    .filter((table) => !isListOfFigures(table))
    .flatMap((table) =>
      table.rows.flatMap((row, at) => {
        if (!isTotalRow(row)) return [];
        return table.columns.flatMap(({ name, type }, column) => {
          const shown = shownIn(row[column]);
          const above = table.rows
            .slice(0, at)
            .filter((other) => !isTotalRow(other))
            .map((other) => shownIn(other[column]))
            .filter((value): value is number => typeof value === 'number');
          if (typeof shown !== 'number' || type === 'percent' || isRate(name) || above.length < 2) return [];
          const sum = above.reduce((total, value) => total + value, 0);
          const others = [sum / above.length, Math.max(...above), Math.min(...above), above.length];
          const fits = (wanted: number) => Math.abs(shown - wanted) <= Math.max(0.51, Math.abs(wanted) * 1e-6);
          return [sum, ...others].some(fits)
            ? []
            : [
                `${table.placeOf(at, column)}: the total of ${name} is ${shown}, but its rows sum to ${Number(sum.toFixed(2))}`,
              ];
        });
      }),
    );
}

/** Pairs of tables with the heading of a column whose values are unique in the second. */
function lookups(tables: readonly SpecTable[]): { from: SpecTable; to: SpecTable; heading: string }[] {
  return tables.flatMap((to) =>
    headingsOf(to).flatMap((heading) => {
      const column = columnNamed(to, heading);
      const type = to.columns[column]?.type;
      const keys = valuesOf(to, column).map(keyOf);
      const unique = keys.length >= 3 && new Set(keys).size === keys.length && !keys.includes('');
      if (!unique || (type !== 'text' && type !== 'integer')) return [];
      return tables
        .filter((from) => from !== to && columnNamed(from, heading) >= 0)
        .map((from) => ({ from, to, heading }));
    }),
  );
}

function conflictingKeys(tables: readonly SpecTable[]): string[] {
  const found = lookups(tables).flatMap(({ from, to, heading }) => {
    const [here, there] = [
      valuesOf(from, columnNamed(from, heading)).map(keyOf),
      valuesOf(to, columnNamed(to, heading)).map(keyOf),
    ];
    return headingsOf(to)
      .filter((other) => other !== heading && columnNamed(from, other) >= 0)
      .flatMap((other) => {
        const [left, right] = [valuesOf(from, columnNamed(from, other)), valuesOf(to, columnNamed(to, other))];
        const pairs = here.flatMap((key, row) => {
          const at = there.indexOf(key);
          return at < 0 || left[row] === null || right[at] === null
            ? []
            : [{ key, row, a: keyOf(left[row] ?? null), b: keyOf(right[at] ?? null) }];
        });
        const apart = pairs.filter(({ a, b }) => a !== b);
        // Columns that mostly differ are about different things and only share their heading.
        if (apart.length > pairs.length * 0.4) return [];
        return apart.map(
          ({ key, a, b }) => `${other} of ${heading} ${key} is ${a} in ${titleOf(from)} and ${b} in ${titleOf(to)}`,
        );
      });
  });
  return [...new Set(found)];
}

function danglingKeys(tables: readonly SpecTable[]): string[] {
  return lookups(tables).flatMap(({ from, to, heading }) => {
    const column = columnNamed(from, heading);
    const known = new Set(valuesOf(to, columnNamed(to, heading)).map(keyOf));
    const keys = valuesOf(from, column)
      .map(keyOf)
      .filter((key) => key !== '');
    const missing = [...new Set(keys.filter((key) => !known.has(key)))];
    const resolved = keys.filter((key) => known.has(key)).length;
    return missing.length > 0 && keys.length >= 3 && resolved >= keys.length * 0.8
      ? missing.map((key) => `${heading} ${key} of ${titleOf(from)} is not in ${titleOf(to)}`)
      : [];
  });
}

function spellings(tables: readonly SpecTable[]): string[] {
  const byHeading = new Map<string, string[]>();
  for (const table of tables)
    table.columns.forEach(({ type }, column) => {
      if (type !== 'text') return;
      const key = headingsOf(table)[column] ?? '';
      const values = valuesOf(table, column).filter(
        (value): value is string => typeof value === 'string' && value.trim() !== '',
      );
      byHeading.set(key, [...(byHeading.get(key) ?? []), ...values]);
    });
  return [...byHeading].flatMap(([heading, values]) => {
    const counts = new Map<string, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    const distinct = [...counts];
    // A column of names or remarks has no categories that could be spelled two ways.
    if (distinct.length > values.length * 0.6 || distinct.length > 200) return [];
    return distinct.flatMap(([rare, count]) => {
      const other = distinct.find(([common, more]) => {
        if (common === rare || more < count || (more === count && common < rare)) return false;
        if (loose(common) === loose(rare)) return true;
        const long = rare.length >= 6 && Math.abs(rare.length - common.length) <= 1 && !/\p{N}/u.test(rare + common);
        return count === 1 && more >= 3 && long && distance(loose(rare), loose(common)) === 1;
      });
      return other === undefined ? [] : [`${heading} has “${rare}” beside “${other[0]}”`];
    });
  });
}

const lawYear =
  /\b(?:act|law|regulation|directive|since|founded|established|est\.?|©|norm|standard|iso|din)\b[^.]{0,12}$/iu;
const yearsIn = (text: string): number[] =>
  [...text.matchAll(/(?<![\p{N}.,/-])(?:19|20)\d{2}(?![\p{N}/-]|[.,]\d)/gu)]
    .filter((match) => !lawYear.test(text.slice(0, match.index)))
    .map((match) => Number(match[0]));

function otherYears(tables: readonly SpecTable[]): string[] {
  return tables.flatMap((table) => {
    const data = new Set(
      table.columns.flatMap(({ type, name }, column) =>
        valuesOf(table, column).flatMap((value) => {
          if (type === 'date' && typeof value === 'string') return yearsIn(value.replaceAll('-', ' '));
          return /\byear\b/i.test(name) && typeof value === 'number' ? [value] : [];
        }),
      ),
    );
    if (data.size === 0) return [];
    const texts = [table.sheet, ...table.notes.map(shownIn).filter((note): note is string => typeof note === 'string')];
    return texts.flatMap((text) => {
      const years = yearsIn(text);
      const fits = years.length === 0 || years.some((year) => [year - 1, year, year + 1].some((one) => data.has(one)));
      return fits ? [] : [`“${text}” speaks of ${years.join(', ')}; the data is of ${[...data].sort().join(', ')}`];
    });
  });
}

function wrongCounts(tables: readonly SpecTable[]): string[] {
  return tables.flatMap((table) => {
    const sizes = [table.rows.length, table.rows.filter((row) => !isTotalRow(row)).length];
    const whole = tables.filter(({ file }) => file === table.file).reduce((total, { rows }) => total + rows.length, 0);
    return table.notes.flatMap((note) => {
      const text = shownIn(note);
      if (typeof text !== 'string') return [];
      const found =
        /(?<![\p{N}.,])(\d{1,6})\s+(?:rows|entries|records|lines)\b/iu.exec(text) ??
        /\b(?:rows|entries|records|lines)\s*[:=]\s*(\d{1,6})\b/iu.exec(text);
      const said = Number(found?.[1] ?? Number.NaN);
      return Number.isNaN(said) || [...sizes, whole].includes(said)
        ? []
        : [`“${text}” stands on ${titleOf(table)}, which has ${table.rows.length} rows`];
    });
  });
}

/** Whether names and numbers that have to do with each other agree, within a file and between files. */
export function consistencyChecks(spec: TaskSpecification): Check[] {
  const tables = tablesOf(spec.files);
  const agree = (problem: string) => `${problem}; make them agree.`;
  return [
    check('mentions are found', strayMentions(spec), `${spec.outcome.mentions.length} names looked for`, agree),
    check(
      'totals add up',
      wrongTotals(tables),
      `${tables.flatMap(({ rows }) => rows.filter(isTotalRow)).length} rows of totals looked at`,
      agree,
    ),
    check('columns fit together', tables.flatMap(brokenRelations), 'no row breaks what the others follow', agree),
    check('keys mean one thing', conflictingKeys(tables), 'they do', agree),
    check('references resolve', danglingKeys(tables), 'all do', agree),
    check('values are spelled one way', spellings(tables), 'they are', agree),
    check('years agree', otherYears(tables), 'they do', agree),
    check('counts agree', wrongCounts(tables), 'they do', agree),
  ];
}
