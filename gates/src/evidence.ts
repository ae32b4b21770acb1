import type { Verdict } from '@cua-forge/spec/kind';

type Evidence = Verdict['evidence'][number];

/** A line of evidence and, where it failed and an author can mend it, what to tell that author. */
export interface Check extends Evidence {
  advice: string[];
}

const MOST_PROBLEMS = 8;

/** A check that holds when there are no problems. `advise` says to the author what to do about one. */
export const check = (
  name: string,
  problems: readonly string[],
  good: string,
  advise: (problem: string) => string = (problem) => problem,
): Check => ({
  check: name,
  ok: problems.length === 0,
  detail: problems.length === 0 ? good : problems.slice(0, MOST_PROBLEMS).join('; '),
  advice: problems.slice(0, MOST_PROBLEMS).map(advise),
});

/** Pass when all checks hold; otherwise a repair with the advice of those that do not. */
export function verdictOf(checks: readonly Check[]): Verdict {
  const evidence = checks.map(({ advice: _advice, ...line }) => line);
  if (checks.every(({ ok }) => ok)) return { verdict: 'pass', evidence };
  const feedback = checks.flatMap(({ ok, advice }) => (ok ? [] : advice)).join('\n');
  return { verdict: 'repair', evidence, feedback };
}
