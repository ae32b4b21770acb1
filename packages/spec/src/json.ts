import { z } from 'zod';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Lists and objects within one another, beyond which a value is refused: what walks through it must not run out of stack. */
const DEEPEST = 1_000;

/** Any JSON value. Values are looked at without a schema for each of their parts: most of what is parsed is this. */
export const Json: z.ZodType<Json> = z.any().refine((value) => isJson(value, 0), {
  error: `expected JSON (text, finite numbers, true, false, null, lists and objects of them, at most ${DEEPEST} within one another)`,
});
export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), Json);

function isJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      if (depth >= DEEPEST) return false;
      if (Array.isArray(value)) return value.every((member) => isJson(member, depth + 1));
      // A member of that name would become something's prototype where members are copied.
      if (!z.core.util.isPlainObject(value) || Object.hasOwn(value, '__proto__')) return false;
      return Object.values(value).every((member) => isJson(member, depth + 1));
    default:
      return false;
  }
}
