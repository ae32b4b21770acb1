import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';

export const ModelLimits = z.strictObject({
  /** Calls in progress at once, for each model. */
  concurrency: z.number().int().min(1).default(4),
  /** Calls started in any minute, for each model; null for no limit. */
  requestsPerMinute: z.number().int().min(1).nullable().default(null),
  /** Milliseconds one call may take. */
  timeoutMs: z.number().int().positive().default(120_000),
  /** Repeats of a call after a transient failure. */
  retries: z.number().int().min(0).max(20).default(4),
  /** Bytes of UTF-8 that a prompt may have. */
  maxPromptBytes: z.number().int().positive().default(1_000_000),
});
export type ModelLimits = z.infer<typeof ModelLimits>;

export const ModelsConfig = z.strictObject({
  provider: z.enum(['rehearsal', 'openai']).default('rehearsal'),
  /** Default model of the provider; required for `openai`. */
  model: z.string().min(1).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).default('https://api.openai.com/v1'),
  apiKey: z.string().min(1).optional(),
  /** Record writes every answer to the folder; replay answers from it and never calls out. */
  cassettes: z
    .strictObject({ mode: z.enum(['record', 'replay']), folder: z.string().min(1) })
    .nullable()
    .default(null),
  limits: ModelLimits.default(ModelLimits.parse({})),
});
export type ModelsConfig = z.infer<typeof ModelsConfig>;

const variables = {
  provider: 'FORGE_MODEL_PROVIDER',
  model: 'FORGE_MODEL',
  baseUrl: 'FORGE_OPENAI_BASE_URL',
  apiKey: 'FORGE_OPENAI_API_KEY',
  cassettes: 'FORGE_CASSETTES',
  concurrency: 'FORGE_MODEL_CONCURRENCY',
  requestsPerMinute: 'FORGE_MODEL_REQUESTS_PER_MINUTE',
  timeoutMs: 'FORGE_MODEL_TIMEOUT_MS',
  retries: 'FORGE_MODEL_RETRIES',
  maxPromptBytes: 'FORGE_MODEL_MAX_PROMPT_BYTES',
} as const;

const limitNames = ['concurrency', 'requestsPerMinute', 'timeoutMs', 'retries', 'maxPromptBytes'] as const;

const invalid = (variable: string, problem: string, fix: string) =>
  new ForgeError('input.invalid', `The environment variable ${variable} ${problem}.`, { fix });

/**
 * Configuration of the models from environment variables; empty ones count as unset.
 * @throws ForgeError `input.invalid` that names the variable (and never shows a key)
 */
export function modelsConfigFromEnv(env: Readonly<Record<string, string | undefined>>): ModelsConfig {
  const read = (name: keyof typeof variables) => env[variables[name]]?.trim() || undefined;
  const limits: Record<string, number> = {};
  for (const name of limitNames) {
    const text = read(name);
    if (text !== undefined) limits[name] = Number(text);
  }
  const parsed = ModelsConfig.safeParse({
    provider: read('provider'),
    model: read('model'),
    baseUrl: read('baseUrl'),
    apiKey: read('apiKey'),
    cassettes: cassettesOf(read('cassettes')),
    limits,
  });
  if (!parsed.success) throw firstProblem(parsed.error);
  if (parsed.data.provider === 'openai' && parsed.data.model === undefined) {
    throw invalid(
      variables.model,
      'is not set, though the provider is openai',
      'Set it to the name of a model that the server has.',
    );
  }
  return parsed.data;
}

function cassettesOf(text: string | undefined): { mode: string; folder: string } | undefined {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1 || !['record', 'replay'].includes(text.slice(0, colon))) {
    throw invalid(variables.cassettes, `is ${JSON.stringify(text)}`, 'Set it to record:FOLDER or replay:FOLDER.');
  }
  return { mode: text.slice(0, colon), folder: text.slice(colon + 1) };
}

function firstProblem(error: z.ZodError): ForgeError {
  const issue = error.issues[0];
  const name = issue?.path.at(-1);
  const variable = Object.entries(variables).find(([key]) => key === name)?.[1] ?? 'FORGE_MODEL_…';
  return invalid(
    variable,
    `is not valid: ${issue?.message ?? error.message}`,
    'Correct it, or unset it to use the default.',
  );
}
