import { baseName } from '@cua-forge/spec/required-file';
import type { TaskSpecification } from '@cua-forge/spec/task';
import { type Check, check } from '../evidence.ts';
import { loose, type SpecTable, tablesOf, textsIn, wordsOf } from '../spec/spec-tables.ts';
import { fileLike, namesOf } from './package-checks.ts';

const name = String.raw`[“"‘']([^“”"‘’'\n]{1,60})[”"’']|(\p{Lu}[\p{L}\p{N}_&-]*(?:\s+(?:\p{Lu}|\p{N})[\p{L}\p{N}_&-]*)*)`;
const thing = { sheet: '(?:work)?sheets?|tabs?', column: 'columns?' };
/** Words that start sentences or stand before a thing without being its name. */
const plainWords = new Set(
  'the a an this that these those each every which what my your our his her its their one two three first second third last next new old no any all both some other another same such in on of from for to and or with please also if then i excel calc'.split(
    ' ',
  ),
);

function withoutPlainWords(phrase: string): string {
  const words = phrase.split(/\s+/);
  while (plainWords.has((words[0] ?? '').toLowerCase())) words.shift();
  return words.join(' ');
}

/** Names that a text gives to sheets or columns: “the sheet Orders”, “column called Fee”, “the Fee column”. */
function namesGiven(text: string, what: keyof typeof thing): string[] {
  const after = new RegExp(
    String.raw`\b(?:${thing[what]})\s+(?:is\s+)?(?:named\s+|called\s+|titled\s+|headed\s+)?(?:${name})`,
    'gu',
  );
  const before = new RegExp(String.raw`(?:${name})\s+(?:${thing[what]})\b`, 'gu');
  return [...text.matchAll(after), ...text.matchAll(before)]
    .map((match) => withoutPlainWords((match[1] ?? match[2] ?? '').trim()))
    .filter((found) => found !== '');
}

/** Whole words, whatever their case. */
function says(text: string, phrase: string): boolean {
  if (phrase.trim() === '') return false;
  const escaped = loose(phrase).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'u').test(loose(text));
}

const open: readonly RegExp[] = [
  /\b(?:in )?the usual (?:way|form|format)\b/iu,
  /\bas (?:we |you and I |was )?(?:discussed|agreed|talked about|usual)\b/iu,
  /\b(?:as|where|if|when) (?:needed|appropriate|necessary)\b/iu,
  /\b(?:whichever|whatever|which) [^.!?\n]{0,40}\b(?:appropriate|best|suitable|fits?|like|want|think)\b/iu,
  /\betc\b\.?|\band so on\b|\band so forth\b/iu,
  /\byou know (?:which|what|how|where)\b/iu,
  /\blike (?:last|the other) (?:time|day|week|month|year)\b|\bas last time\b/iu,
  /\bsome (?:more |other )?(?:columns?|rows?|sheets?|cells?)\b/iu,
  /\bor something(?: like that)?\b|\bsomehow\b/iu,
];
const elsewhere: readonly RegExp[] = [
  /\b(?:attached|attachments?|enclosed|enclosure)\b/iu,
  /\b(?:screenshot|picture|image|photo|diagram|video)s?\b/iu,
  /\b(?:links?|urls?)\b (?:above|below|here)|\bfollow the link\b/iu,
  /\b(?:that|which) I (?:have )?(?:sent|mailed|e-?mailed|gave|given|showed|shown)\b/iu,
  /\bmy (?:last|previous|earlier) (?:message|mail|e-?mail)\b/iu,
];

const first = (patterns: readonly RegExp[], text: string): string[] =>
  patterns.flatMap((pattern) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`“${found.trim()}”`];
  });

/** Files of one name in two folders, where the text tells them apart by no folder. */
function sameFiles(text: string, spec: TaskSpecification): string[] {
  const names = spec.files.map(({ path }) => baseName(path));
  const repeated = [...new Set(names.filter((one, index) => names.indexOf(one) !== index))];
  return repeated.flatMap((one) => {
    const folders = spec.files
      .filter(({ path }) => baseName(path) === one)
      .map(({ path }) => path.split('/').at(-2) ?? '');
    const told = folders.some((folder) => says(text, folder));
    return says(text, one) && !told ? [`${one} lies in ${folders.join(' and in ')}`] : [];
  });
}

