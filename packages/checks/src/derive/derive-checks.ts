import type { Check, NamedCheck } from '@cua-forge/spec/check';
import { checkProblems } from '@cua-forge/spec/check-compile';
import type { CheckPlace, HiddenAnswers, Rubric, TaskSpecification } from '@cua-forge/spec/task';
import { workbookCheck } from './workbook-checks.ts';

export interface DerivedChecks {
  checks: NamedCheck[];
  /** Must requirements that stay for a judge, with the reason. */
  open: { requirement: string; why: string }[];
}

/**
 * Checks for the must requirements: those that whoever planned the task has given, and others whose place in the expected files is fixed. Pure: looks at the data that the files are made
 * from, not at the files. A check that could not fail or not hold is left out and its requirement stays open.
 */
export function deriveChecks(spec: TaskSpecification, hidden: HiddenAnswers): DerivedChecks {
  const derived: DerivedChecks = { checks: [], open: [] };
  for (const { id, must } of spec.outcome.requirements) {
    if (!must) continue;
    const given = (hidden.checks ?? []).find((one) => one.id === id);
    const places = (hidden.places ?? []).filter(({ requirement }) => requirement === id);
    const check = given?.check ?? (places.length === 0 ? undefined : checkOf(spec, hidden, places));
    const problems = check === undefined ? [] : checkProblems(check);
    if (check !== undefined && problems.length === 0) derived.checks.push({ id, check });
    else derived.open.push({ requirement: id, why: problems[0] ?? 'the outcome fixes no place for it' });
  }
  return derived;
}

function checkOf(spec: TaskSpecification, hidden: HiddenAnswers, places: readonly CheckPlace[]): Check | undefined {
  const parts = [...new Set(places.map(({ file }) => file))].flatMap((id) => {
    const prepared = spec.files.find((file) => file.id === id);
    const expected = hidden.expected.find((file) => file.id === id);
    if (prepared?.type !== 'xlsx' || expected?.type !== 'xlsx') return [];
    const pair = { path: expected.path, prepared: prepared.content, expected: expected.content };
    return (
      workbookCheck(
        pair,
        places.filter(({ file }) => file === id),
      ) ?? []
    );
  });
  const [first] = parts;
  return parts.length > 1 ? { all: parts } : first;
}

/** The rubric whose criteria are decided by a check where there is one of their id. */
export function withChecks(rubric: Rubric, checks: readonly NamedCheck[]): Rubric {
  const known = new Set(checks.map(({ id }) => id));
  return {
    criteria: rubric.criteria.map(({ check: _check, ...criterion }) =>
      known.has(criterion.id) ? { ...criterion, judge: 'check', check: criterion.id } : criterion,
    ),
  };
}
