import { ForgeError } from '@cua-forge/spec/errors';
import { Json, JsonObject } from '@cua-forge/spec/json';
import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { check, verdictOf } from '../evidence.ts';

/** Check that a keyword of JSON Schema belongs to; all others are “all else holds”. */
const checkOf: Record<string, string> = {
  required: 'required members are there',
  dependentRequired: 'required members are there',
  additionalProperties: 'no other members',
  unevaluatedProperties: 'no other members',
  propertyNames: 'no other members',
  type: 'types are right',
  enum: 'values are among the choices',
  const: 'values are among the choices',
  ...Object.fromEntries(
    [
      'minimum',
      'maximum',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'multipleOf',
      'minLength',
      'maxLength',
      'pattern',
      'format',
      'minItems',
      'maxItems',
      'uniqueItems',
      'minProperties',
      'maxProperties',
    ].map((keyword) => [keyword, 'values are within bounds']),
  ),
};
const other = 'all else holds';

/** @throws ForgeError `params.invalid` when the schema itself is wrong */
function compile(schema: JsonObject): ValidateFunction {
  try {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    return ajv.compile(schema);
  } catch (cause) {
    throw new ForgeError(
      'params.invalid',
      `The JSON Schema is not valid: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        fix: 'Correct the param schema (JSON Schema, draft 2020-12).',
        cause,
      },
    );
  }
}

function inWords({ instancePath, keyword, message, params }: ErrorObject): string {
  const place = instancePath === '' ? 'the value' : instancePath;
  const more =
    keyword === 'additionalProperties'
      ? ` (${String(params.additionalProperty)})`
      : keyword === 'enum'
        ? `: ${JSON.stringify(params.allowedValues)}`
        : '';
  return `${place} ${message ?? keyword}${more}`;
}

/** Sends a value back that does not fit a JSON Schema. */
export const schema = defineKind({
  id: 'gate.schema',
  version: 1,
  title: 'Value fits its schema',
  doc: 'Checks a JSON value against a JSON Schema, formats such as dates included.',
  params: z.strictObject({ schema: JsonObject.describe('JSON Schema, draft 2020-12.') }),
  inputs: { value: input('any', Json, 'The value.') },
  outputs: {
    verdict: output('json', Verdict, 'What does not fit, and where.'),
    value: output('any', Json, 'The value, when it fits.'),
  },
  policy: policies.cheap,
  gate: true,
  example: {
    params: { schema: { type: 'object', properties: { due: { type: 'string', format: 'date' } }, required: ['due'] } },
    inputs: { value: { due: '2025-03-04' } },
  },
  async execute({ params, inputs: { value } }) {
    const validate = compile(params.schema);
    const errors = validate(value) ? [] : (validate.errors ?? []);
    const names = [...new Set(Object.values(checkOf)), other];
    const verdict = verdictOf(
      names.map((name) =>
        check(
          name,
          errors.filter(({ keyword }) => (checkOf[keyword] ?? other) === name).map(inWords),
          'nothing is against it',
          (problem) => `Correct this: ${problem}.`,
        ),
      ),
    );
    return verdict.verdict === 'pass' ? { verdict, value } : { verdict };
  },
});