/** Headings that stand in several tables or twice in one, where the text does not say which is meant. */
function sameColumns(text: string, tables: readonly SpecTable[]): string[] {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  const headings = [...new Set(filled.flatMap(({ columns }) => columns.map((column) => column.name.trim())))];
  const allMeant =
    /\b(?:all|both|each|every|any|first|second|third|last)(?: of)?(?: the| data)* (?:sheets?|tabs?|tables?|files?)\b/iu.test(
      text,
    );
  return headings
    .filter((heading) => heading !== '' && says(text, heading))
    .flatMap((heading) => {
      const within = (table: SpecTable) =>
        table.columns.filter((column) => loose(column.name) === loose(heading)).length;
      const twice = filled.filter((table) => within(table) > 1);
      if (twice.length > 0)
        return twice.map((table) => `${heading} is the heading of two columns of ${table.sheet || table.file}`);
      const holders = filled.filter((table) => within(table) === 1);
      if (holders.length < 2 || allMeant) return [];
      const oneFile = holders.every(({ file }) => file === holders[0]?.file);
      const said = holders.some(({ sheet, file }) => says(text, sheet) || (!oneFile && says(text, file)));
      return said
        ? []
        : [`${heading} is a heading of ${holders.map(({ sheet, file }) => sheet || file).join(' and of ')}`];
    });
}

/** What an instruction speaks of beside what there is. */
export function ambiguityChecks(text: string, spec: TaskSpecification): Check[] {
  const names = namesOf(spec).map(loose);
  const words = wordsOf(spec).map(loose).join('\n');
  const contents = loose(textsIn(spec.files).join('\n'));
  const tables = tablesOf(spec.files);
  const named = (phrase: string) =>
    names.some((one) => one === loose(phrase) || loose(phrase).startsWith(`${one} `)) || says(words, phrase);
  const unknown = (what: keyof typeof thing) =>
    [...new Set(namesGiven(text, what))].filter(
      (one) => !named(one) && !(what === 'column' && /^[A-Z]{1,2}$/.test(one)),
    );
  const files = [...new Set(text.match(fileLike) ?? [])].filter(
    (one) => !names.some((known) => known.endsWith(loose(one))) && !says(words, one),
  );
  const quoted = [...text.matchAll(/[“"]([^“”"\n]{2,60})[”"]/gu)]
    .map((match) => (match[1] ?? '').replace(/[.,!?]$/, ''))
    .filter(
      (one) =>
        /^[\p{Lu}\p{N}]/u.test(one) && !named(one) && !contents.includes(loose(one)) && !words.includes(loose(one)),
    );
  const given = first(elsewhere, text).filter(
    (one) => !says(words, one.slice(1, -1)) && !contents.includes(loose(one.slice(1, -1))),
  );
  return [
    check(
      'files that are named exist',
      files.map((one) => `there is no file ${one}`),
      'all exist',
      (problem) => `${problem}; speak only of the given files.`,
    ),
    check(
      'sheets that are named exist',
      unknown('sheet').map((one) => `there is no sheet ${one}, and none is asked for`),
      'all exist or are asked for',
      (problem) => `${problem}; name sheets as the specification does.`,
    ),
    check(
      'columns that are named exist',
      unknown('column').map((one) => `there is no column ${one}, and none is asked for`),
      'all exist or are asked for',
      (problem) => `${problem}; name columns as the specification does.`,
    ),
    check(
      'what is quoted exists',
      quoted.map((one) => `“${one}” is nowhere in the files or the task`),
      'all of it does',
      (problem) => `${problem}; leave it out.`,
    ),
    check(
      'names mean one thing',
      [...sameFiles(text, spec), ...sameColumns(text, tables)],
      'each does',
      (problem) => `${problem}; say which is meant.`,
    ),
    check(
      'nothing is left open',
      first(open, text),
      'nothing is',
      (problem) => `Say exactly what is wanted instead of ${problem}.`,
    ),
    check(
      'nothing is referred to that is not given',
      given,
      'nothing is',
      (problem) => `The reader has only the files of the task; leave out ${problem}.`,
    ),
  ];
}
