import type { Json, JsonObject } from '@cua-forge/spec/json';
import { isObject, listOf, merged, numberOf, schemaAt } from '../schema-parts.ts';

const maxDepth = 8;
/** Characters of a text whose schema sets no limit: a small model may never end one by itself. */
const longestText = 400;
const anything: JsonObject = { type: ['string', 'number', 'boolean', 'null'] };

/**
 * The part of a JSON Schema that constrained decoding can keep to: types, members, choices, lengths, counts. Bounds of numbers and
 * patterns are left out, and every member is asked for; the answer is validated against the whole schema afterwards.
 */
export function grammarSchema(schema: JsonObject): JsonObject {
  const root = schema;

  function part(given: Json | undefined, depth: number): JsonObject {
    if (!isObject(given) || depth > maxDepth) return anything;
    const one = flat(given, depth);
    if ('const' in one) return isPlain(one.const) ? { const: one.const } : anything;
    if (Array.isArray(one.enum)) return { enum: one.enum.filter(isPlain) };
    const choices = listOf(one.oneOf).length > 0 ? listOf(one.oneOf) : listOf(one.anyOf);
    if (choices.length > 0) {
      const { oneOf: _one, anyOf: _any, ...rest } = one;
      return { oneOf: choices.map((choice) => part(merged([rest, choice]), depth + 1)) };
    }
    if (Array.isArray(one.type)) return { oneOf: one.type.map((type) => part({ ...one, type }, depth + 1)) };
    return typed(one, depth);
  }

  /** References and `allOf` resolved. */
  function flat(given: JsonObject, depth: number): JsonObject {
    if (depth > maxDepth) return given;
    if (typeof given.$ref === 'string') {
      const { $ref, ...rest } = given;
      return flat(merged([schemaAt(root, given.$ref) ?? {}, rest]), depth + 1);
    }
    const parts = listOf(given.allOf);
    if (parts.length === 0) return given;
    const { allOf: _all, ...rest } = given;
    return flat(merged([rest, ...parts.map((one) => (isObject(one) ? flat(one, depth + 1) : one))]), depth + 1);
  }

  function typed(one: JsonObject, depth: number): JsonObject {
    const type = one.type ?? impliedType(one);
    if (type === 'object') return object(one, depth);
    if (type === 'array') return array(one, depth);
    if (type === 'string') return text(one);
    return type === 'number' || type === 'integer' || type === 'boolean' || type === 'null' ? { type } : anything;
  }

  function object(one: JsonObject, depth: number): JsonObject {
    const members = isObject(one.properties) ? Object.entries(one.properties) : [];
    const others = one.additionalProperties;
    return {
      type: 'object',
      properties: Object.fromEntries(members.map(([name, member]) => [name, part(member, depth + 1)])),
      ...(isObject(others) ? { additionalProperties: part(others, depth + 1) } : {}),
      ...(members.length === 0 && others === undefined ? { additionalProperties: anything } : {}),
    };
  }

  function array(one: JsonObject, depth: number): JsonObject {
    const first = listOf(one.prefixItems);
    const [least, most] = [numberOf(one.minItems), numberOf(one.maxItems)];
    return {
      type: 'array',
      ...(first.length === 0 ? {} : { prefixItems: first.map((member) => part(member, depth + 1)) }),
      ...(one.items === false ? {} : { items: part(one.items, depth + 1) }),
      ...(least === undefined ? {} : { minItems: least }),
      ...(most === undefined ? {} : { maxItems: most }),
    };
  }

  return part(schema, 0);
}

const isPlain = (value: Json | undefined): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

function text(one: JsonObject): JsonObject {
  const { format } = one;
  if (format === 'date' || format === 'time' || format === 'date-time') return { type: 'string', format };
  const least = numberOf(one.minLength) ?? 0;
  const most = Math.max(least, Math.min(numberOf(one.maxLength) ?? longestText, longestText));
  return { type: 'string', ...(least === 0 ? {} : { minLength: least }), maxLength: most };
}

function impliedType(one: JsonObject): string {
  if (one.properties !== undefined || one.required !== undefined) return 'object';
  if (one.items !== undefined || one.prefixItems !== undefined) return 'array';
  return one.minLength !== undefined || one.maxLength !== undefined || one.pattern !== undefined ? 'string' : '';
}
