import type { Usage } from '@cua-forge/spec/model-port';
import { z } from 'zod';
import shipped from '../prices.json' with { type: 'json' };

/** List price of a model in US dollars per million tokens, valid from a day (UTC) until the model's next entry. */
export const Price = z.strictObject({
  model: z.string().min(1),
  from: z.iso.date(),
  inputPerMillion: z.number().nonnegative(),
  cachedPerMillion: z.number().nonnegative(),
  outputPerMillion: z.number().nonnegative(),
});
export type Price = z.infer<typeof Price>;

/** List prices of the official OpenAI address; other servers have prices of their own. */
export const openAiPrices: readonly Price[] = z.array(Price).parse(shipped);

const snapshot = /-\d{4}-\d{2}-\d{2}$/;

/** Price that held for a model (or the dated snapshot of one) at a time in epoch milliseconds; null when none is known. */
export function priceAt(prices: readonly Price[], model: string, at: number): Price | null {
  const day = new Date(at).toISOString().slice(0, 10);
  const named = (name: string) =>
    prices
      .filter((price) => price.model === name && price.from <= day)
      .reduce<Price | null>((a, b) => (a !== null && a.from > b.from ? a : b), null);
  return named(model) ?? named(model.replace(snapshot, ''));
}

/** US dollars of a call; null when the price is unknown. */
export function costOf(price: Price | null, usage: Usage): number | null {
  if (price === null) return null;
  const fresh = usage.input - usage.cached;
  return (
    (fresh * price.inputPerMillion + usage.cached * price.cachedPerMillion + usage.output * price.outputPerMillion) /
    1_000_000
  );
}
