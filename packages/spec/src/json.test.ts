import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Json, JsonObject } from './json.ts';

const within = (depth: number): Json => {
  let value: Json = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { in: value };
  return value;
};

describe('Json', () => {
  it('takes whatever JSON can say', () => {
    for (const value of ['', 0, -1.5, true, null, [], {}, [1, ['a', null]], { a: { b: [{ c: false }] } }])
      expect(Json.parse(value)).toEqual(value);
  });

  it('refuses what it cannot, wherever that lies', () => {
    const wrong = [undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, Symbol('s'), () => 1, new Date(), new Map()];
    for (const value of wrong) {
      expect(Json.safeParse(value).success).toBe(false);
      expect(Json.safeParse([1, { a: [value] }]).success).toBe(false);
    }
    expect(() => Json.parse(undefined)).toThrow('expected JSON');
  });

  it('refuses what lies too deep, instead of failing at it', () => {
    expect(Json.safeParse(within(1_000)).success).toBe(true);
    expect(Json.safeParse(within(1_001)).success).toBe(false);
    expect(Json.safeParse(within(200_000)).success).toBe(false);
  });

  it('drops members that would become a prototype, and nothing else', () => {
    const parsed = Json.parse(JSON.parse('{"a": [{"__proto__": {"admin": true}, "b": 1}], "__proto__": 2}'));
    expect(JSON.stringify(parsed)).toBe('{"a":[{"b":1}]}');
    expect(Json.safeParse(JSON.parse('{"__proto__": 1, "a": 1e999}')).success).toBe(false);
  });

  it('of an object says which member is wrong', () => {
    const { error } = JsonObject.safeParse({ good: 1, bad: { worse: undefined } });
    expect(error?.issues.map(({ path }) => path)).toEqual([['bad']]);
    expect(JsonObject.safeParse([]).success).toBe(false);
  });

  it('is any value in JSON Schema', () => {
    expect(z.toJSONSchema(z.strictObject({ any: Json }), { io: 'input' }).properties).toEqual({ any: {} });
  });
});
