import { afterEach, expect, it, vi } from 'vitest';
import { movement } from './motion.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  [false, { duration: 200 }],
  [true, {}],
])('a movement takes its time, unless less motion is wished for (%s)', (matches, expected) => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('reduce') && matches }));
  expect(movement(200)).toEqual(expected);
});
