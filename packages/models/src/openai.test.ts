import type { ModelRequest } from '@cua-forge/spec/model-port';
import {
  type Behaviour,
  failsInside,
  fakeChatServer,
  hangs,
  resets,
  status,
  streams,
} from '@cua-forge/testing/fake-chat-server';
import { afterEach, describe, expect, it } from 'vitest';
import { isStrict, openAiModels } from './openai.ts';
import type { Price } from './prices.ts';

const request: ModelRequest = {
  purpose: 'draft',
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'Hello' }],
  maxOutputTokens: 50,
  temperature: 0.5,
  seed: 9,
};
const never = new AbortController().signal;
const apiKey = 'sk-very-secret-4711';

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

async function serve(...behaviours: Behaviour[]) {
  const server = await fakeChatServer(behaviours);
  close = () => server.close();
  const prices: Price[] = [
    { provider: 'openai', host: '127.0.0.1', model: 'small', validFrom: '2020-01-01', input: 2, cached: 1, output: 10 },
  ];
  return { server, models: openAiModels({ baseUrl: server.baseUrl, apiKey, model: 'small', prices }) };
}

describe('openAiModels', () => {
  it('streams an answer with its tokens, cached ones included, and its price', async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } };
    const { server, models } = await serve(streams('Good day — grüß Gott', { usage }));
    const result = await models.complete(request, never);
    expect(result).toMatchObject({ text: 'Good day — grüß Gott', provider: 'openai', model: 'small', finish: 'stop' });
    expect(result.usage).toEqual({ input: 1000, cached: 400, output: 100 });
    expect(result.usd).toBeCloseTo((600 * 2 + 400 * 1 + 100 * 10) / 1_000_000, 12);
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(server.seen[0]?.body).toMatchObject({ model: 'small', stream: true, seed: 9, max_tokens: 50 });
    expect(server.seen[0]?.body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ]);
  });

  it('reads an answer that is not streamed, and says when it was cut', async () => {
    const whole = {
      choices: [{ message: { content: 'Cut he' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    };
    const { models } = await serve(status(200, whole));
    expect(await models.complete(request, never)).toMatchObject({
      text: 'Cut he',
      finish: 'length',
      usage: { output: 2 },
    });
  });

  it('asks for a constrained answer, and goes on without where the server cannot', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    const { server, models } = await serve(
      status(400, { error: { message: 'response_format is not supported' } }),
      streams('{"a":"x"}'),
    );
    expect((await models.complete({ ...request, schema }, never)).text).toBe('{"a":"x"}');
    expect(server.seen[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema, strict: true },
    });
    expect(server.seen[1]?.body).not.toHaveProperty('response_format');
  });

  it('leaves the temperature out where a model chooses its own', async () => {
    const refused = { error: { message: "Unsupported value: 'temperature' does not support 0.5 with this model." } };
    const { server, models } = await serve(status(400, refused), streams('Hello'), streams('Again'));
    expect((await models.complete(request, never)).text).toBe('Hello');
    expect((await models.complete(request, never)).text).toBe('Again');
    expect(server.seen.map(({ body }) => 'temperature' in body)).toEqual([true, false, false]);
  });

  it.each([
    ['a bad key', status(401, { error: { message: `Incorrect API key ${apiKey}` } }), 'model.auth'],
    ['a forbidden model', status(403, {}), 'model.auth'],
    ['an empty account', status(429, { error: { message: 'You exceeded', code: 'insufficient_quota' } }), 'model.auth'],
    ['too many calls', status(429, { error: { message: 'Slow down' } }), 'model.rate-limited'],
    [
      'a long prompt',
      status(400, { error: { message: 'maximum context length is 8192', code: 'context_length_exceeded' } }),
      'model.prompt-too-large',
    ],
    ['a large body', status(413, 'Payload Too Large'), 'model.prompt-too-large'],
    ['filtered content', status(400, { error: { message: 'no', code: 'content_filter' } }), 'model.refused'],
    ['a filtered answer', streams('I', { finish: 'content_filter' }), 'model.refused'],
    ['an unknown model', status(404, { error: { message: 'The model does not exist' } }), 'params.invalid'],
    ['a wrong request', status(400, { error: { message: 'temperature must be below 2' } }), 'params.invalid'],
    ['a failing server', status(500, 'oops'), 'model.unavailable'],
    ['a gateway that timed out', status(504, ''), 'model.timeout'],
    ['a page of a proxy', status(200, '<html>Welcome</html>', { 'content-type': 'text/html' }), 'model.unavailable'],
    ['JSON of another kind', status(200, { choices: 'none' }), 'model.unavailable'],
    ['a malformed piece', streams('x', { usage: { prompt_tokens: 'many' } }), 'model.unavailable'],
    ['an error in the stream', failsInside, 'model.unavailable'],
    ['a stream that stops early', streams('half an answer', { breakOff: true }), 'model.unavailable'],
    ['a connection that breaks', resets, 'model.unavailable'],
  ])('answers %s with its code', async (_name, behaviour, code) => {
    const { models } = await serve(behaviour);
    const error: unknown = await models.complete(request, never).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(String(error) + JSON.stringify(error)).not.toContain(apiKey);
  });

  it('hands on how long the server asks to wait', async () => {
    const { models } = await serve(status(429, {}, { 'retry-after': '7' }));
    await expect(models.complete(request, never)).rejects.toMatchObject({ retryAfterMs: 7000 });
  });

  it('is cancelled at once', async () => {
    const { models } = await serve(hangs);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    await expect(models.complete(request, controller.signal)).rejects.toMatchObject({ code: 'node.cancelled' });
  });

  it('names a server that is not there', async () => {
    const { server, models } = await serve(hangs);
    await server.close();
    close = undefined;
    await expect(models.complete(request, never)).rejects.toMatchObject({
      code: 'model.unavailable',
      message: expect.stringContaining('127.0.0.1'),
    });
  });

  it('knows which schemas strict mode takes', () => {
    expect(
      isStrict({ type: 'object', properties: { a: { type: 'string' } }, required: [], additionalProperties: false }),
    ).toBe(false);
    expect(isStrict({ type: 'object', properties: {}, required: [] })).toBe(false);
    expect(isStrict({ type: 'array', items: { type: 'number' } })).toBe(true);
  });
});
