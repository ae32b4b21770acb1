import { ForgeError } from '@cua-forge/spec/errors';
import { Json, type JsonObject } from '@cua-forge/spec/json';
import type { ModelPort, ModelRequest } from '@cua-forge/spec/model-port';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface StructuredQuestion {
  models: ModelPort;
  signal: AbortSignal;
  request: ModelRequest & { schema: JsonObject };
  /** Further rules on a value that fits the schema; each answer is a problem in words for the model. */
  check?: (value: Json) => string[];
}

/**
 * Asks for a JSON value under a schema: constrained where the provider can, always validated, with one corrective retry
 * that shows the model what was wrong.
 * @throws ForgeError `params.invalid` for a broken schema, `model.bad-output`, and what the port throws
 */
export async function askForJson({ models, signal, request, check }: StructuredQuestion): Promise<Json> {
  const validate = compileSchema(request.schema);
  const first = await models.complete(request, signal);
  const tried = judge(first, validate, check);
  if (tried.problems.length === 0) return tried.value;
  const corrected = await models.complete(
    {
      ...request,
      seed: (request.seed + 1) | 0,
      messages: [
        ...request.messages,
        { role: 'assistant', content: first.text },
        {
          role: 'user',
          content: `That answer cannot be used:\n${bullets(tried.problems)}\nAnswer again with corrected JSON alone.`,
        },
      ],
    },
    signal,
  );
  const again = judge(corrected, validate, check);
  if (again.problems.length === 0) return again.value;
  throw new ForgeError(
    'model.bad-output',
    `${corrected.provider} gave no usable JSON for ${request.purpose}, nor after one correction: ${again.problems.slice(0, 3).join('; ')}`,
    { fix: 'Retry the node, simplify its schema, raise maxOutputTokens, or use a stronger model.' },
  );
}

/** @throws ForgeError `params.invalid` when the schema itself is wrong */
export function compileSchema(schema: JsonObject): ValidateFunction {
  try {
    return new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
  } catch (cause) {
    throw new ForgeError(
      'params.invalid',
      `The JSON Schema is not valid: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        fix: 'Correct the node’s schema (JSON Schema, draft 2020-12).',
        cause,
      },
    );
  }
}

function judge(
  { text, finish }: { text: string; finish: 'stop' | 'length' },
  validate: ValidateFunction,
  check: StructuredQuestion['check'],
): { value: Json; problems: string[] } {
  let value: Json;
  try {
    value = Json.parse(JSON.parse(withoutFence(text)));
  } catch (thrown) {
    const cut =
      finish === 'length'
        ? 'It was cut at the output limit; answer shorter.'
        : `It is not JSON: ${String(thrown).slice(0, 200)}`;
    return { value: null, problems: [cut] };
  }
  if (!validate(value)) {
    const problems = (validate.errors ?? []).map(({ instancePath, message, params }) =>
      `${instancePath || 'the value'} ${message ?? 'is wrong'} ${JSON.stringify(params)}`.slice(0, 300),
    );
    return { value, problems: problems.slice(0, 10) };
  }
  return { value, problems: check?.(value) ?? [] };
}

/** Models like to wrap JSON in a Markdown fence. */
function withoutFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/i.exec(text)?.[1] ?? text;
}

const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
