import { ForgeError } from '@cua-forge/spec/errors';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import type { ModelPort, ModelRequest, ModelResult } from '@cua-forge/spec/model-port';
import { readChatAnswer } from './chat-stream.ts';
import { errorForStatus, refusesTemperature, type ServerNames, unreachable } from './http-errors.ts';
import { postJson } from './post-json.ts';
import { costOf, officialHosts, type Price, priceOf } from './prices.ts';
import { namedModel } from './provider-router.ts';

export interface OpenAiOptions {
  /** Address that `/chat/completions` is appended to. */
  baseUrl: string;
  apiKey?: string | undefined;
  /** Model of requests that name none. */
  model?: string | undefined;
  prices: readonly Price[];
}

/** A server that speaks OpenAI's /chat/completions, asked with streaming. Makes one try; `resilient` repeats. */
export function openAiModels(options: OpenAiOptions): ModelPort {
  const address = new URL(`${options.baseUrl.replace(/\/+$/, '')}/chat/completions`);
  const official = address.hostname === officialHosts.openai;
  const server: ServerNames = {
    host: address.host,
    keyVariable: 'FORGE_OPENAI_API_KEY',
    addressVariable: 'FORGE_OPENAI_BASE_URL',
  };
  /** What the server turned out not to take, by model. */
  const unconstrained = new Set<string>();
  const ownTemperature = new Set<string>();
  const redacted = (text: string) => (options.apiKey === undefined ? text : text.replaceAll(options.apiKey, '[key]'));

  const headers = options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` };

  async function ask(request: ModelRequest, model: string, signal: AbortSignal): Promise<Response> {
    const constrained = request.schema !== undefined && !unconstrained.has(model);
    const warm = !ownTemperature.has(model);
    const response = await postJson(address, {
      headers,
      body: requestBody(request, model, { official, constrained, warm }),
      server,
      signal,
    });
    if (response.ok) return response;
    const text = redacted(await response.text().catch(() => ''));
    if (constrained && response.status === 400 && /response_format|json_schema|guided|grammar/i.test(text)) {
      unconstrained.add(model);
      return ask(request, model, signal);
    }
    if (warm && refusesTemperature(response.status, text)) {
      ownTemperature.add(model);
      return ask(request, model, signal);
    }
    throw errorForStatus(response.status, text, {
      model,
      server,
      retryAfter: response.headers.get('retry-after'),
      now: Date.now(),
    });
  }

  return {
    rehearsed: false,
    identity: (model) => `openai:${model ?? options.model ?? 'unnamed'}@${address.host}`,
    async complete(request, signal): Promise<ModelResult> {
      const model = namedModel('openai', request.model ?? options.model);
      const startedAt = Date.now();
      const response = await ask(request, model, signal);
      try {
        const { text, finish, usage } = await readChatAnswer(response, { model, server });
        const price = priceOf(options.prices, { provider: 'openai', host: address.hostname, model, at: startedAt });
        const usd = costOf(price, usage);
        return { text, provider: 'openai', model, usage, usd, milliseconds: Date.now() - startedAt, finish };
      } catch (thrown) {
        throw thrown instanceof ForgeError ? thrown : unreachable(server, thrown, signal);
      }
    },
  };
}

function requestBody(
  request: ModelRequest,
  model: string,
  { official, constrained, warm }: { official: boolean; constrained: boolean; warm: boolean },
): JsonObject {
  const system: JsonObject[] = request.system === undefined ? [] : [{ role: 'system', content: request.system }];
  const messages: JsonObject[] = [...system, ...request.messages.map(({ role, content }) => ({ role, content }))];
  const schema = request.schema ?? {};
  return {
    model,
    messages,
    // The official address has renamed the limit; other servers know the old name.
    [official ? 'max_completion_tokens' : 'max_tokens']: request.maxOutputTokens,
    ...(warm ? { temperature: request.temperature } : {}),
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
