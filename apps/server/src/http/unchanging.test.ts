import { describe, expect, it } from 'vitest';
import { keptJson, unchanging } from './unchanging.ts';

describe('an answer that does not change', () => {
  it('is written once for each form, and anew for another object', () => {
    let made = 0;
    const make = (): unknown => {
      made += 1;
      return { made };
    };
    const answer = unchanging({ a: 1 });
    expect(keptJson(answer, 'whole', make)?.toString()).toBe('{"made":1}');
    expect(keptJson(unchanging(answer), 'whole', make)?.toString()).toBe('{"made":1}');
    expect(keptJson(answer, 'masked', make)?.toString()).toBe('{"made":2}');
    expect(keptJson(unchanging({ a: 1 }), 'whole', make)?.toString()).toBe('{"made":3}');
  });

  it('is only one that was marked', () => {
    for (const answer of [{ a: 1 }, null, undefined, 'text']) expect(keptJson(answer, 'whole', () => 0)).toBeNull();
  });
});
