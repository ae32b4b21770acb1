import { describe, expect, it } from 'vitest';
import { ArtifactCache } from './artifact-cache.ts';

describe('ArtifactCache', () => {
  it('forgets what was used longest ago once its budget is spent', () => {
    const cache = new ArtifactCache(100);
    for (const name of ['a', 'b', 'c', 'd']) cache.set(name, new Uint8Array(25));
    cache.get('a');
    cache.set('e', new Uint8Array(25));
    cache.set('f', new Uint8Array(1));
    const held = ['a', 'b', 'c', 'd', 'e', 'f'].filter((name) => cache.get(name) !== null);
    expect(held).toEqual(['a', 'd', 'e', 'f']);
  });

  it('keeps nothing that would push most others out', () => {
    const cache = new ArtifactCache(100);
    cache.set('large', new Uint8Array(26));
    expect(cache.get('large')).toBeNull();
  });

  it('hands out copies', () => {
    const cache = new ArtifactCache(100);
    const bytes = Uint8Array.of(1, 2, 3);
    cache.set('a', bytes);
    bytes[0] = 9;
    cache.get('a')?.fill(0);
    expect(cache.get('a')).toEqual(Uint8Array.of(1, 2, 3));
  });
});
