import { canonicalJson } from '@cua-forge/spec/canonical-json';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sameJson } from './same-json.ts';

it('agrees with the canonical text of both', () => {
  const small = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(small, small, (a, b) => {
      const [left, right] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))];
      expect(sameJson(left, right)).toBe(canonicalJson(left) === canonicalJson(right));
      expect(sameJson(left, structuredClone(left))).toBe(true);
    }),
  );
});

it('takes no account of order and of members that are undefined', () => {
  expect(sameJson({ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1, d: undefined })).toBe(true);
  expect(sameJson({ a: 1 }, { a: 1, b: null })).toBe(false);
  expect(sameJson([1], { 0: 1 })).toBe(false);
  expect(sameJson({ a: undefined }, { b: undefined })).toBe(true);
});
