import { z } from 'zod';
import { Look } from './check-look.ts';

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

/** How texts are made alike before they are compared: not at all, white space (also at the ends) made one space, and case as well. */
export const TextRule = z.enum(['exact', 'spaces', 'loose']);
export type TextRule = z.infer<typeof TextRule>;

const text = TextRule.default('spaces');
/** Largest distance of numbers that still counts as equal. */
const tolerance = z.number().min(0).optional();
/** Likewise as a share of the expected number. */
const relative = z.number().min(0).optional();

/** What has to be seen. Missing values, `null` and NaN equal nothing. */
export const Expectation = z.union([
  z.strictObject({ equals: Scalar, text, tolerance, relative }),
  /** An ISO day, with a tolerance in days. */
  z.strictObject({ day: z.iso.date(), days: z.number().int().min(0).default(0) }),
  z.strictObject({ atLeast: z.number().optional(), atMost: z.number().optional() }),
  z.strictObject({ contains: z.string().min(1), text }),
  z.strictObject({ matches: z.string().min(1).max(1_000), ignoreCase: z.boolean().default(false) }),
  z.strictObject({ oneOf: z.array(Scalar).min(1), text, tolerance }),
  z.strictObject({ present: z.literal(true) }),
  /** Nothing is at the place; the file that it is in has to be there. */
  z.strictObject({ absent: z.literal(true) }),
  /** A list with these members; `null` stands for a member without a value. */
  z.strictObject({ list: z.array(Scalar.nullable()), ordered: z.boolean().default(true), text, tolerance, relative }),
  z.strictObject({ includes: z.array(Scalar).min(1), text, tolerance }),
  z.strictObject({ excludes: z.array(Scalar).min(1), text, tolerance }),
  z.strictObject({
    count: z.strictObject({ atLeast: z.number().int().min(0).optional(), atMost: z.number().int().min(0).optional() }),
  }),
  /** The same as is seen at another place: another file, or a hidden reference. */
  z.strictObject({ same: Look, ordered: z.boolean().default(true), text, tolerance, relative }),
  /** Pixels of a picture: channels may differ by `channel` (of 255), and `share` of the pixels by more than that. */
  z.strictObject({
    looksLike: Look,
    channel: z.number().int().min(0).default(8),
    share: z.number().min(0).default(0.01),
  }),
]);
export type Expectation = z.infer<typeof Expectation>;

/** A text as a rule compares it. */
export function comparable(value: string, rule: TextRule): string {
  if (rule === 'exact') return value;
  const spaced = value.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  return rule === 'loose' ? spaced.toLowerCase() : spaced;
}

/** What is expected, in words. */
export function expectationText(expected: Expectation): string {
  const rule = Object.entries(expected).filter(
    ([name, value]) => value !== undefined && name !== 'text' && name !== 'ordered',
  );
  return rule
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ')
    .slice(0, 400);
}
