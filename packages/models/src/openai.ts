import { ForgeError } from '@cua-forge/spec/errors';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import type { ModelPort, ModelRequest, ModelResult } from '@cua-forge/spec/model-port';
import { readChatAnswer } from './chat-stream.ts';
import { errorForStatus } from './openai-errors.ts';
import { costOf, openAiPrices, type Price, priceAt } from './prices.ts';

export interface OpenAiOptions {
  /** Address that `/chat/completions` is appended to. */
  baseUrl: string;
  apiKey?: string | undefined;
  /** Model of requests that name none. */
  model: string;
  /** Defaults to the list prices of the official address, and to none elsewhere. */
  prices?: readonly Price[];
}

const officialHost = 'api.openai.com';

/** A server that speaks OpenAI's /chat/completions, asked with streaming. Makes one try; `resilient` repeats. */
export function openAiModels(options: OpenAiOptions): ModelPort {
  const address = new URL(`${options.baseUrl.replace(/\/+$/, '')}/chat/completions`);
  const official = address.hostname === officialHost;
  const prices = options.prices ?? (official ? openAiPrices : []);
  const unconstrained = new Set<string>();
  const redacted = (text: string) => (options.apiKey === undefined ? text : text.replaceAll(options.apiKey, '[key]'));

  async function post(body: JsonObject, signal: AbortSignal): Promise<Response> {
    try {
      return await fetch(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
        },
        body: JSON.stringify(body),
        signal,
      });
    } catch (cause) {
      throw unreachable(address.host, cause, signal);
    }
  }

  async function ask(request: ModelRequest, model: string, signal: AbortSignal): Promise<Response> {
    const constrained = request.schema !== undefined && !unconstrained.has(model);
    const response = await post(requestBody(request, model, { official, constrained }), signal);
    if (response.ok) return response;
    const text = redacted(await response.text().catch(() => ''));
    if (constrained && response.status === 400 && /response_format|json_schema|guided|grammar/i.test(text)) {
      unconstrained.add(model);
      return ask(request, model, signal);
    }
    throw errorForStatus(response.status, text, {
      model,
      server: address.host,
      retryAfter: response.headers.get('retry-after'),
      now: Date.now(),
    });
  }

  return {
    rehearsed: false,
    identity: (model) => `openai:${model ?? options.model}@${address.host}`,
    async complete(request, signal): Promise<ModelResult> {
      const model = request.model ?? options.model;
      const startedAt = Date.now();
      const response = await ask(request, model, signal);
      try {
        const { text, finish, usage } = await readChatAnswer(response, { model, server: address.host });
        const usd = costOf(priceAt(prices, model, startedAt), usage);
        return { text, provider: 'openai', model, usage, usd, milliseconds: Date.now() - startedAt, finish };
      } catch (thrown) {
        throw thrown instanceof ForgeError ? thrown : unreachable(address.host, thrown, signal);
      }
    },
  };
}

function unreachable(host: string, cause: unknown, signal: AbortSignal): ForgeError {
  if (signal.aborted) return new ForgeError('node.cancelled', 'The call of the model was cancelled.', { cause });
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
  return new ForgeError('model.unavailable', `The connection to ${host} failed: ${inner || 'no reason given'}.`, {
    fix: 'Check FORGE_OPENAI_BASE_URL and that the server runs.',
    cause,
  });
}

function requestBody(
  request: ModelRequest,
  model: string,
  { official, constrained }: { official: boolean; constrained: boolean },
): JsonObject {
  const system: JsonObject[] = request.system === undefined ? [] : [{ role: 'system', content: request.system }];
  const messages: JsonObject[] = [...system, ...request.messages.map(({ role, content }) => ({ role, content }))];
  const schema = request.schema ?? {};
  return {
    model,
    messages,
    // The official address has renamed the limit; other servers know the old name.
    [official ? 'max_completion_tokens' : 'max_tokens']: request.maxOutputTokens,
    temperature: request.temperature,
    seed: request.seed,
    stream: true,
    stream_options: { include_usage: true },
    ...(constrained
      ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: isStrict(schema) } } }
      : {}),
  };
}

/** Whether a schema keeps the rules of OpenAI's strict mode: every object closed, every property required. */
export function isStrict(schema: Json | undefined): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  if (schema.type === 'object') {
    const { properties, required } = schema;
    const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    if (schema.additionalProperties !== false || !Array.isArray(required)) return false;
    if (!names.every((name) => required.includes(name))) return false;
  }
  return Object.values(schema).every(isStrict);
}
