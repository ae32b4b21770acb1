import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { HiddenAnswers, TaskSpecification } from '@cua-forge/spec/task';
import { type Check, check } from '../evidence.ts';
import { isTotalRow, type SpecTable, shownIn, tablesOf, textsIn, valuesOf } from './spec-tables.ts';

export interface Effort {
  minRows: number;
  minWords: number;
  maxRows: number;
  maxFiles: number;
  maxRequirements: number;
  answersInFiles: 'refuse' | 'allow';
}

const keeping =
  /\b(?:stays?|remains?|unchanged|untouched)\b|\bas (?:it|they) (?:is|are|was|were)\b|\bnothing\b.*\bchanged?\b|\bkeeps? (?:its|their|the)\b|\b(?:is|are) (?:still )?open(?:ed)?\b/iu;

/** Whether a number says something by itself: three digits or more that are no year. */
function isTelling(value: number): boolean {
  const figures = String(Math.abs(value)).replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
  return figures.length >= 3 && !(Number.isInteger(value) && value >= 1900 && value <= 2100);
}

const same = (a: unknown, b: number) => typeof a === 'number' && Math.abs(a - b) <= Math.max(Math.abs(b) * 1e-9, 0.005);
const stands = (text: string, value: number) =>
  [
    String(value),
    value.toFixed(2),
    value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  ].some((form) => new RegExp(String.raw`(?<![\d.,])${form.replaceAll('.', String.raw`\.`)}(?!\d|[.,]\d)`).test(text));

/** A short and narrow table that holds the answers in their order: beside longer ones, a result left behind. */
function holdsInOrder(table: SpecTable, answers: readonly number[]): boolean {
  if (table.rows.length > answers.length * 2 + 2 || table.columns.length > 3) return false;
  return table.columns.some((_, column) => {
    const values = valuesOf(table, column);
    let from = 0;
    let found = 0;
    for (const answer of answers) {
      const at = values.findIndex((value, index) => index >= from && same(value, answer));
      if (at < 0) continue;
      from = at + 1;
      found += 1;
    }
    return found >= 2 && found >= answers.length * 0.8;
  });
}

function readyAnswers(spec: TaskSpecification, hidden: HiddenAnswers): string[] {
  const tables = tablesOf(spec.files);
  const answers = hidden.answers.flatMap(({ value }) => (typeof value === 'number' && isTelling(value) ? [value] : []));
  const apart = tables.flatMap(({ notes, rows }) => [
    ...notes.map(shownIn),
    ...rows.filter(isTotalRow).flatMap((row) => row.map(shownIn)),
  ]);
  const texts = spec.files.flatMap((file) =>
    file.type === 'xlsx' || file.type === 'csv' ? [] : textsIn(file.content),
  );
  // Verdicts are kept where answers must not be: they are called by their label.
  const shown = hidden.answers.filter(({ value }) =>
    typeof value === 'number'
      ? isTelling(value) &&
        (apart.some((cell) => same(cell, value) || (typeof cell === 'string' && stands(cell, value))) ||
          texts.some((text) => stands(text, value)))
      : value.trim().length >= 12 && texts.some((text) => text.toLowerCase().includes(value.trim().toLowerCase())),
  );
  const results = tables.filter(
    (table) => holdsInOrder(table, answers) && tables.some((other) => other.rows.length > table.rows.length),
  );
  return [
    ...shown.map(({ label }) => `“${label}” stands in the files, beside the data or in a row of totals`),
    ...results.map(({ sheet, file }) => `${sheet || file} holds the results already`),
  ];
}

const wordCount = (texts: readonly string[]) =>
  texts
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '').length;

/** Whether there is work to do: not done already, not nothing, and not without end. */
export function difficultyChecks(spec: TaskSpecification, hidden: HiddenAnswers | undefined, effort: Effort): Check[] {
  const expected = hidden?.expected ?? [];
  const done = expected.filter(({ path, type, content }) =>
    spec.files.some(
      (file) => file.path === path && file.type === type && canonicalJson(file.content) === canonicalJson(content),
    ),
  );
  const rows = tablesOf(spec.files).reduce(
    (total, table) => total + table.rows.filter((row) => row.length > 0).length,
    0,
  );
  const words = wordCount(
    spec.files.flatMap((file) => (file.type === 'xlsx' || file.type === 'csv' ? [] : textsIn(file.content))),
  );
  const musts = spec.outcome.requirements.filter(({ must }) => must);
  const { requirements } = spec.outcome;
  return [
    check(
      'the start is not the end',
      expected.length > 0 && done.length === expected.length
        ? done.map(({ path }) => `${path} is as expected before anything is done`)
        : [],
      expected.length === 0
        ? 'no expected files are known'
        : `${expected.length - done.length} of ${expected.length} expected files differ from the given ones`,
      (problem) => `${problem}; choose an outcome that changes it.`,
    ),
    check(
      'answers do not stand ready',
      hidden === undefined || effort.answersInFiles === 'allow' ? [] : readyAnswers(spec, hidden),
      effort.answersInFiles === 'allow'
        ? 'not looked at: here answers are to be found in the files'
        : `${hidden?.answers.length ?? 0} answers looked for`,
      (problem) => `${problem}; leave results out of the given files.`,
    ),
    check(
      'there is enough to work on',
      rows >= effort.minRows || words >= effort.minWords
        ? []
        : [
            `the files have ${rows} rows and ${words} words; ${effort.minRows} rows or ${effort.minWords} words are the least`,
          ],
      `${rows} rows and ${words} words`,
      (problem) => `Give more data: ${problem}.`,
    ),
    check(
      'something has to change',
      musts.length > 0 && musts.every(({ text }) => keeping.test(text))
        ? ['every must requirement only keeps what is there']
        : [],
      `${musts.filter(({ text }) => !keeping.test(text)).length} must requirements ask for a change`,
      (problem) => `${problem}; ask for something that has to be done.`,
    ),
    check(
      'the effort is bounded',
      [
        ...(rows > effort.maxRows ? [`${rows} rows are more than ${effort.maxRows}`] : []),
        ...(spec.files.length > effort.maxFiles ? [`${spec.files.length} files are more than ${effort.maxFiles}`] : []),
        ...(requirements.length > effort.maxRequirements
          ? [`${requirements.length} requirements are more than ${effort.maxRequirements}`]
          : []),
      ],
      `${rows} rows, ${spec.files.length} files, ${requirements.length} requirements`,
      (problem) => `Ask for less: ${problem}.`,
    ),
  ];
}
