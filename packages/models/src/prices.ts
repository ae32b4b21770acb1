import type { Usage } from '@cua-forge/spec/model-port';
import { z } from 'zod';
import shipped from '../prices.json' with { type: 'json' };

/** Providers that cost something, or may. */
export const PricedProvider = z.enum(['openai', 'anthropic', 'local']);
export type PricedProvider = z.infer<typeof PricedProvider>;

/** Price of a model in US dollars per million tokens, from a day (UTC) on until the model's next entry. */
export const Price = z.strictObject({
  provider: PricedProvider,
  /** Host name the price is for; left out, the provider's official one. Use it for a server or a gateway of your own. */
  host: z.string().min(1).optional(),
  model: z.string().min(1),
  validFrom: z.iso.date(),
  input: z.number().nonnegative(),
  /** Input that was read from the provider's cache. */
  cached: z.number().nonnegative(),
  /** Input that was written into the provider's cache; left out, it costs what other input costs. */
  cacheWrite: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
});
export type Price = z.infer<typeof Price>;
export const PriceList = z.array(Price);

/** The providers' list prices that the project knows. */
export const listPrices: readonly Price[] = PriceList.parse(shipped);

export const officialHosts = { openai: 'api.openai.com', anthropic: 'api.anthropic.com', local: '' } as const;

/** Who is asked for what, and when (epoch milliseconds). */
export interface PricedCall {
  provider: PricedProvider;
  /** Host name without port; empty for a model in this process. */
  host: string;
  model: string;
  at: number;
}

/** Days of snapshots: `gpt-5-2025-08-07`, `claude-sonnet-4-5-20250929`; and the name of the newest one. */
const snapshot = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;

/**
 * Price that held for a model, or for the model that a dated snapshot is of; null when none is known. Of two entries for one day the
 * first one counts.
 */
export function priceOf(prices: readonly Price[], { provider, host, model, at }: PricedCall): Price | null {
  const day = new Date(at).toISOString().slice(0, 10);
  const named = (name: string) =>
    prices
      .filter((price) => price.provider === provider && (price.host ?? officialHosts[provider]) === host)
      .filter((price) => price.model === name && price.validFrom <= day)
      .reduce<Price | null>((best, price) => (best !== null && best.validFrom >= price.validFrom ? best : price), null);
  return named(model) ?? named(model.replace(snapshot, ''));
}

/**
 * A user's own prices before the shipped ones. Their entries for a model replace all shipped ones of the same provider, host and model.
 */
export function withOwnPrices(own: readonly Price[], known: readonly Price[] = listPrices): Price[] {
  const nameOf = ({ provider, host, model }: Price) =>
    JSON.stringify([provider, host ?? officialHosts[provider], model]);
  const replaced = new Set(own.map(nameOf));
  return [...own, ...known.filter((price) => !replaced.has(nameOf(price)))];
}

/** US dollars of a call; null when the price is unknown. */
export function costOf(price: Price | null, usage: Usage): number | null {
  if (price === null) return null;
  const written = usage.cacheWrite ?? 0;
  const fresh = usage.input - usage.cached - written;
  return (
    (fresh * price.input +
      usage.cached * price.cached +
      written * (price.cacheWrite ?? price.input) +
      usage.output * price.output) /
    1_000_000
  );
}
