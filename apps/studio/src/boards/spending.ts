import type { SpendingPoint } from '@cua-forge/spec/costs';

export interface Spending {
  /** Epoch seconds. */
  times: number[];
  tokens: number[];
  usd: number[];
  /** Calls that used tokens and have no price: they are in no sum of dollars. */
  unpriced: number;
}

/** Sums up to the end of each stretch, from nothing at the beginning on. */
export function summed(points: readonly SpendingPoint[], from: number): Spending {
  const spending: Spending = { times: [from / 1000], tokens: [0], usd: [0], unpriced: 0 };
  for (const point of points) {
    spending.times.push(point.at / 1000);
    spending.tokens.push((spending.tokens.at(-1) ?? 0) + point.tokens);
    spending.usd.push((spending.usd.at(-1) ?? 0) + point.usd);
    spending.unpriced += point.unpricedCalls;
  }
  return spending;
}
