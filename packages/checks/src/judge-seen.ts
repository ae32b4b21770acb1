import { comparable, type Expectation, type TextRule } from '@cua-forge/spec/check-expectation';
import { differingShare } from './reading/pictures.ts';
import type { Scalar, Seen } from './reading/seen.ts';

export type Held = 'yes' | 'no' | 'missing';

interface Rules {
  text?: TextRule | undefined;
  tolerance?: number | undefined;
  relative?: number | undefined;
}

/** Numbers that texts such as `1,234.50` stand for are not guessed: a text equals a text, a number a number. */
export function equal(
  seen: Scalar | undefined,
  expected: Scalar,
  { text = 'spaces', tolerance = 0, relative = 0 }: Rules,
): boolean {
  if (seen === null || seen === undefined || expected === null) return false;
  if (typeof seen === 'number' && typeof expected === 'number') {
    if (!Number.isFinite(seen) || !Number.isFinite(expected)) return false;
    // Sums of decimals differ in their last bits from one program to the next.
    const width = Math.max(tolerance, Math.abs(expected) * relative, Math.abs(expected) * 1e-12);
    return Math.abs(seen - expected) <= width + Number.EPSILON;
  }
  if (typeof seen === 'string' && typeof expected === 'string')
    return comparable(seen, text) === comparable(expected, text);
  return seen === expected;
}

/** Members of two lists; an empty place goes with an empty place only. */
function sameMembers(seen: readonly Scalar[], expected: readonly Scalar[], ordered: boolean, rules: Rules): boolean {
  if (seen.length !== expected.length) return false;
  const alike = (one: Scalar | undefined, other: Scalar) => (other === null ? one === null : equal(one, other, rules));
  if (ordered) return expected.every((member, index) => alike(seen[index], member));
  const left = [...seen];
  return expected.every((member) => {
    const at = left.findIndex((one) => alike(one, member));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

const isEmpty = (seen: Seen): boolean =>
  (seen.kind === 'value' && (seen.value === null || (typeof seen.value === 'string' && seen.value.trim() === ''))) ||
  (seen.kind === 'list' && seen.members.every((one) => one === null));

function dayOf(seen: Scalar): number {
  const day = typeof seen === 'string' ? /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(seen.trim())?.[0] : undefined;
  return day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
}

const decided = (holds: boolean): Held => (holds ? 'yes' : 'no');
const membersOf = (seen: Seen): Scalar[] =>
  seen.kind === 'list' ? seen.members : seen.kind === 'value' && seen.value !== null ? [seen.value] : [];

/** Whether what was seen is what was expected. `other` is what was seen at the place that it is compared with. */
export function judgeSeen(seen: Seen, expected: Expectation, other?: Seen): Held {
  if (seen.kind === 'missing' || other?.kind === 'missing') return 'missing';
  if ('absent' in expected) return decided(isEmpty(seen));
  if ('present' in expected) return decided(!isEmpty(seen));
  if ('looksLike' in expected) {
    if (seen.kind !== 'pixels' || other?.kind !== 'pixels') return 'missing';
    const share = differingShare(seen.pixels, other.pixels, expected.channel);
    return decided(share !== undefined && share <= expected.share);
  }
  if ('same' in expected) {
    if (other === undefined || seen.kind !== other.kind) return 'no';
    if (seen.kind === 'list' && other.kind === 'list')
      return decided(other.members.length > 0 && sameMembers(seen.members, other.members, expected.ordered, expected));
    return decided(seen.kind === 'value' && other.kind === 'value' && equal(seen.value, other.value, expected));
  }
  if ('list' in expected)
    return decided(seen.kind === 'list' && sameMembers(seen.members, expected.list, expected.ordered, expected));
  if ('count' in expected) {
    if (seen.kind !== 'list') return 'no';
    const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = expected.count;
    return decided(seen.members.length >= atLeast && seen.members.length <= atMost);
  }
  if ('includes' in expected)
    return decided(expected.includes.every((one) => membersOf(seen).some((member) => equal(member, one, expected))));
  if ('excludes' in expected)
    return decided(!expected.excludes.some((one) => membersOf(seen).some((member) => equal(member, one, expected))));
  return judgeScalar(seen, expected);
}

type ScalarExpectation = Extract<
  Expectation,
  | { equals: unknown }
  | { day: unknown }
  | { atLeast?: unknown }
  | { contains: unknown }
  | { matches: unknown }
  | { oneOf: unknown }
>;

function judgeScalar(seen: Seen, expected: ScalarExpectation): Held {
  // A single value is expected: a list holds when each of its members does, and there is one.
  if (seen.kind === 'list')
    return decided(
      seen.members.length > 0 &&
        seen.members.every((one) => judgeScalar({ kind: 'value', value: one }, expected) === 'yes'),
    );
  if (seen.kind !== 'value' || seen.value === null) return 'no';
  const found = seen.value;
  if ('equals' in expected) return decided(equal(found, expected.equals, expected));
  if ('oneOf' in expected) return decided(expected.oneOf.some((one) => equal(found, one, expected)));
  if ('day' in expected)
    return decided(Math.abs(dayOf(found) - Date.parse(`${expected.day}T00:00:00Z`)) <= expected.days * 86_400_000);
  if ('contains' in expected)
    return decided(comparable(String(found), expected.text).includes(comparable(expected.contains, expected.text)));
  if ('matches' in expected)
    return decided(
      new RegExp(expected.matches, expected.ignoreCase ? 'iu' : 'u').test(String(found).slice(0, 1_000_000)),
    );
  if (typeof found !== 'number') return 'no';
  return decided(
    found >= (expected.atLeast ?? Number.NEGATIVE_INFINITY) && found <= (expected.atMost ?? Number.POSITIVE_INFINITY),
  );
}

/** What was seen, in words, short enough for a line. */
export function seenText(seen: Seen): string {
  if (seen.kind === 'missing') return seen.why;
  if (seen.kind === 'pixels') return `${seen.pixels.width} × ${seen.pixels.height} pixels`;
  const text = JSON.stringify(seen.kind === 'list' ? seen.members : seen.value);
  return text.length > 400 ? `${text.slice(0, 399)}…` : text;
}
