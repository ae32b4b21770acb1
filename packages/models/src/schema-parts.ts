import type { Json, JsonObject } from '@cua-forge/spec/json';

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
export const numberOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** What a reference such as `#/$defs/money` points at; undefined when it is not in this schema. */
export function schemaAt(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  let at: Json | undefined = root;
  for (const part of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) ? at[name] : Array.isArray(at) ? at[Number(name)] : undefined;
  }
  return at;
}

/** One schema that asks for all that the parts ask for, as far as plain keywords go; the caller validates the sample. */
export function merged(parts: readonly Json[]): JsonObject {
  const result: JsonObject = {};
  for (const part of parts.filter(isObject)) {
    for (const [key, member] of Object.entries(part)) {
      const present = result[key];
      if (key === 'properties' && isObject(present) && isObject(member)) result[key] = { ...present, ...member };
      else if (key === 'required') result[key] = [...new Set([...listOf(present), ...listOf(member)])];
      else result[key] = member;
    }
  }
  return result;
}
