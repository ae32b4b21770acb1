import { describe, expect, it } from 'vitest';
import { dotsApart, offsetOf } from './dots.ts';

describe('the dotted ground', () => {
  it('has the dots of the grid, and fewer of them from afar', () => {
    expect(dotsApart(1)).toBe(20);
    expect(dotsApart(2)).toBe(40);
    expect(dotsApart(0.5)).toBe(20);
    expect(dotsApart(0.05)).toBe(16);
  });

  it('has a dot where the canvas has its origin, and covers the canvas', () => {
    for (const origin of [0, 7, 19.5, -3, 1_234.25, -987]) {
      const offset = offsetOf(origin, 20);
      expect(offset).toBeGreaterThanOrEqual(0);
      expect(offset).toBeLessThan(20);
      // The ground begins 20 pixels outside, and its first dot is 10 further.
      expect((((offset - 10 - origin) % 20) + 20) % 20).toBe(0);
    }
  });
});
