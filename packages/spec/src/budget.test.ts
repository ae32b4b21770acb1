import { expect, it } from 'vitest';
import { Budget, exhaustion, nothingSpent } from './budget.ts';

const budget = (given: object) => Budget.parse(given);

it('bounds nothing that it does not name', () => {
  expect(exhaustion(budget({}), { usd: 1e6, tokens: 1e9, unpriced: 3 })).toBeNull();
  expect(exhaustion(budget({ tokens: 10 }), { ...nothingSpent, usd: 5, unpriced: 1 })).toBeNull();
});

it('is used up when the bound is reached, not before', () => {
  expect(exhaustion(budget({ tokens: 10 }), { ...nothingSpent, tokens: 9 })).toBeNull();
  expect(exhaustion(budget({ tokens: 10 }), { ...nothingSpent, tokens: 10 })).toBe('10 tokens of 10 are used.');
  expect(exhaustion(budget({ usd: 0.5 }), { ...nothingSpent, usd: 0.49 })).toBeNull();
  expect(exhaustion(budget({ usd: 0.5 }), { ...nothingSpent, usd: 0.5 })).toContain('$0.5000 of $0.5000');
});

it('in dollars stops at calls whose price nobody knows', () => {
  expect(exhaustion(budget({ usd: 1 }), { usd: 0, tokens: 5, unpriced: 1 })).toContain('No price is known');
});

it('is a positive number', () => {
  for (const wrong of [{ usd: 0 }, { usd: -1 }, { tokens: 0 }, { tokens: 1.5 }, { euros: 1 }])
    expect(Budget.safeParse(wrong).success).toBe(false);
});
