import { expect, it } from 'vitest';
import { acceptanceBounds } from './acceptance-bounds.ts';

it('bounds a share as tables of the score interval do', () => {
  expect(acceptanceBounds(0, 0)).toBeNull();
  const [low, high] = acceptanceBounds(8, 10) ?? [];
  expect(low).toBeCloseTo(0.4902, 4);
  expect(high).toBeCloseTo(0.9433, 4);
  expect(acceptanceBounds(0, 10)?.[0]).toBe(0);
  expect(acceptanceBounds(0, 10)?.[1]).toBeCloseTo(0.2775, 4);
  expect(acceptanceBounds(10, 10)?.[1]).toBeCloseTo(1, 12);
});
