import { ForgeError } from '@cua-forge/spec/errors';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Random, seededRandom } from './random.ts';
import { isObject, listOf, merged, numberOf, schemaAt } from './schema-parts.ts';
import { words } from './words.ts';

const maxDepth = 12;
const tries = 20;

/**
 * A made-up value that satisfies a JSON Schema (draft 2020-12), the same for the same seed.
 * @throws ForgeError `model.bad-output` when the schema asks for something that cannot be made up, such as a pattern
 */
export function sampleSchema(schema: JsonObject, seed: number): Json {
  const validate = validatorOf(schema);
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const value = new Sampler(schema, seededRandom(seed + attempt * 7919)).value(schema, '', 0);
    if (validate(value)) return value;
  }
  throw cannot('', 'a value that meets all of its rules');
}

const validators = new WeakMap<JsonObject, ValidateFunction>();

function validatorOf(schema: JsonObject): ValidateFunction {
  const present = validators.get(schema);
  if (present !== undefined) return present;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  validators.set(schema, validate);
  return validate;
}

const cannot = (place: string, what: string) =>
  new ForgeError(
    'model.bad-output',
    `The rehearsal provider cannot make up ${what} for the schema at ${place || '/'}.`,
    {
      fix: 'Give the node examples; the rehearsal provider answers from them.',
    },
  );

class Sampler {
  readonly #root: JsonObject;
  readonly #random: Random;

  constructor(root: JsonObject, random: Random) {
    this.#root = root;
    this.#random = random;
  }

  value(given: Json | undefined, place: string, depth: number): Json {
    if (depth > maxDepth) throw cannot(place, 'a value that ends');
    if (!isObject(given)) return this.#random.pick(words);
    const schema = this.#resolved(given, place, depth);
    if ('const' in schema) return schema.const ?? null;
    if (Array.isArray(schema.enum)) return this.#random.pick(schema.enum);
    const choices = listOf(schema.oneOf).length > 0 ? listOf(schema.oneOf) : listOf(schema.anyOf);
    if (choices.length > 0) {
      const { oneOf: _one, anyOf: _any, ...rest } = schema;
      return this.value(merged([rest, this.#random.pick(choices)]), place, depth + 1);
    }
    return this.#typed(schema, place, depth);
  }

  #resolved(schema: JsonObject, place: string, depth: number): JsonObject {
    const reference = schema.$ref;
    if (typeof reference === 'string') {
      const { $ref: _ref, ...rest } = schema;
      return this.#resolved(merged([this.#target(reference, place), rest]), place, this.#deeper(depth, place));
    }
    const parts = listOf(schema.allOf);
    if (parts.length === 0) return schema;
    const { allOf: _all, ...rest } = schema;
    return this.#resolved(merged([rest, ...parts]), place, this.#deeper(depth, place));
  }

  #deeper(depth: number, place: string): number {
    if (depth > maxDepth) throw cannot(place, 'a value that ends');
    return depth + 1;
  }

  #target(reference: string, place: string): Json {
    const at = schemaAt(this.#root, reference);
    if (at === undefined) throw cannot(place, `what ${reference} refers to`);
    return at;
  }

  #typed(schema: JsonObject, place: string, depth: number): Json {
    const type = Array.isArray(schema.type) ? this.#random.pick(schema.type) : (schema.type ?? impliedType(schema));
    switch (type) {
      case 'object':
        return this.#object(schema, place, depth);
      case 'array':
        return this.#array(schema, place, depth);
      case 'integer':
        return this.#number(schema, place, numberOf(schema.multipleOf) ?? 1);
      case 'number':
        return this.#number(schema, place, numberOf(schema.multipleOf) ?? 0.01);
      case 'boolean':
        return this.#random.integer(0, 1) === 1;
      case 'null':
        return null;
      default:
        return this.#string(schema, place);
    }
  }

  #object(schema: JsonObject, place: string, depth: number): JsonObject {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required = new Set(listOf(schema.required).filter((name) => typeof name === 'string'));
    const result: JsonObject = {};
    for (const name of new Set([...Object.keys(properties), ...required])) {
      const optional = !required.has(name);
      if (optional && (depth > maxDepth / 2 || this.#random.integer(0, 1) === 0)) continue;
      result[name] = this.value(properties[name], `${place}/${name}`, depth + 1);
    }
    return result;
  }

  #array(schema: JsonObject, place: string, depth: number): Json[] {
    const first = listOf(schema.prefixItems);
    const least = Math.max(numberOf(schema.minItems) ?? (depth > maxDepth / 2 ? 0 : 1), first.length);
    const most =
      depth > maxDepth / 2 ? least : Math.max(least, Math.min(numberOf(schema.maxItems) ?? least + 3, least + 3));
    const result: Json[] = first.map((part, index) => this.value(part, `${place}/${index}`, depth + 1));
    const length = this.#random.integer(least, most);
    const seen = new Set(result.map((member) => JSON.stringify(member)));
    for (let tried = 0; result.length < length && tried < length * 10 && schema.items !== false; tried += 1) {
      const member = this.value(schema.items, `${place}/${result.length}`, depth + 1);
      const text = JSON.stringify(member);
      if (schema.uniqueItems === true && seen.has(text)) continue;
      seen.add(text);
      result.push(member);
    }
    return result;
  }

  #number(schema: JsonObject, place: string, step: number): number {
    const above = numberOf(schema.exclusiveMinimum);
    const below = numberOf(schema.exclusiveMaximum);
    const low = above === undefined ? numberOf(schema.minimum) : above + step;
    const high = below === undefined ? numberOf(schema.maximum) : below - step;
    const from = Math.ceil((low ?? Math.min(0, high ?? 0)) / step - 1e-9);
    const to = Math.floor((high ?? (low ?? 0) + 100 * step) / step + 1e-9);
    if (from > to) throw cannot(place, 'a number between the bounds');
    return Number((this.#random.integer(from, Math.min(to, from + 2 ** 31)) * step).toPrecision(12));
  }

  #string(schema: JsonObject, place: string): string {
    if (schema.pattern !== undefined) throw cannot(place, 'a text that follows a pattern');
    const formatted = this.#formatted(schema.format);
    if (formatted !== undefined) return formatted;
    const least = numberOf(schema.minLength) ?? 1;
    const most = Math.max(numberOf(schema.maxLength) ?? Number.POSITIVE_INFINITY, 0);
    let text = this.#random.pick(words);
    while (text.length < least || (text.length < 12 && text.length + 10 <= most && this.#random.integer(0, 2) > 0)) {
      text = `${text} ${this.#random.pick(words)}`;
    }
    return text.length > most ? text.slice(0, most) : text;
  }

  #formatted(format: Json | undefined): string | undefined {
    const day = () => new Date(Date.UTC(2024, 0, 1 + this.#random.integer(0, 700))).toISOString();
    if (format === 'date') return day().slice(0, 10);
    if (format === 'date-time') return day();
    if (format === 'time') return '09:30:00Z';
    if (format === 'email') return `${this.#random.pick(words)}@example.org`;
    if (format === 'uri') return `https://example.org/${this.#random.pick(words)}`;
    return undefined;
  }
}

function impliedType(schema: JsonObject): string {
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  if (schema.minimum !== undefined || schema.maximum !== undefined) return 'number';
  return 'string';
}
