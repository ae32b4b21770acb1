import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import { checkProblems } from '@cua-forge/spec/check-compile';
import { baseName, namesInFile } from '@cua-forge/spec/required-file';
import type { HiddenAnswers, Rubric, SetupScript, TaskSpecification } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';
import { type Check, check } from '../evidence.ts';
import { setupDetails } from './setup-details.ts';

/** Names of the task that texts may hold whatever they look like. */
export function namesOf(spec: TaskSpecification): string[] {
  const inFiles = spec.files.flatMap((file) => [baseName(file.path), ...namesInFile(file)]);
  const { person, company } = spec.scenario;
  return [...new Set([...spec.outcome.mentions, ...inFiles, person, company])].filter((name) => name.trim() !== '');
}

const loose = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
const placeholder =
  /\{\{|\}\}|\{%|\bundefined\b|\[object |<(?:name|company|file|insert)[^>]*>|\[(?:name|company|file|insert)[^\]]*\]|\bNaN\b/i;
export const fileLike = /[\p{L}\p{N}_()-]+\.(?:xlsx?|ods|csv|tsv|txt|md|docx?|odt|pptx?|odp|pdf|json|png|jpe?g)\b/giu;

export function instructionChecks(text: string, spec: TaskSpecification, hidden: HiddenAnswers | undefined): Check[] {
  const names = namesOf(spec);
  const leaks = findAnswerLeaks(text, hidden?.answers ?? [], names);
  const details = setupDetails(text, spec.applications, names);
  const missing = spec.outcome.mentions.filter((mention) => !loose(text).includes(loose(mention)));
  const known = names.map(loose);
  const strange = [...new Set(text.match(fileLike) ?? [])].filter(
    (name) => !known.some((one) => one.endsWith(loose(name))),
  );
  const length = text.trim().length;
  return [
    check(
      'the instruction gives no answer away',
      // Verdicts are kept where answers must not be: the label says enough for whoever can read the instruction.
      leaks.map(({ label }) => `“${label}” is stated`),
      `${hidden?.answers.length ?? 0} answers looked for`,
      (problem) => `Do not state results of the task: ${problem}.`,
    ),
    check(
      'the instruction tells no setup detail',
      details.map(({ what, found }) => `${what} (“${found}”)`),
      'none found',
      (problem) => `Say only what is wanted, nothing of how the computer was prepared. Leave out ${problem}.`,
    ),
    check(
      'the instruction names what it must',
      missing.map((name) => `“${name}” is not mentioned`),
      `${spec.outcome.mentions.length} names found`,
      (problem) => `${problem}; mention it exactly so.`,
    ),
    check(
      'files that the instruction names exist',
      strange.map((name) => `there is no file ${name}`),
      'all exist',
      (problem) => `${problem}; speak only of the given files.`,
    ),
    check(
      'the instruction is a whole text',
      [
        ...(length < 30 ? ['it is too short to say what is wanted'] : []),
        ...(length > 4_000 ? ['it is longer than 4,000 characters'] : []),
        ...(placeholder.test(text) ? ['it holds an unfilled placeholder'] : []),
      ],
      `${length} characters`,
    ),
  ];
}

/** Whether each criterion that names a check has one, and it can fail and hold; nothing where none is named. */
function executableChecks({ criteria }: Rubric, hidden: HiddenAnswers | undefined): Check[] {
  const named = criteria.filter(({ judge, check }) => judge === 'check' && check !== undefined);
  if (named.length === 0) return [];
  const known = hidden?.checks ?? [];
  const problems = named.flatMap(({ id, check: name }) => {
    const own = known.find((one) => one.id === name);
    if (own === undefined) return [`criterion ${id} names the check ${name}, which is not there`];
    return checkProblems(own.check).length === 0 ? [] : [`the check ${name} of criterion ${id} decides nothing`];
  });
  return [
    check(
      'checks of criteria are there and can fail',
      problems,
      `${named.length} of ${criteria.length} criteria have a check`,
    ),
  ];
}

export function rubricChecks(rubric: Rubric, spec: TaskSpecification, hidden?: HiddenAnswers): Check[] {
  const { criteria } = rubric;
  const names = namesOf(spec);
  const musts = spec.outcome.requirements.filter(({ must }) => must);
  const uncovered = musts.filter(({ id }) => !criteria.some((one) => one.id === id && one.must));
  const invented = criteria.filter(({ id, must }) => must && !musts.some((one) => one.id === id));
  const repeated = criteria.filter(({ id }, index) => criteria.findIndex((one) => one.id === id) !== index);
  const sum = criteria.reduce((total, { weight }) => total + weight, 0);
  const details = criteria.flatMap(({ id, text, evidence }) =>
    setupDetails(`${text}\n${evidence}`, spec.applications, names).map(
      ({ what, found }) => `criterion ${id} is about ${what} (“${found}”)`,
    ),
  );
  return [
    check(
      'the rubric covers every must requirement',
      uncovered.map(({ id, text }) => `no must criterion has the id ${id} (${text})`),
      `${musts.length} of ${musts.length} covered`,
    ),
    check(
      'the rubric demands nothing else',
      invented.map(({ id }) => `criterion ${id} is a must, but no must requirement has that id`),
      'no must criterion is without a requirement',
    ),
    check(
      'criteria have ids of their own',
      repeated.map(({ id }) => `two criteria have the id ${id}`),
      `${criteria.length} criteria`,
    ),
    check('weights sum to 1', Math.abs(sum - 1) <= 0.001 ? [] : [`they sum to ${Number(sum.toFixed(6))}`], 'they do'),
    check('no criterion is about the setup', details, 'none is', (problem) => `${problem}; judge the end state only.`),
    ...executableChecks(rubric, hidden),
  ];
}

/** What no rewording mends: files, setup and specification that do not belong together. */
export function agreementChecks(
  files: readonly FileValue[],
  { operations }: SetupScript,
  spec: TaskSpecification,
): Check[] {
  const places = operations.flatMap((one) => (one.op === 'place-file' ? [one] : []));
  const unplaced = spec.files
    .filter(({ path }) => !places.some((place) => place.path === path))
    .map(({ id, path }) => `the setup does not place ${id} at ${path}`);
  const stray = places
    .filter(({ path }) => !spec.files.some((file) => file.path === path))
    .map(({ path }) => `the setup places ${path}, which is not specified`);
  const unknown = places
    .filter(({ file }) => !files.some(({ hash }) => hash === file.hash))
    .map(({ path }) => `what the setup places at ${path} is not among the checked files`);
  const unused = files
    .filter(({ hash }) => !places.some(({ file }) => file.hash === hash))
    .map(({ name }) => `the checked file ${name} is not placed`);
  return [
    check('setup and specification name the same files', [...unplaced, ...stray], `${spec.files.length} files`),
    check('the setup places the checked files', [...unknown, ...unused], `${files.length} files`),
  ];
}
