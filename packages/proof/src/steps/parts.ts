import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import { leavesOf } from '@cua-forge/spec/check';
import { checkProblems } from '@cua-forge/spec/check-compile';
import type { ProofLine } from '@cua-forge/spec/proof';
import { namesInFile } from '@cua-forge/spec/required-file';
import { line } from '../lines.ts';
import { mustChecks, type Subject } from '../subject.ts';
import { nameOf } from '../targets.ts';
import { criteriaLines } from './criteria.ts';
import { wordingLines } from './wording.ts';

const fileLike =
  /[\p{L}\p{N}_()-]+(?:\.[\p{L}\p{N}_()-]+)*\.(?:xlsx?|ods|csv|tsv|txt|md|docx?|odt|pptx?|odp|pdf|json|png|jpe?g)\b/giu;
const loose = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');

/** Functions whose value is another each day or each time. */
export const volatile = /\b(?:TODAY|NOW|RAND|RANDBETWEEN|RANDARRAY)\s*\(/i;

/** Names that any text of the task may hold: files, sheets, headings, and the words of the outcome itself. */
function namesOf({ manifest, hidden }: Subject): string[] {
  const files = manifest.files.map(({ sandboxPath }) => nameOf(sandboxPath));
  const parts = (hidden?.expected ?? []).flatMap((file) => [nameOf(file.path), ...namesInFile(file)]);
  return [...new Set([...files, ...parts])].filter((name) => name.trim() !== '');
}

/** What can be seen without a sandbox: that the parts are there, belong together and give nothing away. */
export function partsStep(subject: Subject): ProofLine[] {
  const { manifest, instruction, rubric, operations, script, checks, hidden, solution, files } = subject;
  const musts = mustChecks(subject);
  const uncovered = musts.filter(({ check }) => check === null);
  const useless = checks.flatMap(({ id, check }) => checkProblems(check).map((problem) => `${id}: ${problem}`));
  const leaves = musts.flatMap(({ check }) => (check === null ? [] : leavesOf(check.check)));
  const looked = [...new Set(leaves.flatMap(({ see }) => ('path' in see ? [see.path] : [])))];
  const answers = hidden?.answers ?? [];
  const names = namesOf(subject);
  const placed = new Map(operations.flatMap((one) => (one.op === 'place-file' ? [[one.path, one.file.hash]] : [])));
  const input = manifest.files.map(({ sandboxPath }) => sandboxPath);
  const named = [...new Set(instruction.match(fileLike) ?? [])].map(loose);
  const inputsNamed = input.filter((path) => named.some((name) => loose(nameOf(path)).endsWith(name)));
  const known = [...input, ...looked, ...(hidden?.expected ?? []).map(({ path }) => path), ...placed.keys()].map(
    (path) => loose(nameOf(path)),
  );
  const mutants = new Set(solution?.mutants.map(({ criterion }) => criterion));
  const changed = (hidden?.expected ?? []).map(({ path }) => path);
  const lookedInputs = input.filter((path) => looked.includes(path));
  return [
    line(
      'every must criterion has a check',
      [...(musts.length === 0 ? ['no criterion is a must'] : []), ...uncovered.map(({ id }) => `${id} has none`)],
      `${musts.length} criteria`,
    ),
    line('every check can fail and can hold', useless, `${checks.length} checks`),
    line(
      'there is a reference solution with a mutant for each must criterion',
      solution === null
        ? ['there is no hidden/solution/solution.json']
        : musts.filter(({ id }) => !mutants.has(id)).map(({ id }) => `${id} has no mutant`),
      `${solution?.mutants.length ?? 0} mutants`,
    ),
    line(
      'the instruction gives no answer away',
      findAnswerLeaks(instruction, answers, names).map(({ label }) => `“${label}” is stated`),
      `${answers.length} answers looked for`,
    ),
    line(
      'the setup gives no answer away',
      findAnswerLeaks(`${script}\n${JSON.stringify(operations)}`, distinctive(answers), names).map(
        ({ label }) => `“${label}” is in it`,
      ),
      `${answers.length} answers looked for`,
    ),
    line(
      'files that the instruction names are there',
      [...new Set(named)]
        .filter((name) => !known.some((one) => one === name || one.endsWith(` ${name}`)))
        .map((name) => `there is no ${name}`),
      `${named.length} names`,
    ),
    line(
      'checks look at the files that the instruction is about',
      inputsNamed.length === 0
        ? []
        : lookedInputs
            .filter((path) => !inputsNamed.includes(path))
            .map(
              (path) =>
                `${nameOf(path)} is looked at, but the instruction speaks of ${inputsNamed.map(nameOf).join(', ')}`,
            )
            .concat(
              lookedInputs.length > 0 && !lookedInputs.some((path) => inputsNamed.includes(path))
                ? ['none of the named files is looked at']
                : [],
            ),
      `${looked.length} files are looked at`,
    ),
    line(
      'the setup places every file, as task.json names it',
      [
        ...manifest.files.flatMap(({ sandboxPath, hash }) =>
          placed.get(sandboxPath) === hash
            ? []
            : [`${sandboxPath} is ${placed.has(sandboxPath) ? 'another file' : 'not placed'}`],
        ),
        ...manifest.files.filter(({ path }) => !files.has(path)).map(({ path }) => `the package has no ${path}`),
        ...changed
          .filter(
            (path) =>
              looked.includes(path) &&
              !input.includes(path) &&
              operations.some((one) => one.op === 'open' && one.path === path),
          )
          .map((path) => `${path} is opened, but never placed`),
      ],
      `${manifest.files.length} files`,
    ),
    line(
      'criteria of the rubric do not contradict one another',
      contradictions(rubric.criteria.map(({ text }) => text)),
      `${rubric.criteria.length} criteria`,
    ),
    ...criteriaLines(subject),
    ...wordingLines(subject, names),
  ];
}

/** Answers that a script cannot hold by chance: modes, seconds and sizes are small numbers. */
const distinctive = <T extends { value: string | number }>(answers: readonly T[]): T[] =>
  answers.filter(({ value }) => String(value).replace(/\D/g, '').length >= 5 || /[A-Za-z]{6}/.test(String(value)));

/** A sentence and its plain negation. */
function contradictions(texts: readonly string[]): string[] {
  const bare = (text: string) =>
    loose(text)
      .replace(/\b(?:not|never|no|n't)\b/g, '')
      .replace(/\W+/g, ' ')
      .trim();
  const negated = (text: string) => /\b(?:not|never|no)\b|n't\b/i.test(text);
  return texts.flatMap((text, index) =>
    texts
      .slice(index + 1)
      .flatMap((other) =>
        bare(text) === bare(other) && negated(text) !== negated(other) ? [`“${text}” and “${other}”`] : [],
      ),
  );
}
