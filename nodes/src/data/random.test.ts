import { describe, expect, it } from 'vitest';
import { randomFrom } from './random.ts';

describe('randomFrom', () => {
  it('spreads the first draw of neighbouring seeds evenly', () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 800; seed += 1) {
      const value = randomFrom(seed, 'palette').pick(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.values()].every((count) => count > 60 && count < 145)).toBe(true);
  });

  it('shuffles without loss, and takes subsets in their order', () => {
    const list = [1, 2, 3, 4, 5, 6, 7, 8];
    expect([...randomFrom(1, 'x').shuffle(list)].sort()).toEqual(list);
    const some = randomFrom(2, 'x').subset(list, 3);
    expect(some).toHaveLength(3);
    expect([...some].sort((a, b) => a - b)).toEqual(some);
  });

  it('never draws what has no weight', () => {
    for (let seed = 0; seed < 200; seed += 1) expect(randomFrom(seed, 'w').weighted([0, 1, 0])).toBe(1);
  });
});
