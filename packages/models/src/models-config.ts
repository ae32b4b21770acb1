import { readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import { parse } from 'yaml';
import { z } from 'zod';
import { listPrices, Price, PriceList, withOwnPrices } from './prices.ts';
import { ProviderName } from './provider-router.ts';

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

const address = z.url({ protocol: /^https?$/ });

export const ModelsConfig = z.strictObject({
  /** Provider of requests whose model names none. */
  provider: ProviderName.default('rehearsal'),
  /** Default model of that provider; required but for `rehearsal`. */
  model: z.string().min(1).optional(),
  openAiUrl: address.default('https://api.openai.com/v1'),
  openAiKey: z.string().min(1).optional(),
  anthropicUrl: address.default('https://api.anthropic.com/v1'),
  anthropicKey: z.string().min(1).optional(),
  /** Folder that holds `models/NAME.gguf` and the runtime of the local provider. */
  cacheFolder: z.string().min(1),
  /** Tokens that prompt and answer of a local model may have together. */
  localContext: z.number().int().min(512).max(1_000_000).default(8_192),
  /** Threads of a local model. They wait for each other, so more than there are free cores makes it very slow. */
  localThreads: z
    .number()
    .int()
    .min(1)
    .max(1_024)
    .default(() => Math.max(1, Math.floor(availableParallelism() / 2))),
  prices: z.array(Price).default([...listPrices]),
  /** Record keeps every answer at the place (a folder or a .jsonl file); replay answers from it and never calls out. */
  cassettes: z
    .strictObject({ mode: z.enum(['record', 'replay']), place: z.string().min(1) })
    .nullable()
    .default(null),
  limits: ModelLimits.default(ModelLimits.parse({})),
});
export type ModelsConfig = z.infer<typeof ModelsConfig>;

const variables = {
  provider: 'FORGE_MODEL_PROVIDER',
  model: 'FORGE_MODEL',
  openAiUrl: 'FORGE_OPENAI_BASE_URL',
  openAiKey: 'FORGE_OPENAI_API_KEY',
  anthropicUrl: 'FORGE_ANTHROPIC_BASE_URL',
  anthropicKey: 'FORGE_ANTHROPIC_API_KEY',
  cacheFolder: 'FORGE_CACHE',
  localContext: 'FORGE_LOCAL_CONTEXT',
  localThreads: 'FORGE_LOCAL_THREADS',
  prices: 'FORGE_MODEL_PRICES',
  cassettes: 'FORGE_CASSETTES',
  concurrency: 'FORGE_MODEL_CONCURRENCY',
  requestsPerMinute: 'FORGE_MODEL_REQUESTS_PER_MINUTE',
  timeoutMs: 'FORGE_MODEL_TIMEOUT_MS',
  retries: 'FORGE_MODEL_RETRIES',
  maxPromptBytes: 'FORGE_MODEL_MAX_PROMPT_BYTES',
} as const;

const limitNames = ['concurrency', 'requestsPerMinute', 'timeoutMs', 'retries', 'maxPromptBytes'] as const;

const invalid = (variable: string, problem: string, fix: string, cause?: unknown) =>
  new ForgeError('input.invalid', `The environment variable ${variable} ${problem}.`, { fix, cause });

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Configuration of the models from environment variables; empty ones count as unset. Reads the file of own prices where one is named.
 * @throws ForgeError `input.invalid` that names the variable (and never shows a key)
 */
export function modelsConfigFromEnv(env: Environment): ModelsConfig {
  const read = (name: keyof typeof variables) => env[variables[name]]?.trim() || undefined;
  const number = (name: keyof typeof variables) => {
    const text = read(name);
    return text === undefined ? undefined : Number(text);
  };
  const limits: Record<string, number> = {};
  for (const name of limitNames) {
    const value = number(name);
    if (value !== undefined) limits[name] = value;
  }
  const parsed = ModelsConfig.safeParse({
    provider: read('provider'),
    model: read('model'),
    openAiUrl: read('openAiUrl'),
    openAiKey: read('openAiKey'),
    anthropicUrl: read('anthropicUrl'),
    anthropicKey: read('anthropicKey'),
    cacheFolder: read('cacheFolder') ?? join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cua-forge'),
    localContext: number('localContext'),
    localThreads: number('localThreads'),
    prices: pricesOf(read('prices')),
    cassettes: cassettesOf(read('cassettes')),
    limits,
  });
  if (!parsed.success) throw firstProblem(parsed.error);
  const { provider, model } = parsed.data;
  if (provider !== 'rehearsal' && model === undefined) {
    throw invalid(
      variables.model,
      `is not set, though the provider is ${provider}`,
      'Set it to the name of a model that the provider has.',
    );
  }
  return parsed.data;
}

/** The user's own prices, in YAML or JSON, before the shipped ones. */
function pricesOf(file: string | undefined): Price[] | undefined {
  if (file === undefined) return undefined;
  const fix =
    'Write a list of entries with provider, model, validFrom, input, cached, cacheWrite and output, or unset it.';
  let content: unknown;
  try {
    content = parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw invalid(variables.prices, `names ${file}, which cannot be read as YAML or JSON`, fix, cause);
  }
  const own = PriceList.safeParse(content);
  if (!own.success) throw invalid(variables.prices, `names ${file}: ${z.prettifyError(own.error)}`, fix, own.error);
  return withOwnPrices(own.data);
}

function cassettesOf(text: string | undefined): { mode: string; place: string } | undefined {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1 || !['record', 'replay'].includes(text.slice(0, colon))) {
    throw invalid(
      variables.cassettes,
      `is ${JSON.stringify(text)}`,
      'Set it to record: or replay: and a folder or a .jsonl file.',
    );
  }
  return { mode: text.slice(0, colon), place: text.slice(colon + 1) };
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
