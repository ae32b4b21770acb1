import { ForgeError } from '@cua-forge/spec/errors';
import type { ModelPort, ModelRequest, ModelResult } from '@cua-forge/spec/model-port';
import { type Behaviour, fakeChatServer, hangs, status, streams } from '@cua-forge/testing/fake-chat-server';
import { afterEach, describe, expect, it } from 'vitest';
import { openAiModels } from './openai.ts';
import { RateLimit } from './rate-limit.ts';
import { resilient } from './resilient.ts';

const request: ModelRequest = {
  purpose: 'draft',
  messages: [{ role: 'user', content: 'Hello' }],
  maxOutputTokens: 5,
  temperature: 0,
  seed: 1,
};
const never = new AbortController().signal;
const limits = { concurrency: 2, requestsPerMinute: null, timeoutMs: 2000, retries: 3, backoffMs: 5 };

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

async function serve(behaviours: Behaviour[], options: Partial<typeof limits> = {}) {
  const server = await fakeChatServer(behaviours);
  close = () => server.close();
  return {
    server,
    models: resilient(openAiModels({ baseUrl: server.baseUrl, model: 'small', prices: [] }), { ...limits, ...options }),
  };
}

describe('resilient', () => {
  it('repeats transient failures until the answer is whole, and tells of each try that failed', async () => {
    const { server, models } = await serve([
      status(500, 'oops'),
      streams('half', { breakOff: true }),
      status(200, 'rubbish', { 'content-type': 'text/plain' }),
      streams('whole'),
    ]);
    const failed: string[] = [];
    const { text } = await models.complete(request, never, ({ error }) => failed.push(error.code));
    expect(text).toBe('whole');
    expect(server.seen).toHaveLength(4);
    expect(failed).toEqual(['model.unavailable', 'model.unavailable', 'model.unavailable']);
  });

  it('waits as long as Retry-After says, in seconds or as a date', async () => {
    const { server, models } = await serve([status(429, {}, { 'retry-after': '0.4' }), streams('now')]);
    await models.complete(request, never);
    expect((server.seen[1]?.at ?? 0) - (server.seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(390);
    await server.close();
    const date = new Date(Date.now() + 1500).toUTCString();
    const other = await serve([status(429, {}, { 'retry-after': date }), streams('now')]);
    await other.models.complete(request, never);
    expect(other.server.seen[1]?.at).toBeGreaterThanOrEqual(Date.parse(date));
  });

  it('leaves a long Retry-After to the engine', async () => {
    const { server, models } = await serve([status(429, {}, { 'retry-after': '3600' })]);
    await expect(models.complete(request, never)).rejects.toMatchObject({
      code: 'model.rate-limited',
      retryAfterMs: 3_600_000,
    });
    expect(server.seen).toHaveLength(1);
  });

  it('does not repeat what cannot succeed', async () => {
    const { server, models } = await serve([status(401, {})]);
    await expect(models.complete(request, never)).rejects.toMatchObject({ code: 'model.auth' });
    expect(server.seen).toHaveLength(1);
  });

  it('gives up after its retries, with the last failure', async () => {
    const { server, models } = await serve([status(503, 'busy')], { retries: 2 });
    await expect(models.complete(request, never)).rejects.toMatchObject({ code: 'model.unavailable' });
    expect(server.seen).toHaveLength(3);
  });

  it('ends a call that takes too long, and tries again', async () => {
    const { models } = await serve([hangs, streams('late')], { timeoutMs: 150 });
    expect((await models.complete(request, never)).text).toBe('late');
    await close?.();
    const stuck = await serve([hangs], { timeoutMs: 50, retries: 0 });
    await expect(stuck.models.complete(request, never)).rejects.toMatchObject({ code: 'model.timeout' });
  });

  it('is cancelled at once, while calling and while waiting for the next try', async () => {
    const calling = await serve([hangs]);
    const first = new AbortController();
    setTimeout(() => first.abort(), 20);
    await expect(calling.models.complete(request, first.signal)).rejects.toMatchObject({ code: 'node.cancelled' });
    await close?.();
    const waiting = await serve([status(429, {}, { 'retry-after': '30' })]);
    const second = new AbortController();
    setTimeout(() => second.abort(), 60);
    const before = Date.now();
    await expect(waiting.models.complete(request, second.signal)).rejects.toMatchObject({ code: 'node.cancelled' });
    expect(Date.now() - before).toBeLessThan(2000);
  });

  it('keeps to its concurrency, for each model by itself', async () => {
    const { port, most } = countingPort();
    const models = resilient(port, { ...limits, concurrency: 3 });
    const calls = Array.from({ length: 20 }, (_, index) =>
      models.complete({ ...request, model: index % 2 === 0 ? 'a' : 'b' }, new AbortController().signal),
    );
    await Promise.all(calls);
    expect(most).toEqual({ a: 3, b: 3 });
  });

  it('asks before each try, when its turn has come, whether it may still begin', async () => {
    const { server, models } = await serve([status(500, 'oops'), streams('one'), streams('two')], { concurrency: 1 });
    let asked = 0;
    const mayBegin = async () => {
      asked += 1;
      if (asked > 2) throw new ForgeError('budget.exhausted', 'No more.');
    };
    const calls = ['a', 'b', 'c'].map(() => models.complete(request, never, undefined, mayBegin));
    const ended = await Promise.allSettled(calls);
    expect(ended.filter(({ status: end }) => end === 'fulfilled')).toHaveLength(1);
    for (const end of ended)
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'budget.exhausted' });
    expect(server.seen).toHaveLength(2);
  });

  it('does not let a cancelled call hold a place', async () => {
    const { port } = countingPort();
    const models = resilient(port, { ...limits, concurrency: 1 });
    const controller = new AbortController();
    controller.abort();
    await expect(models.complete(request, controller.signal)).rejects.toBeInstanceOf(ForgeError);
    expect((await models.complete(request, never)).text).toBe('ok');
  });
});

function countingPort(): { port: ModelPort; most: Record<string, number> } {
  const running: Record<string, number> = {};
  const most: Record<string, number> = {};
  const port: ModelPort = {
    rehearsed: false,
    identity: (model) => `fake:${model ?? 'default'}`,
    async complete({ model = 'default' }): Promise<ModelResult> {
      running[model] = (running[model] ?? 0) + 1;
      most[model] = Math.max(most[model] ?? 0, running[model]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running[model] -= 1;
      return {
        text: 'ok',
        provider: 'fake',
        model,
        usage: { input: 0, cached: 0, output: 0 },
        usd: null,
        milliseconds: 5,
        finish: 'stop',
      };
    },
  };
  return { port, most };
}

describe('RateLimit', () => {
  it('starts no more than the allowed number in any minute', () => {
    const rate = new RateLimit(3);
    const starts = [0, 10, 20, 30, 40, 50, 60].map((now) => now + rate.reserve(now));
    expect(starts).toEqual([0, 10, 20, 60_000, 60_010, 60_020, 120_000]);
  });

  it('holds everything back while the server asks to wait', () => {
    const rate = new RateLimit(null);
    rate.pauseUntil(500);
    expect(rate.reserve(100)).toBe(400);
    expect(rate.reserve(600)).toBe(0);
  });
});
