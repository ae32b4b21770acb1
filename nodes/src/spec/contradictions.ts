import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import type { HiddenAnswers, TaskSpecification } from '@cua-forge/spec/task';

const repeated = (values: readonly string[]) => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];

/** What the parts of a specification say against one another, one line each. Empty when they agree. */
export function contradictions(spec: TaskSpecification, hidden: HiddenAnswers | undefined): string[] {
  const { files, outcome, preconditions, applications } = spec;
  const ids = new Set(files.map(({ id }) => id));
  const known = [...ids].join(', ');
  return [
    ...repeated(files.map(({ id }) => id)).map((id) => `two files have the id ${id}`),
    ...repeated(files.map(({ path }) => path)).map((path) => `two files have the path ${path}`),
    ...repeated(outcome.requirements.map(({ id }) => id)).map((id) => `two requirements have the id ${id}`),
    ...(outcome.requirements.some(({ must }) => must) ? [] : ['no requirement is a must']),
    ...preconditions
      .filter(({ file }) => !ids.has(file))
      .map(({ type, file }) => `a precondition (${type}) names the file ${file}; the files are ${known}`),
    ...preconditions.flatMap((one) =>
      one.type === 'application-open' && !applications.includes(one.application)
        ? [`a precondition opens ${one.application}, which is not among the applications ${applications.join(', ')}`]
        : [],
    ),
    ...(hidden === undefined ? [] : leaks(spec, hidden)),
  ];
}

function leaks({ outcome, scenario, constraints }: TaskSpecification, { answers }: HiddenAnswers): string[] {
  const inMentions = outcome.mentions.flatMap((mention) =>
    findAnswerLeaks(mention, answers).map(
      ({ label }) => `the mention ${JSON.stringify(mention)} contains the hidden answer ${label}`,
    ),
  );
  const texts: [string, string][] = [
    ['summary', outcome.summary],
    ['motive', scenario.motive],
    ...outcome.requirements.map(({ id, text }): [string, string] => [`requirement ${id}`, text]),
    ...constraints.map((text, index): [string, string] => [`constraint ${index + 1}`, text]),
  ];
  const inTexts = texts.flatMap(([name, text]) =>
    findAnswerLeaks(text, answers, outcome.mentions).map(
      ({ label }) => `the ${name} contains the hidden answer ${label}`,
    ),
  );
  return [...inMentions, ...inTexts];
}
