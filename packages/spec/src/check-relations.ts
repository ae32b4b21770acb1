import { canonicalJson } from './canonical-json.ts';
import type { CheckLeaf } from './check.ts';
import type { Expectation } from './check-expectation.ts';
import { comparable } from './check-expectation.ts';

/** Pairs of leaves, by their places, that cannot both hold, or cannot both fail where there is something to see. */
export interface Constraints {
  exclusive: [number, number][];
  exhaustive: [number, number][];
}

interface Interval {
  from: number;
  to: number;
}

/** Numbers that an expectation admits, where it is one about numbers. */
function intervalOf(expected: Expectation): Interval | undefined {
  if ('equals' in expected && typeof expected.equals === 'number') {
    const { equals, tolerance = 0, relative = 0 } = expected;
    const width = Math.max(tolerance, Math.abs(equals) * relative);
    return { from: equals - width, to: equals + width };
  }
  if ('atLeast' in expected || 'atMost' in expected)
    return { from: expected.atLeast ?? Number.NEGATIVE_INFINITY, to: expected.atMost ?? Number.POSITIVE_INFINITY };
  return undefined;
}

function coverAll(a: Interval, b: Interval): boolean {
  const [low, high] = a.from <= b.from ? [a, b] : [b, a];
  return low.from === Number.NEGATIVE_INFINITY && high.to === Number.POSITIVE_INFINITY && low.to >= high.from;
}

/** A value that an expectation wants to the letter. */
function exactOf(expected: Expectation): string | undefined {
  if ('equals' in expected && typeof expected.equals !== 'number')
    return `${typeof expected.equals} ${comparable(String(expected.equals), 'loose')}`;
  return 'day' in expected && expected.days === 0 ? `day ${expected.day}` : undefined;
}

function exclude(a: Expectation, b: Expectation): boolean {
  if ('absent' in a)
    return !('absent' in b) && !('list' in b && b.list.length === 0) && !('count' in b) && !('excludes' in b);
  if ('absent' in b) return exclude(b, a);
  const [left, right] = [intervalOf(a), intervalOf(b)];
  if (left !== undefined && right !== undefined) return left.to < right.from || right.to < left.from;
  const [one, other] = [exactOf(a), exactOf(b)];
  return one !== undefined && other !== undefined && one !== other;
}

function exhaust(a: Expectation, b: Expectation): boolean {
  if (('absent' in a && 'present' in b) || ('present' in a && 'absent' in b)) return true;
  if ('equals' in a && 'equals' in b) return a.equals === !b.equals;
  const [left, right] = [intervalOf(a), intervalOf(b)];
  return left !== undefined && right !== undefined && coverAll(left, right);
}

/** How leaves that look at the same place depend on each other. */
export function constraintsOf(leaves: readonly CheckLeaf[]): Constraints {
  const places = leaves.map(({ see }) => canonicalJson(see));
  const found: Constraints = { exclusive: [], exhaustive: [] };
  leaves.forEach((a, first) => {
    for (let second = first + 1; second < leaves.length; second += 1) {
      const b = leaves[second];
      if (b === undefined || places[first] !== places[second]) continue;
      if (exclude(a.expect, b.expect)) found.exclusive.push([first, second]);
      if (exhaust(a.expect, b.expect)) found.exhaustive.push([first, second]);
    }
  });
  return found;
}
