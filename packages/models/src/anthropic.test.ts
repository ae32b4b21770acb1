import type { ModelRequest } from '@cua-forge/spec/model-port';
import { type Behaviour, fakeChatServer, hangs, resets, status } from '@cua-forge/testing/fake-chat-server';
import { afterEach, describe, expect, it } from 'vitest';
import { anthropicModels } from './anthropic.ts';
import type { Price } from './prices.ts';

const request: ModelRequest = {
  purpose: 'draft',
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'Hello' }],
  maxOutputTokens: 50,
  temperature: 1.4,
  seed: 9,
};
const never = new AbortController().signal;
const apiKey = 'sk-ant-very-secret-4711';
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

async function serve(...behaviours: Behaviour[]) {
  const server = await fakeChatServer(behaviours);
  close = () => server.close();
  const prices: Price[] = [
    {
      provider: 'anthropic',
      host: '127.0.0.1',
      model: 'small',
      validFrom: '2020-01-01',
      input: 2,
      cached: 0.2,
      cacheWrite: 2.5,
      output: 10,
    },
  ];
  return { server, models: anthropicModels({ baseUrl: server.baseUrl, apiKey, model: 'small', prices }) };
}

type Event = Record<string, unknown> & { type: string };

/** A stream of the Messages API: the given blocks between start and end. */
function message(blocks: Event[], { reason = 'end_turn', end = true, usage = {} } = {}): Behaviour {
  const events: Event[] = [
    { type: 'message_start', message: { usage: { input_tokens: 7, output_tokens: 1, ...usage } } },
    { type: 'ping' },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 100 } },
    ...(end ? [{ type: 'message_stop' }] : []),
  ];
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join(''));
  };
}
const text = (...parts: string[]): Event[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ...parts.map((part) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } })),
  { type: 'content_block_stop', index: 0 },
];
const tool = (...parts: string[]): Event[] => [
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'answer', input: {} } },
  ...parts.map((part) => ({
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json: part },
  })),
  { type: 'content_block_stop', index: 1 },
];

