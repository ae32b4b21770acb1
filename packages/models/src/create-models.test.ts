import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ModelRequest } from '@cua-forge/spec/model-port';
import { fakeChatServer, streams } from '@cua-forge/testing/fake-chat-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from './create-models.ts';
import { modelsConfigFromEnv } from './models-config.ts';
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
    for (const damage of ['{"format": 1', '{"format": 1}']) {
      await writeFile(join(folder, name), damage);
      await expect(player.complete(request, never)).rejects.toMatchObject({
        code: 'model.no-recording',
        fix: expect.stringContaining('record the request again'),
      });
    }
  });

  it('keeps many recordings in one file, packed or not, that replays whichever server was asked', async () => {
    const server = await fakeChatServer([streams('The Rhine'), streams('The Po')]);
    const file = join(folder, 'runs.jsonl');
    const env = { FORGE_MODEL_PROVIDER: 'openai', FORGE_MODEL: 'small' };
    const recorder = createModels(
      modelsConfigFromEnv({ ...env, FORGE_OPENAI_BASE_URL: server.baseUrl, FORGE_CASSETTES: `record:${file}` }),
    );
    await recorder.complete(request, never);
    await recorder.complete({ ...request, seed: 4 }, never);
    await server.close();
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toMatch(/127\.0\.0\.1|Name a river/);

    await writeFile(`${file}.gz`, gzipSync(await readFile(file)));
    for (const place of [file, `${file}.gz`]) {
      const player = createModels(
        modelsConfigFromEnv({
          ...env,
          FORGE_OPENAI_BASE_URL: 'http://elsewhere.example/v1',
          FORGE_CASSETTES: `replay:${place}`,
        }),
      );
      expect((await player.complete({ ...request, seed: 4 }, never)).text).toBe('The Po');
      // The same model, with its provider named.
      expect((await player.complete({ ...request, model: 'openai:small' }, never)).text).toBe('The Rhine');
      await expect(player.complete({ ...request, model: 'other' }, never)).rejects.toMatchObject({
        code: 'model.no-recording',
      });
    }
    const packed = createModels(
      modelsConfigFromEnv({ FORGE_CASSETTES: `record:${file}.gz`, FORGE_MODEL_PROVIDER: 'rehearsal' }),
    );
    await expect(packed.complete(request, never)).rejects.toMatchObject({ code: 'input.invalid' });
  });

  it('sends a request to the provider that its model names', async () => {
    const server = await fakeChatServer([streams('Hello')]);
    const models = createModels(modelsConfigFromEnv({ FORGE_OPENAI_BASE_URL: server.baseUrl }));
    const asked = { ...request, rehearsal: ['The Elbe'] };
    expect(await models.complete({ ...asked, model: 'llama3:8b' }, never)).toMatchObject({ provider: 'rehearsal' });
    expect(await models.complete({ ...asked, model: 'openai:llama3:8b' }, never)).toMatchObject({
      provider: 'openai',
      model: 'llama3:8b',
      usd: null,
    });
    expect(server.seen[0]?.body).toMatchObject({ model: 'llama3:8b' });
    expect([models.identity(), models.identity('anthropic:claude-x'), models.identity('local:tiny')]).toEqual([
      'rehearsal',
      'anthropic:claude-x@api.anthropic.com',
      'local:tiny',
    ]);
    await expect(models.complete({ ...asked, model: 'anthropic:' }, never)).rejects.toMatchObject({
      code: 'params.invalid',
    });
    await expect(models.complete({ ...asked, model: 'local:not-there' }, never)).rejects.toMatchObject({
      code: 'tool.missing',
      fix: expect.stringContaining('forge models pull not-there'),
    });
    await server.close();
  });
});

describe('modelsConfigFromEnv', () => {
  it.each([
    [{ FORGE_MODEL_PROVIDER: 'oracle' }, 'FORGE_MODEL_PROVIDER'],
    [{ FORGE_MODEL_PROVIDER: 'openai' }, 'FORGE_MODEL'],
    [{ FORGE_OPENAI_BASE_URL: 'file:///etc' }, 'FORGE_OPENAI_BASE_URL'],
    [{ FORGE_CASSETTES: 'listen:here' }, 'FORGE_CASSETTES'],
    [{ FORGE_MODEL_CONCURRENCY: 'many' }, 'FORGE_MODEL_CONCURRENCY'],
    [{ FORGE_MODEL_PROVIDER: 'anthropic' }, 'FORGE_MODEL'],
    [{ FORGE_ANTHROPIC_BASE_URL: 'nowhere' }, 'FORGE_ANTHROPIC_BASE_URL'],
    [{ FORGE_LOCAL_CONTEXT: '3' }, 'FORGE_LOCAL_CONTEXT'],
    [{ FORGE_MODEL_PRICES: '/not/there.yaml' }, 'FORGE_MODEL_PRICES'],
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
    expect(config.openAiKey).toBeUndefined();
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
