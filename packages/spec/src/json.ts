import { z } from 'zod';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Lists and objects within one another, beyond which a value is refused: what walks through it must not run out of stack. */
const DEEPEST = 1_000;
const EXPECTED = `expected JSON (text, finite numbers, true, false, null, lists and objects of them, at most ${DEEPEST} within one another)`;

/**
 * Any JSON value. Values are looked at without a schema for each of their parts: most of what is parsed is this. Members that would become a prototype where
 * members are copied are dropped.
 */
export const Json: z.ZodType<Json> = z.any().check((payload) => {
  const seen = look(payload.value, 0);
  if (seen === 'wrong') payload.issues.push({ code: 'custom', message: EXPECTED, input: payload.value });
  if (seen === 'prototype') payload.value = withoutPrototypes(payload.value);
});
export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), Json);

type Seen = 'json' | 'prototype' | 'wrong';

/** What a value is: `prototype` for JSON with a member of that name somewhere in it. */
function look(value: unknown, depth: number): Seen {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return 'json';
    case 'number':
      return Number.isFinite(value) ? 'json' : 'wrong';
    case 'object': {
      if (value === null) return 'json';
      if (depth >= DEEPEST) return 'wrong';
      const isList = Array.isArray(value);
      if (!isList && !z.core.util.isPlainObject(value)) return 'wrong';
      let seen: Seen = !isList && Object.hasOwn(value, '__proto__') ? 'prototype' : 'json';
      for (const member of isList ? value : Object.values(value)) {
        const found = look(member, depth + 1);
        if (found === 'wrong') return 'wrong';
        if (found === 'prototype') seen = 'prototype';
      }
      return seen;
    }
    default:
      return 'wrong';
  }
}

const withoutPrototypes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, member: unknown) => (key === '__proto__' ? undefined : member));
