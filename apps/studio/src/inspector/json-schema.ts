import type { Json, JsonObject } from '@cua-forge/spec/json';
import { z } from 'zod';

/** The part of JSON Schema (draft 2020-12) that forms are drawn from; members are parsed when they are looked at. */
const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
});
export type Schema = z.infer<typeof Schema>;

const parsed = new WeakMap<object, Schema>();

/** Reads a schema and follows its reference into `root`; what is no schema is one that says nothing. */
export function schemaOf(value: unknown, root: unknown = value): Schema {
  if (typeof value !== 'object' || value === null) return {};
  let schema = parsed.get(value);
  if (schema === undefined) {
    const result = Schema.safeParse(value);
    schema = result.success ? result.data : {};
    parsed.set(value, schema);
  }
  if (schema.$ref === undefined) return schema;
  const target = schema.$ref
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .reduce<unknown>(
      (at, part) =>
        typeof at === 'object' && at !== null ? Object.entries(at).find(([key]) => key === part)?.[1] : undefined,
      root,
    );
  const { $ref: _, ...own } = schema;
  const found = Schema.safeParse(target);
  return found.success && found.data.$ref === undefined ? { ...found.data, ...own } : own;
}

export interface Variant {
  label: string;
  schema: Schema;
  /** The member and value that tell this variant from the others. */
  tag: { name: string; value: string };
}

/** How a value of a schema is edited. */
export type Widget =
  | { as: 'text' | 'boolean' | 'json' }
  | { as: 'number'; integer: boolean }
  | { as: 'enum'; values: string[] }
  | { as: 'object'; properties: [string, unknown][]; required: ReadonlySet<string> }
  | { as: 'record'; of: unknown }
  | { as: 'list'; of: unknown }
  | { as: 'variants'; tag: string; variants: Variant[] };

export function widgetOf(given: unknown, root: unknown): Widget {
  const schema = withoutNull(schemaOf(given, root), root);
  if (schema.enum?.every((value) => typeof value === 'string') === true)
    return { as: 'enum', values: schema.enum.map(String) };
  if (typeof schema.const === 'string') return { as: 'enum', values: [schema.const] };
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return variantsOf(choices, root) ?? { as: 'json' };
  switch (schema.type) {
    case 'string':
      return { as: 'text' };
    case 'boolean':
      return { as: 'boolean' };
    case 'number':
    case 'integer':
      return { as: 'number', integer: schema.type === 'integer' };
    case 'array':
      return typeof schema.items === 'object' && schema.items !== null && Object.keys(schema.items).length > 0
        ? { as: 'list', of: schema.items }
        : { as: 'json' };
    case 'object':
      if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) {
        return { as: 'object', properties: Object.entries(schema.properties), required: new Set(schema.required) };
      }
      return typeof schema.additionalProperties === 'object' &&
        schema.additionalProperties !== null &&
        Object.keys(schema.additionalProperties).length > 0
        ? { as: 'record', of: schema.additionalProperties }
        : { as: 'json' };
    default:
      return { as: 'json' };
  }
}

/** Whether the schema takes null besides what it is otherwise. */
export const takesNull = (schema: Schema): boolean =>
  (schema.anyOf ?? schema.oneOf ?? []).some((each) => schemaOf(each).type === 'null') ||
  (Array.isArray(schema.type) && schema.type.includes('null'));

function withoutNull(schema: Schema, root: unknown): Schema {
  const choices = schema.anyOf ?? schema.oneOf;
  const rest = choices?.filter((each) => schemaOf(each, root).type !== 'null');
  if (rest?.length === 1) return schemaOf(rest[0], root);
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.filter((type) => type !== 'null');
  return types.length === 1 && types[0] !== undefined ? { ...schema, type: types[0] } : schema;
}

function variantsOf(choices: readonly unknown[], root: unknown): Widget | undefined {
  const schemas = choices.map((choice) => schemaOf(choice, root));
  const names = Object.keys(schemas[0]?.properties ?? {});
  const tag = names.find((name) =>
    schemas.every((schema) => typeof schemaOf(schema.properties?.[name], root).const === 'string'),
  );
  if (tag === undefined) return undefined;
  const variants = schemas.map((schema) => {
    const value = String(schemaOf(schema.properties?.[tag], root).const);
    return { label: value, schema, tag: { name: tag, value } };
  });
  return { as: 'variants', tag, variants };
}

/** A first value for something that is added: the default, else the emptiest value of its kind. */
export function blankOf(given: unknown, root: unknown): Json {
  const schema = schemaOf(given, root);
  if (schema.default !== undefined) return asJson(schema.default);
  const widget = widgetOf(given, root);
  switch (widget.as) {
    case 'text':
      return '';
    case 'boolean':
      return false;
    case 'number':
      return schema.minimum ?? 0;
    case 'enum':
      return widget.values[0] ?? '';
    case 'list':
      return [];
    case 'record':
      return {};
    case 'json':
      return null;
    case 'object': {
      const blank: JsonObject = {};
      for (const [name, property] of widget.properties)
        if (widget.required.has(name)) blank[name] = blankOf(property, root);
      return blank;
    }
    case 'variants': {
      const [first] = widget.variants;
      return first === undefined ? {} : blankVariant(first, root);
    }
  }
}

export function blankVariant(variant: Variant, root: unknown): JsonObject {
  const blank: JsonObject = { [variant.tag.name]: variant.tag.value };
  for (const name of variant.schema.required ?? [])
    if (name !== variant.tag.name) blank[name] = blankOf(variant.schema.properties?.[name], root);
  return blank;
}

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));

/** Path of a member, the way findings write it: `a.b[0].c`. */
export const join = (path: string, part: string | number): string =>
  typeof part === 'number' ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`;

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
