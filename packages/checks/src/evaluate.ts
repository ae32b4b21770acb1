import type { Check, CheckEvidence, CheckLeaf, CheckResult } from '@cua-forge/spec/check';
import type { CompiledChecks } from '@cua-forge/spec/check-compile';
import { expectationText } from '@cua-forge/spec/check-expectation';
import { lookText } from '@cua-forge/spec/check-look';
import type { Rubric } from '@cua-forge/spec/task';
import { type Held, judgeSeen, seenText } from './judge-seen.ts';
import { type LookContext, Looker } from './look.ts';

async function leafResult({ see, expect }: CheckLeaf, looker: Looker): Promise<CheckEvidence> {
  const seen = await looker.look(see);
  const place = 'same' in expect ? expect.same : 'looksLike' in expect ? expect.looksLike : undefined;
  const other = place === undefined ? undefined : await looker.look(place);
  const held = judgeSeen(seen, expect, other);
  const compared = other === undefined ? '' : ` (there: ${seenText(other)})`;
  return { where: lookText(see), expected: `${expectationText(expect)}${compared}`, seen: seenText(seen), held };
}

const opposite: Record<Held, Held> = { yes: 'no', no: 'yes', missing: 'missing' };

async function decide(check: Check, looker: Looker, evidence: CheckEvidence[]): Promise<Held> {
  if ('not' in check) return opposite[await decide(check.not, looker, evidence)];
  if ('see' in check) {
    const line = await leafResult(check, looker);
    evidence.push(line);
    return line.held;
  }
  // Every part is looked at, so that the evidence is whole.
  const parts: Held[] = [];
  for (const part of 'all' in check ? check.all : check.any) parts.push(await decide(part, looker, evidence));
  const [strong, weak]: [Held, Held] = 'all' in check ? ['no', 'yes'] : ['yes', 'no'];
  if (parts.includes(strong)) return strong;
  return parts.length === 0 || parts.includes('missing') ? 'missing' : weak;
}

/**
 * Evaluates one check; `ok` only when it holds.
 * @throws ForgeError `tool.missing` for what the place cannot tell, `node.cancelled`
 */
export async function evaluateCheck(check: Check, looker: Looker): Promise<CheckResult> {
  const evidence: CheckEvidence[] = [];
  return { ok: (await decide(check, looker, evidence)) === 'yes', evidence };
}

/** Evaluates all checks on one state of the place. */
export async function evaluateChecks(checks: CompiledChecks, context: LookContext): Promise<Map<string, CheckResult>> {
  const looker = new Looker(context);
  const results = new Map<string, CheckResult>();
  for (const [id, check] of checks) results.set(id, await evaluateCheck(check, looker));
  return results;
}

export interface RubricScore {
  /** Share of the weight of the criteria with a check that passed, 0 to 1. */
  score: number;
  /** All must criteria that have a check passed. */
  mustsPassed: boolean;
  /** Criteria that only a judge can decide. */
  open: string[];
}

/** What the checks alone say of a rubric. */
export function scoreRubric({ criteria }: Rubric, results: ReadonlyMap<string, CheckResult>): RubricScore {
  const checked = criteria.filter(({ check }) => check !== undefined);
  const passed = (criterion: Rubric['criteria'][number]) => results.get(criterion.check ?? '')?.ok === true;
  const weight = (of: Rubric['criteria']) => of.reduce((sum, one) => sum + one.weight, 0);
  return {
    score: checked.length === 0 ? 0 : weight(checked.filter(passed)) / weight(checked),
    mustsPassed: checked.length > 0 && checked.filter(({ must }) => must).every(passed),
    open: criteria.filter(({ check }) => check === undefined).map(({ id }) => id),
  };
}
