import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelRequest } from '@cua-forge/spec/model-port';
import { fakeChatServer, streams } from '@cua-forge/testing/fake-chat-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from './create-models.ts';
import { modelsConfigFromEnv } from './models-config.ts';
import { priceAt } from './prices.ts';
import { retryAfterMs } from './retry-after.ts';

const never = new AbortController().signal;
const request: ModelRequest = {
  purpose: 'draft',
  messages: [{ role: 'user', content: 'Name a river.' }],
  maxOutputTokens: 10,
  temperature: 0,
  seed: 3,
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cassettes-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('createModels', () => {
  it('rehearses by default', async () => {
    const models = createModels(modelsConfigFromEnv({}));
    expect(models.identity()).toBe('rehearsal');
    expect((await models.complete({ ...request, rehearsal: ['The Elbe'] }, never)).text).toBe('The Elbe');
  });

  it('refuses a prompt over the limit before it calls anything', async () => {
    const models = createModels(modelsConfigFromEnv({ FORGE_MODEL_MAX_PROMPT_BYTES: '1000' }));
    const long = { ...request, messages: [{ role: 'user' as const, content: 'ä'.repeat(501) }] };
    await expect(models.complete(long, never)).rejects.toMatchObject({
      code: 'model.prompt-too-large',
      message: expect.stringContaining('1002'),
    });
  });

  it('records answers without the key and replays them without the server', async () => {
    const server = await fakeChatServer([streams('The Rhine')]);
    const env = { FORGE_MODEL_PROVIDER: 'openai', FORGE_MODEL: 'small', FORGE_OPENAI_BASE_URL: server.baseUrl };
    const recorder = createModels(
      modelsConfigFromEnv({ ...env, FORGE_OPENAI_API_KEY: 'sk-hush', FORGE_CASSETTES: `record:${folder}` }),
    );
    expect(await recorder.complete(request, never)).toMatchObject({
      text: 'The Rhine',
      usage: { input: 7, output: 3 },
    });
    await server.close();
    const [name = ''] = await readdir(folder);
    expect(await readFile(join(folder, name), 'utf8')).not.toContain('sk-hush');

    const player = createModels(modelsConfigFromEnv({ ...env, FORGE_CASSETTES: `replay:${folder}` }));
    expect(player.identity()).toBe(recorder.identity());
    expect(await player.complete({ ...request, purpose: 'other words' }, never)).toMatchObject({
      text: 'The Rhine',
      provider: 'replay:openai',
      usd: 0,
      usage: { input: 0, cached: 0, output: 0 },
    });
    await expect(player.complete({ ...request, seed: 4 }, never)).rejects.toMatchObject({
      code: 'model.no-recording',
      message: expect.stringMatching(/draft.*Name a river/),
    });
    await writeFile(join(folder, name), '{"format": 1');
    await expect(player.complete(request, never)).rejects.toMatchObject({
      code: 'model.no-recording',
      message: expect.stringContaining('damaged'),
    });
  });
});

describe('modelsConfigFromEnv', () => {
  it.each([
    [{ FORGE_MODEL_PROVIDER: 'oracle' }, 'FORGE_MODEL_PROVIDER'],
    [{ FORGE_MODEL_PROVIDER: 'openai' }, 'FORGE_MODEL'],
    [{ FORGE_OPENAI_BASE_URL: 'file:///etc' }, 'FORGE_OPENAI_BASE_URL'],
    [{ FORGE_CASSETTES: 'listen:here' }, 'FORGE_CASSETTES'],
    [{ FORGE_MODEL_CONCURRENCY: 'many' }, 'FORGE_MODEL_CONCURRENCY'],
  ])('names the variable that is wrong: %j', (env, variable) => {
    expect(() => modelsConfigFromEnv(env)).toThrow(
      expect.objectContaining({ code: 'input.invalid', message: expect.stringContaining(`${variable} `) }),
    );
  });

  it('reads limits and takes empty variables as unset', () => {
    const config = modelsConfigFromEnv({
      FORGE_MODEL_RETRIES: '0',
      FORGE_MODEL_REQUESTS_PER_MINUTE: '90',
      FORGE_OPENAI_API_KEY: '',
    });
    expect(config.limits).toMatchObject({ retries: 0, requestsPerMinute: 90, concurrency: 4 });
    expect(config.apiKey).toBeUndefined();
  });
});

describe('priceAt', () => {
  const price = (from: string, inputPerMillion: number) => ({
    model: 'm',
    from,
    inputPerMillion,
    cachedPerMillion: 0,
    outputPerMillion: 0,
  });
  it('takes the price of the day, of the model or of its dated snapshot', () => {
    const prices = [price('2025-03-01', 2), price('2025-01-01', 1)];
    const at = (day: string, model = 'm') => priceAt(prices, model, Date.parse(day))?.inputPerMillion ?? null;
    expect([at('2024-12-31'), at('2025-02-01'), at('2025-03-01'), at('2026-01-01', 'm-2025-02-03')]).toEqual([
      null,
      1,
      2,
      2,
    ]);
    expect(at('2026-01-01', 'other')).toBeNull();
  });
});

describe('retryAfterMs', () => {
  it('reads seconds and dates, and nothing else', () => {
    const now = Date.parse('2025-01-01T00:00:00Z');
    expect(retryAfterMs('12', now)).toBe(12_000);
    expect(retryAfterMs('Wed, 01 Jan 2025 00:00:05 GMT', now)).toBe(5000);
    expect(retryAfterMs('Tue, 31 Dec 2024 00:00:05 GMT', now)).toBe(0);
    expect([retryAfterMs('soon', now), retryAfterMs(null, now)]).toEqual([undefined, undefined]);
  });
});
