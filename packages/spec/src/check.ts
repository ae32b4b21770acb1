import { z } from 'zod';
import { Expectation } from './check-expectation.ts';
import { Look } from './check-look.ts';

/** One thing that is looked at, and what has to be seen there. */
export const CheckLeaf = z.strictObject({ see: Look, expect: Expectation });
export type CheckLeaf = z.infer<typeof CheckLeaf>;

/**
 * A check on an end state. It holds, does not hold, or cannot be told because what it looks at is not there; only the first
 * passes, and `not` of the last is the last again: what is missing never passes by being missing.
 */
export type Check = CheckLeaf | { all: Check[] } | { any: Check[] } | { not: Check };
export const Check: z.ZodType<Check> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(Check).max(5_000) }),
    z.strictObject({ any: z.array(Check).max(200) }),
    z.strictObject({ not: Check }),
    CheckLeaf,
  ]),
);

/** A check under the id of the criterion that it decides. */
export const NamedCheck = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  check: Check,
});
export type NamedCheck = z.infer<typeof NamedCheck>;

/** `hidden/checks.json` of a task package. */
export const CheckFile = z.strictObject({ schema: z.literal(1), checks: z.array(NamedCheck).min(1) });
export type CheckFile = z.infer<typeof CheckFile>;

/** One line on a leaf: what was expected, what was seen, and where. */
export const CheckEvidence = z.strictObject({
  where: z.string(),
  expected: z.string(),
  seen: z.string(),
  held: z.enum(['yes', 'no', 'missing']),
});
export type CheckEvidence = z.infer<typeof CheckEvidence>;

export const CheckResult = z.strictObject({ ok: z.boolean(), evidence: z.array(CheckEvidence).min(1) });
export type CheckResult = z.infer<typeof CheckResult>;

export const isLeaf = (check: Check): check is CheckLeaf => 'see' in check;

/** Leaves of a check in the order they are written. */
export function leavesOf(check: Check): CheckLeaf[] {
  if ('all' in check) return check.all.flatMap(leavesOf);
  if ('any' in check) return check.any.flatMap(leavesOf);
  if ('not' in check) return leavesOf(check.not);
  return [check];
}
