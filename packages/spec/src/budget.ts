import { z } from 'zod';

/** Most that a run, or all runs of a batch together, may spend on model calls. Null: no bound. */
export const Budget = z.strictObject({
  /** US dollars. */
  usd: z.number().positive().nullable().default(null),
  /** Tokens read and written, cached ones included. */
  tokens: z.number().int().positive().nullable().default(null),
});
export type Budget = z.infer<typeof Budget>;

export const Spent = z.strictObject({
  usd: z.number().nonnegative(),
  tokens: z.number().int().nonnegative(),
  /** Calls that used tokens and have no known price: `usd` is too low by theirs. */
  unpriced: z.number().int().nonnegative(),
});
export type Spent = z.infer<typeof Spent>;

export const nothingSpent: Spent = { usd: 0, tokens: 0, unpriced: 0 };

const dollars = (usd: number): string => `$${usd.toFixed(4)}`;

/** Why nothing more may be spent; null while something may. A bound in dollars that cannot be checked, since a price is unknown, counts as reached. */
export function exhaustion(budget: Budget, spent: Spent): string | null {
  if (budget.tokens !== null && spent.tokens >= budget.tokens)
    return `${spent.tokens} tokens of ${budget.tokens} are used.`;
  if (budget.usd === null) return null;
  if (spent.unpriced > 0)
    return `No price is known for ${spent.unpriced} of its calls, so that ${dollars(budget.usd)} cannot be kept to.`;
  return spent.usd >= budget.usd ? `${dollars(spent.usd)} of ${dollars(budget.usd)} are spent.` : null;
}