describe('anthropicModels', () => {
  it('streams an answer, counting what was cached beside the rest, and marks the stable text for the cache', async () => {
    const usage = { input_tokens: 500, cache_read_input_tokens: 400, cache_creation_input_tokens: 100 };
    const { server, models } = await serve(message(text('Good day — ', 'grüß Gott'), { usage }));
    const result = await models.complete(request, never);
    expect(result).toMatchObject({
      text: 'Good day — grüß Gott',
      provider: 'anthropic',
      model: 'small',
      finish: 'stop',
    });
    expect(result.usage).toEqual({ input: 1000, cached: 400, cacheWrite: 100, output: 100 });
    expect(result.usd).toBeCloseTo((500 * 2 + 400 * 0.2 + 100 * 2.5 + 100 * 10) / 1_000_000, 12);
    expect(server.seen[0]?.headers).toMatchObject({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' });
    expect(server.seen[0]?.body).toMatchObject({
      model: 'small',
      stream: true,
      max_tokens: 50,
      temperature: 1,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(server.seen[0]?.body).not.toHaveProperty('tools');
  });

  it('takes the input of the tool as the answer under a schema', async () => {
    const { server, models } = await serve(
      message([...text('Here it is.'), ...tool('{"a"', ': "x"}')], { reason: 'tool_use' }),
      message(tool('{"value": [1, 2]}'), { reason: 'tool_use' }),
      message(text('{"a": "said, not used"}')),
    );
    expect((await models.complete({ ...request, schema }, never)).text).toBe('{"a": "x"}');
    expect(server.seen[0]?.body).toMatchObject({
      tools: [{ name: 'answer', input_schema: schema }],
      tool_choice: { type: 'tool', name: 'answer' },
    });
    const list = { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'integer' } } };
    expect((await models.complete({ ...request, schema: list }, never)).text).toBe('[1,2]');
    expect(server.seen[1]?.body).toMatchObject({
      tools: [
        {
          input_schema: {
            type: 'object',
            properties: { value: { type: 'array', items: { $ref: '#/$defs/n' } } },
            $defs: { n: { type: 'integer' } },
          },
        },
      ],
    });
    expect((await models.complete({ ...request, schema }, never)).text).toBe('{"a": "said, not used"}');
  });

  it('reads an answer that is not streamed, and says when it was cut', async () => {
    const whole = {
      type: 'message',
      content: [{ type: 'text', text: 'Cut he' }],
      stop_reason: 'max_tokens',
      usage: { input_tokens: 1, output_tokens: 2 },
    };
    const used = { ...whole, content: [{ type: 'tool_use', input: { a: 'x' } }], stop_reason: 'tool_use' };
    const { models } = await serve(status(200, whole), status(200, used));
    expect(await models.complete(request, never)).toMatchObject({
      text: 'Cut he',
      finish: 'length',
      usage: { output: 2 },
    });
    expect((await models.complete({ ...request, schema }, never)).text).toBe('{"a":"x"}');
  });

  it('leaves the temperature out where a model chooses its own', async () => {
    const refused = {
      type: 'error',
      error: { type: 'invalid_request_error', message: '`temperature` is deprecated for this model.' },
    };
    const { server, models } = await serve(status(400, refused), message(text('Hello')));
    expect((await models.complete(request, never)).text).toBe('Hello');
    expect(server.seen.map(({ body }) => 'temperature' in body)).toEqual([true, false]);
  });

  const problem = (type: string, words: string) => ({ type: 'error', error: { type, message: words } });
  it.each([
    ['a bad key', status(401, problem('authentication_error', `invalid x-api-key ${apiKey}`)), 'model.auth'],
    ['a key without the right', status(403, problem('permission_error', 'no')), 'model.auth'],
    ['an empty account', status(400, problem('invalid_request_error', 'Your credit balance is too low')), 'model.auth'],
    ['too many calls', status(429, problem('rate_limit_error', 'Slow down')), 'model.rate-limited'],
    [
      'a long prompt',
      status(400, problem('invalid_request_error', 'prompt is too long: 210000 tokens')),
      'model.prompt-too-large',
    ],
    ['a large body', status(413, problem('request_too_large', 'no')), 'model.prompt-too-large'],
    ['an unknown model', status(404, problem('not_found_error', 'model: tiny')), 'params.invalid'],
    ['a wrong request', status(400, problem('invalid_request_error', 'max_tokens: too large')), 'params.invalid'],
    ['an overloaded server', status(529, problem('overloaded_error', 'Overloaded')), 'model.unavailable'],
    ['a failing server', status(500, 'oops'), 'model.unavailable'],
    ['an error in the stream', message([problem('overloaded_error', 'Overloaded')]), 'model.unavailable'],
    ['a limit in the stream', message([problem('rate_limit_error', 'Slow')]), 'model.rate-limited'],
    ['a refusal', message(text('I will not'), { reason: 'refusal' }), 'model.refused'],
    ['a stream that stops early', message(text('half an answer'), { end: false }), 'model.unavailable'],
    ['a page of a proxy', status(200, '<html>Welcome</html>', { 'content-type': 'text/html' }), 'model.unavailable'],
    ['JSON of another kind', status(200, { choices: 'none' }), 'model.unavailable'],
    ['a malformed piece', message([{ type: 'content_block_delta', delta: { text: 5 } }]), 'model.unavailable'],
    ['a connection that breaks', resets, 'model.unavailable'],
  ])('answers %s with its code', async (_name, behaviour, code) => {
    const { models } = await serve(behaviour);
    const error: unknown = await models.complete(request, never).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(String(error) + JSON.stringify(error)).not.toContain(apiKey);
  });

  it('is cancelled at once', async () => {
    const { models } = await serve(hangs);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    await expect(models.complete(request, controller.signal)).rejects.toMatchObject({ code: 'node.cancelled' });
  });
});
