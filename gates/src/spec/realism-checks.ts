import type { Column, TaskSpecification } from '@cua-forge/spec/task';
import { type Check, check } from '../evidence.ts';
import { badCharacters } from '../text/text-faults.ts';
import { isRealDate } from './real-date.ts';
import { isEmpty, isTotalRow, loose, type SpecTable, tablesOf, textsIn, valuesOf, wordsOf } from './spec-tables.ts';

/** Rows from which a column can be judged. */
const FEW = 4;

const fillerInside: readonly RegExp[] = [
  /\blorem ipsum\b|\bdolor sit amet\b|\bconsectetur adipiscing\b/iu,
  /\b(?:TODO|TBD|FIXME|XXX+)\b/u,
  /\b(?:sample|dummy|placeholder|example) (?:text|data|value|name|row|entry)\b/iu,
  /\{\{|\}\}|\[object \w+\]|<(?:name|company|insert)[^>]*>|\[(?:name|company|insert)[^\]]*\]/iu,
];
const fillerAlone =
  /^(?:foo|baz|qux|asdf\w*|qwerty\w*|xxx+|blah(?: blah)*|test(?: test)*|undefined|nan|null|insert here)$/iu;
const counted =
  /^(?:customer|client|person|employee|user|name|company|product|item|supplier|vendor|student|patient|member|project|task|category|department|description|note|comment)[\s_-]*(?:\d+|[A-Z])$/iu;
const notAHeading = /^(?:column\s?\d+|col\s?\d+|unnamed(?:: ?\d+)?|field\s?\w?|header\s?\d*|untitled|heading\s?\d*)$/iu;
const ordinal =
  /(?:^|[^\p{L}])(?:no|nr|id|number|num|rank|index|year|month|day|week|quarter|line|row|position|pos|step|age)\.?(?:$|[^\p{L}])|№|#/iu;
const named = /name|customer|client|person|employee|supplier|vendor|contact|title|description|product|item/iu;
const notAPerson =
  /^(?:(?:john|jane|joe) (?:doe|smith|bloggs|public)|test\b.*|user\b.*|(?:first|last|full)? ?name|person(?: \w)?|somebody|n\/?a)$/iu;
const notACompany =
  /^(?:acme\b.*|(?:my |the |some |your )?company(?: name)?|example\b.*|test\b.*|sample\b.*|foo\b.*|n\/?a)$/iu;

const isNumeric = ({ type }: Column) =>
  type === 'number' || type === 'currency' || type === 'integer' || type === 'percent';
const numbersIn = (values: readonly unknown[]) => values.filter((value): value is number => typeof value === 'number');
const titleOf = ({ sheet, file }: SpecTable) => sheet || file;

function fillerProblems(texts: readonly string[], tables: readonly SpecTable[]): string[] {
  const found = texts.flatMap((text) => {
    const inside = fillerInside.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
    return inside.length === 0 && fillerAlone.test(text.trim()) ? [text.trim()] : inside;
  });
  const runs = tables.flatMap((table) =>
    table.columns.flatMap((column, index) => {
      const values = valuesOf(table, index).filter(
        (value): value is string => typeof value === 'string' && value !== '',
      );
      const hits = new Set(values.filter((value) => counted.test(value.trim())));
      return hits.size >= 3 && hits.size >= new Set(values).size * 0.6
        ? [`${column.name} of ${titleOf(table)} is numbered through (“${[...hits][0] ?? ''}”)`]
        : [];
    }),
  );
  return [...new Set(found.map((word) => `“${word}” is filler`)), ...runs];
}

function dateProblems(tables: readonly SpecTable[]): string[] {
  return tables.flatMap((table) =>
    table.columns.flatMap((column, index) =>
      valuesOf(table, index).flatMap((value, row) => {
        if (typeof value !== 'string' || value.trim() === '') return [];
        const iso = /^(\d{4})-\d{1,2}-\d{1,2}/.exec(value);
        if (iso === null) return [];
        const year = Number(iso[1]);
        const fine = isRealDate(value) && year >= 1900 && year <= 2100;
        return fine ? [] : [`${table.placeOf(row, index)} (${column.name}) is ${value}`];
      }),
    ),
  );
}

/** Columns, other than calculated ones, with one value in all tables that have them; `free` tells headings that the task itself fills in. */
function flatColumns(tables: readonly SpecTable[], free: (heading: string) => boolean): string[] {
  const byHeading = new Map<string, { column: Column; values: unknown[]; where: string; calculated: boolean }>();
  for (const table of tables) {
    table.columns.forEach((column, index) => {
      const key = loose(column.name);
      const entry = byHeading.get(key) ?? { column, values: [], where: titleOf(table), calculated: true };
      const rows = table.rows.filter((row) => !isTotalRow(row));
      entry.values.push(
        ...rows.map((row) => (isEmpty(row[index]) ? null : valuesOf({ ...table, rows: [row] }, index)[0])),
      );
      entry.calculated &&= rows.every((row) => typeof row[index] === 'object' && row[index] !== null);
      byHeading.set(key, entry);
    });
  }
  return [...byHeading.values()].flatMap(({ column, values, where, calculated }) => {
    if (values.length < FEW) return [];
    const given = values.filter((value) => value !== null);
    if (given.length === 0) return free(column.name) ? [] : [`${column.name} of ${where} is empty`];
    if (given.length < values.length || new Set(given).size > 1 || calculated) return [];
    const [only] = given;
    const year = typeof only === 'number' && Number.isInteger(only) && only >= 1900 && only <= 2100;
    const odd =
      isNumeric(column) && column.type !== 'percent' ? !year : typeof only === 'string' && named.test(column.name);
    return odd ? [`${column.name} of ${where} is ${JSON.stringify(only)} in all ${values.length} rows`] : [];
  });
}

