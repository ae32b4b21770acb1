import type { Json } from '@cua-forge/spec/json';
import { baseName } from '@cua-forge/spec/required-file';
import { Rubric, type TaskSpecification } from '@cua-forge/spec/task';

/** What is wrong with a rubric for this specification, in words for its author. Empty when nothing is. */
export function rubricProblems(value: Json, spec: TaskSpecification): string[] {
  const parsed = Rubric.safeParse(value);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const { criteria } = parsed.data;
  const repeated = criteria.filter(({ id }, index) => criteria.findIndex((other) => other.id === id) !== index);
  const uncovered = spec.outcome.requirements.filter(
    ({ id, must }) => must && !criteria.some((one) => one.id === id && one.must),
  );
  const invented = criteria.filter(
    ({ id, must }) => must && !spec.outcome.requirements.some((one) => one.must && one.id === id),
  );
  const strays = criteria.flatMap(({ id, text }) => {
    const requirement = spec.outcome.requirements.find((one) => one.id === id);
    return requirement === undefined || isAbout(text, requirement.text) ? [] : [requirement];
  });
  return [
    ...strays.map(({ id, text }) => `the criterion ${id} is about something else; its requirement is: ${text}`),
    ...invented.map(({ id }) => `the criterion ${id} is a must, but no must requirement has that id`),
    ...repeated.map(({ id }) => `two criteria have the id ${id}`),
    ...uncovered.map(({ id }) => `no must criterion has the id ${id}, which is a must requirement`),
  ];
}

/** Beginnings of the words that carry meaning: enough to know a word again in another form. */
const stems = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []).map((word) => word.slice(0, 5)));

/** Whether a criterion shares a word with its requirement. */
function isAbout(text: string, requirement: string): boolean {
  const [said, wanted] = [stems(text), stems(requirement)];
  return wanted.size === 0 || [...wanted].some((stem) => said.has(stem));
}

/** The same rubric with weights that sum to 1, in thousandths; the rest from rounding goes to the heaviest criterion. */
export function withUnitWeights({ criteria }: Rubric): Rubric {
  const sum = criteria.reduce((total, { weight }) => total + weight, 0);
  const parts = criteria.map(({ weight }) => Math.max(1, Math.round((weight / sum) * 1000)));
  const heaviest = parts.indexOf(Math.max(...parts));
  const rest = 1000 - parts.reduce((total, part) => total + part, 0);
  return {
    criteria: criteria.map((criterion, index) => ({
      ...criterion,
      weight: ((parts[index] ?? 1) + (index === heaviest ? rest : 0)) / 1000,
    })),
  };
}

/** Rubrics that the specification itself gives: a criterion for each requirement, phrased and weighted in a few ways. */
export function draftRubrics(spec: TaskSpecification): Rubric[] {
  const files = spec.files.map(({ path }) => baseName(path)).join(', ');
  const evidence = [
    `The saved ${files} at the end`,
    `${files} as it is on disk after the work`,
    `A view of ${files} once everything is saved`,
  ];
  const phrase = [
    (text: string) => text,
    (text: string) => `In the end, this holds: ${text}`,
    (text: string) => `At the end it can be seen that: ${text}`,
  ];
  return phrase.flatMap((say, variant) =>
    [3, 2].map((mustWeight) => ({
      criteria: spec.outcome.requirements.map(({ id, text, must }) => ({
        id,
        text: say(text),
        weight: must ? mustWeight : 1,
        must,
        judge: 'model' as const,
        evidence: evidence[variant] ?? files,
      })),
    })),
  );
}
