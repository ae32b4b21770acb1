import { createHash } from 'node:crypto';
import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import { parseAddress } from '@cua-forge/spec/cell-address';
import { leavesOf } from '@cua-forge/spec/check';
import type { ProofLine } from '@cua-forge/spec/proof';
import { sheetNames } from '../files/office-names.ts';
import { line } from '../lines.ts';
import { mustChecks, type Subject } from '../subject.ts';
import { nameOf } from '../targets.ts';

const loose = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** What a template or a program leaves where a word should be. */
const unfinished =
  /\{\{|\}\}|\$\{|\{%|\[object Object\]|\bundefined\b|\bNaN\b|\bTODO\b|\bTBD\b|\bFIXME\b|\blorem ipsum\b|<[A-Z][A-Z_ ]{2,}>|\[[A-Z][A-Z_ ]{3,}\]/;
const shortest = 20;

const quoted = '[“"‘«]([^”"’»]{1,60})[”"’»]';
const kindOfSheet = '(?:work)?(?:sheets?|tabs?)';
const sheetMentions = [
  new RegExp(`\\b${kindOfSheet}\\s+(?:(?:named|called|titled)\\s+)?${quoted}`, 'giu'),
  new RegExp(`${quoted}\\s+${kindOfSheet}\\b`, 'giu'),
];

/** Names of sheets, and of files, that a must check goes by. */
function lookedFor(subject: Subject): { sheets: string[]; paths: string[] } {
  const places = mustChecks(subject)
    .flatMap(({ check }) => (check === null ? [] : leavesOf(check.check)))
    .map(({ see }) => see);
  return {
    sheets: [...new Set(places.flatMap((see) => ('sheet' in see && typeof see.sheet === 'string' ? [see.sheet] : [])))],
    paths: [
      ...new Set(
        places.flatMap((see) =>
          'path' in see && /\.(?:xlsx|ods|csv|docx|odt|pptx|odp|pdf|txt|md)$/i.test(see.path) ? [see.path] : [],
        ),
      ),
    ],
  };
}

const functionNames = new Set(
  (
    'SUM SUMIF SUMIFS SUMPRODUCT SUBTOTAL AVERAGE AVERAGEIF AVERAGEIFS COUNT COUNTA COUNTIF COUNTIFS MAX MAXIFS MIN MINIFS VLOOKUP HLOOKUP XLOOKUP LOOKUP ' +
    'INDEX MATCH OFFSET INDIRECT IF IFS IFERROR IFNA AND OR NOT ROUND ROUNDUP ROUNDDOWN TEXT VALUE CONCAT CONCATENATE TEXTJOIN LEFT RIGHT MID TRIM ' +
    'FILTER UNIQUE SORT LET DATE YEAR MONTH DAY EOMONTH RANK LARGE SMALL MEDIAN'
  ).split(' '),
);

/** Functions that a must check wants to see in a formula. There is always another way to say the same. */
function wantedFunctions(subject: Subject): string[] {
  const texts = mustChecks(subject)
    .flatMap(({ check }) => (check === null ? [] : leavesOf(check.check)))
    .flatMap(({ see, expect }) => ('of' in see && see.of === 'formula' ? [JSON.stringify(expect)] : []));
  return [...new Set(texts.flatMap((text) => text.match(/\b[A-Z]{2,}\b/g) ?? []))].filter((name) =>
    functionNames.has(name),
  );
}

/** Cells that the instruction sends people to. “Q1” is a quarter as well as a cell. */
const toldCells = (instruction: string): string[] => [
  ...new Set([...instruction.matchAll(/\b(?:cells?|into)\s+([A-Z]{1,2}[1-9]\d{0,3})\b/g)].map(([, cell = '']) => cell)),
];

/** Whether some check looks at a cell, by itself or in a range; checks that look at whole sheets and files look at all of theirs. */
function isLookedAt(cell: string, subject: Subject): boolean {
  const at = parseAddress(cell);
  return subject.checks
    .flatMap(({ check }) => leavesOf(check))
    .some(({ see }) => {
      if (see.look === 'cell') return see.cell === cell;
      if (see.look !== 'range') return see.look !== 'workbook';
      const [from, to] = see.range.split(':').map((one) => parseAddress(one));
      return (
        at !== undefined &&
        from !== undefined &&
        to !== undefined &&
        from.row <= at.row &&
        at.row <= to.row &&
        from.column <= at.column &&
        at.column <= to.column
      );
    });
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const isText = (bytes: Uint8Array): boolean => !bytes.subarray(0, 4_096).includes(0);

/** Files that whoever does the task may see, and that no part of the package speaks of. */
function strayFiles({ files, manifest }: Subject): [string, Uint8Array][] {
  const known = new Set(['task.json', 'instruction.md', 'rubric.json', 'setup/setup.sh', 'setup/setup.json']);
  for (const { path } of manifest.files) known.add(path);
  return [...files].filter(([path]) => !path.startsWith('hidden/') && !known.has(path));
}

/** Whether instruction, checks and files speak of the same things, and nothing that can be read says too much. */
export function wordingLines(subject: Subject, names: readonly string[]): ProofLine[] {
  const { instruction, manifest, files, hidden, solution, checks } = subject;
  const text = loose(instruction);
  const told = (name: string): boolean => text.includes(loose(name));
  const answers = hidden?.answers ?? [];
  const given = manifest.files.flatMap(({ path }) => {
    const bytes = files.get(path);
    return bytes === undefined ? [] : sheetNames(bytes);
  });
  const expected = (hidden?.expected ?? []).flatMap((file) =>
    file.type === 'xlsx' ? file.content.sheets.map(({ name }) => name) : [],
  );
  // People call a whole file a sheet as well.
  const mentioned = sheetMentions
    .flatMap((pattern) => [...instruction.matchAll(pattern)].map(([, name = '']) => name))
    .filter((name) => !/\.(?:xlsx?|ods|csv)$/i.test(name));
  const there = new Set([...given, ...expected].map(loose));
  const wanted = lookedFor(subject);
  const [cells, functions] = [toldCells(instruction), wantedFunctions(subject)];
  const inputs = manifest.files.map(({ sandboxPath }) => sandboxPath);
  const hiddenHashes = new Set(
    [...files].flatMap(([path, bytes]) => (path.startsWith('hidden/') && bytes.length > 32 ? [sha256(bytes)] : [])),
  );
  const stray = strayFiles(subject);
  const shown = [...stray, ...[...files].filter(([path]) => path.startsWith('files/'))];
  const title = `${manifest.title}\n${manifest.outcome.summary}`;
  const packed = [...files].filter(
    ([path, bytes]) =>
      path.startsWith('hidden/solution/') &&
      (!isText(bytes) || /[A-Za-z0-9+/]{600}/.test(new TextDecoder().decode(bytes))),
  );
  return [
    line(
      'the instruction is whole',
      [
        ...[unfinished.exec(instruction)?.[0] ?? []].flat().map((found) => `“${found}” is no word of it`),
        ...(instruction.trim().length < shortest ? ['it says next to nothing'] : []),
        ...(/[,;]$|\b(?:the|an?|and|or|of|to|in|on|for|with|from|by|that|which)$/i.test(instruction.trim())
          ? ['it breaks off']
          : []),
      ],
      `${instruction.trim().length} characters`,
    ),
    line(
      'sheets that the instruction names are there',
      there.size === 0
        ? []
        : [...new Set(mentioned)]
            .filter((name) => !there.has(loose(name)))
            .map((name) => `there is no sheet “${name}”`),
      `${mentioned.length} names`,
    ),
    line(
      'what checks go by is given or told',
      [
        ...wanted.sheets
          .filter((name) => !given.some((one) => loose(one) === loose(name)) && !told(name))
          .map((name) => `a check looks at the sheet “${name}”, which nobody is told of`),
        ...wanted.paths
          .filter((path) => !inputs.includes(path) && !told(nameOf(path)) && !told(nameOf(path).replace(/\.\w+$/, '')))
          .map((path) => `a check looks at ${nameOf(path)}, which nobody is told of`),
      ],
      `${wanted.sheets.length} sheets, ${wanted.paths.length} files, ${checks.length} checks`,
    ),
    line(
      'cells that the instruction names are looked at',
      cells.filter((cell) => !isLookedAt(cell, subject)).map((cell) => `no check looks at ${cell}`),
      `${cells.length} cells`,
    ),
    line(
      'no check wants a function that nobody is told of',
      functions
        .filter((name) => !new RegExp(`\\b${name}\\b`, 'i').test(instruction))
        .map((name) => `a formula has to have ${name}, which the instruction does not ask for`),
      `${functions.length} functions`,
    ),
    line(
      'title and summary give no answer away',
      findAnswerLeaks(title, answers, names).map(({ label }) => `“${label}” is stated`),
      `${answers.length} answers looked for`,
    ),
    line(
      'no file of the package that people get is hidden work',
      [
        ...shown.filter(([, bytes]) => hiddenHashes.has(sha256(bytes))).map(([path]) => `${path} is a hidden file`),
        ...stray.flatMap(([path, bytes]) =>
          isText(bytes)
            ? findAnswerLeaks(new TextDecoder().decode(bytes), answers).map(({ label }) => `“${label}” is in ${path}`)
            : [],
        ),
      ],
      `${shown.length} files`,
    ),
    line(
      'the solution does the work itself',
      packed.map(([path]) => `${path} carries data instead of doing something`),
      solution === null ? 'there is none' : solution.through,
    ),
  ];
}