function copiedRows(tables: readonly SpecTable[]): string[] {
  return tables.flatMap((table) => {
    const rows = table.rows.filter((row) => row.some((cell) => !isEmpty(cell))).map((row) => JSON.stringify(row));
    const copies = rows.length - new Set(rows).size;
    return table.columns.length > 1 && copies >= 3 && copies > rows.length * 0.2
      ? [`${copies} of ${rows.length} rows of ${titleOf(table)} are copies of others`]
      : [];
  });
}

/** 12345, 1234.56, 77777: digits that run up or repeat. */
function looksTyped(value: number): boolean {
  const digits = String(Math.abs(value)).replace('.', '');
  return digits.length >= 4 && ('1234567890'.startsWith(digits) || /^(\d)\1+$/.test(digits));
}

function numberProblems(tables: readonly SpecTable[]): string[] {
  return tables.flatMap((table) =>
    table.columns.flatMap((column, index) => {
      if (!isNumeric(column)) return [];
      const rows = table.rows.filter((row) => !isTotalRow(row));
      const values = numbersIn(valuesOf({ ...table, rows }, index));
      const where = `${column.name} of ${titleOf(table)}`;
      const strange = values.filter(
        (value) =>
          (column.type === 'percent' && Math.abs(value) > 10) ||
          (/\bage\b/i.test(column.name) && (value < 0 || value > 120)),
      );
      if (strange.length > 0)
        return [`${where} has ${strange[0]}${column.type === 'percent' ? ' as a share of 1' : ''}`];
      if (values.length < FEW) return [];
      const typed = values.filter(looksTyped).length;
      if (typed >= values.length * 0.5) return [`${where} has numbers like ${values.find(looksTyped)}`];
      const [first = 0, second = 0] = values;
      const step = second - first;
      const even =
        values.length >= 5 && step !== 0 && values.every((value, at) => Math.abs(value - first - step * at) < 1e-9);
      return even && !ordinal.test(column.name) ? [`${where} grows by ${step} from row to row`] : [];
    }),
  );
}

function headingProblems(tables: readonly SpecTable[]): string[] {
  return tables.flatMap((table) => {
    const names = table.columns.map(({ name }) => name.trim());
    const bad = names.flatMap((name, index) =>
      name === ''
        ? [`heading ${index + 1} of ${titleOf(table)} is blank`]
        : notAHeading.test(name)
          ? [`“${name}” of ${titleOf(table)} is no name`]
          : [],
    );
    const twice = names.filter(
      (name, index) => name !== '' && names.findIndex((other) => loose(other) === loose(name)) !== index,
    );
    return [...bad, ...twice.map((name) => `“${name}” is the heading of two columns of ${titleOf(table)}`)];
  });
}

/** What tells made-up data from real data, without knowing what it is about. */
export function realismChecks(spec: TaskSpecification): Check[] {
  const tables = tablesOf(spec.files);
  const texts = [...wordsOf(spec), ...textsIn(spec.files.map(({ content }) => content))];
  const words = wordsOf(spec).map(loose).join('\n');
  const filledIn = (heading: string) =>
    heading.trim() !== '' &&
    (spec.outcome.mentions.some((one) => loose(one) === loose(heading)) || words.includes(loose(heading)));
  const { person, company } = spec.scenario;
  const cells = tables.reduce((total, { columns, rows }) => total + columns.length * rows.length, 0);
  const anew = (problem: string) => `${problem}; give it what one would find in a real file.`;
  return [
    check('no filler stands for content', fillerProblems(texts, tables), `${texts.length} texts looked at`, anew),
    check('dates can be', dateProblems(tables), 'all can', (problem) => `${problem}, which is no date of our time.`),
    check('columns vary', flatColumns(tables, filledIn), `${cells} cells looked at`, anew),
    check('rows differ', copiedRows(tables), 'they do', anew),
    check('numbers look measured', numberProblems(tables), 'they do', anew),
    check('headings are names', headingProblems(tables), 'all are', anew),
    check(
      'people and companies have names',
      [
        ...(notAPerson.test(person.trim()) ? [`the person is “${person}”`] : []),
        ...(notACompany.test(company.trim()) ? [`the company is “${company}”`] : []),
      ],
      'they have',
      (problem) => `${problem}; invent a believable one.`,
    ),
    check('every character is sound', [...new Set(texts.flatMap(badCharacters))], 'all are', anew),
  ];
}
