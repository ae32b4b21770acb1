import { expect, it } from 'vitest';
import { summed } from './spending.ts';

it('adds up what each stretch of time cost', () => {
  const point = (at: number, tokens: number, usd: number, unpricedCalls = 0) => ({
    at,
    calls: 1,
    tokens,
    usd,
    unpricedCalls,
  });
  expect(summed([point(2_000, 10, 0.5), point(5_000, 30, 0.25, 2)], 1_000)).toEqual({
    times: [1, 2, 5],
    tokens: [0, 10, 40],
    usd: [0, 0.5, 0.75],
    unpriced: 2,
  });
  expect(summed([], 1_000)).toEqual({ times: [1], tokens: [0], usd: [0], unpriced: 0 });
});
