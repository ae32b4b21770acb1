import { ForgeError } from '@cua-forge/spec/errors';
import type { JsonObject } from '@cua-forge/spec/json';
import type { ModelPort, ModelRequest, ModelResult } from '@cua-forge/spec/model-port';
import { readMessage } from './anthropic-stream.ts';
import { errorForStatus, refusesTemperature, type ServerNames, unreachable } from './http-errors.ts';
import { postJson } from './post-json.ts';
import { costOf, type Price, priceOf } from './prices.ts';
import { namedModel } from './provider-router.ts';

export interface AnthropicOptions {
  /** Address that `/messages` is appended to. */
  baseUrl: string;
  apiKey?: string | undefined;
  /** Model of requests that name none. */
  model?: string | undefined;
  prices: readonly Price[];
}

/** The tool whose input is the answer, where a schema is given. */
const answerTool = 'answer';
const wrapped = 'value';

/**
 * A server that speaks Anthropic's Messages API, asked with streaming. The system text is marked for the provider's cache; an answer
 * under a schema comes as the input of a tool that must be used. The API has no seeds. Makes one try; `resilient` repeats.
 */
export function anthropicModels(options: AnthropicOptions): ModelPort {
  const address = new URL(`${options.baseUrl.replace(/\/+$/, '')}/messages`);
  const server: ServerNames = {
    host: address.host,
    keyVariable: 'FORGE_ANTHROPIC_API_KEY',
    addressVariable: 'FORGE_ANTHROPIC_BASE_URL',
  };
  const headers = {
    'anthropic-version': '2023-06-01',
    ...(options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey }),
  };
  /** Models that choose their own temperature. */
  const ownTemperature = new Set<string>();
  const redacted = (text: string) => (options.apiKey === undefined ? text : text.replaceAll(options.apiKey, '[key]'));

  async function ask(request: ModelRequest, model: string, signal: AbortSignal): Promise<Response> {
    const warm = !ownTemperature.has(model);
    const body = messageBody(request, model, warm);
    const response = await postJson(address, { headers, body, server, signal });
    if (response.ok) return response;
    const text = redacted(await response.text().catch(() => ''));
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
    identity: (model) => `anthropic:${model ?? options.model ?? 'unnamed'}@${address.host}`,
    async complete(request, signal): Promise<ModelResult> {
      const model = namedModel('anthropic', request.model ?? options.model);
      const startedAt = Date.now();
      const response = await ask(request, model, signal);
      try {
        const { text, toolInput, finish, usage } = await readMessage(response, { model, server });
        const answer = toolInput === null ? text : unwrapped(toolInput, request.schema);
        const price = priceOf(options.prices, { provider: 'anthropic', host: address.hostname, model, at: startedAt });
        return {
          text: answer,
          provider: 'anthropic',
          model,
          usage,
          usd: costOf(price, usage),
          milliseconds: Date.now() - startedAt,
          finish,
        };
      } catch (thrown) {
        throw thrown instanceof ForgeError ? thrown : unreachable(server, thrown, signal);
      }
    },
  };
}

const isObjectSchema = (schema: JsonObject) => schema.type === 'object';

function messageBody(request: ModelRequest, model: string, warm: boolean): JsonObject {
  const { schema, system } = request;
  return {
    model,
    max_tokens: request.maxOutputTokens,
    // Tools and system text come before the messages and do not change from call to call: one mark after them caches both.
    ...(system === undefined ? {} : { system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }] }),
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    // This API's scale ends at 1.
    ...(warm ? { temperature: Math.min(1, request.temperature) } : {}),
    stream: true,
    ...(schema === undefined
      ? {}
      : {
          tools: [
            {
              name: answerTool,
              description: 'Gives the answer.',
              input_schema: isObjectSchema(schema) ? schema : inObject(schema),
            },
          ],
          tool_choice: { type: 'tool', name: answerTool },
        }),
  };
}

/** A tool's input is always an object: another value travels as its one member. Definitions stay where references look for them. */
function inObject(schema: JsonObject): JsonObject {
  const { $defs, ...rest } = schema;
  return {
    type: 'object',
    properties: { [wrapped]: rest },
    required: [wrapped],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
  };
}

/** The answer as text; input that is no JSON goes on as it is, and the caller's validation says what is wrong with it. */
function unwrapped(toolInput: string, schema: JsonObject | undefined): string {
  if (schema === undefined || isObjectSchema(schema)) return toolInput;
  try {
    const input: unknown = JSON.parse(toolInput);
    if (typeof input !== 'object' || input === null || !(wrapped in input)) return toolInput;
    return JSON.stringify(input[wrapped]);
  } catch {
    return toolInput;
  }
}
