import { describe, expect, it } from 'vitest';
import { bytes, count, duration, money } from './format.ts';

describe('formats', () => {
  it('durations read naturally at every size', () => {
    expect([40, 1_400, 12_000, 185_000, 7_440_000].map(duration)).toEqual([
      '40 ms',
      '1.4 s',
      '12 s',
      '3 min 5 s',
      '2 h 4 min',
    ]);
  });
  it('sizes, counts and money', () => {
    expect([12, 2048, 3 * 1024 * 1024].map(bytes)).toEqual(['12 B', '2.0 KB', '3.0 MB']);
    expect([840, 12_400, 1_200_000].map(count)).toEqual(['840', '12.4k', '1.2M']);
    expect([null, 0, 0.0021, 1.5].map(money)).toEqual(['price unknown', '$0', '$0.0021', '$1.50']);
  });
});
