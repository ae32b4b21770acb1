import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findModelKit } from '@cua-forge/cli/models/model-kit';
import { createModels } from '@cua-forge/models/create-models';
import { modelsConfigFromEnv } from '@cua-forge/models/models-config';
import { testModel } from '@cua-forge/models/test-model';
import type { ModelRequest } from '@cua-forge/spec/model-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const kit = await findModelKit(process.env);
const never = new AbortController().signal;
const schema = {
  type: 'object',
  properties: { river: { type: 'string', maxLength: 20 }, length: { type: 'integer' } },
  required: ['river', 'length'],
  additionalProperties: false,
};
const request: ModelRequest = {
  purpose: 'draft',
  system: 'You know the rivers of the world, their names, where they begin, and where they end. You answer briefly.',
  messages: [{ role: 'user', content: 'Name a river in Africa.' }],
  maxOutputTokens: 24,
  temperature: 0.6,
  seed: 5,
};

/** The server ends with its standard input, so it does not outlive this process. */
async function startServer({ python, weights }: { python: string; weights: string }) {
  const script = join(import.meta.dirname, '../../packages/models/runtime/test-server.py');
  const child = spawn(python, [script, weights], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString('utf8')).slice(-2_000);
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The model server ended before it was ready: ${said}`);
  });
  const ready = once(createInterface({ input: child.stdout }), 'line');
  const [url] = await Promise.race([ready, ended]);
  return {
    url: `${url}/v1`,
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
      if (child.exitCode === null) await once(child, 'exit');
      clearTimeout(timer);
    },
  };
}

const title = 'missing' in kit ? `a real server (left out: ${kit.missing})` : 'a real server';
describe.skipIf('missing' in kit)(title, () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    if ('missing' in kit) return;
    server = await startServer(kit);
  });
  afterAll(() => server?.stop());

  const models = (provider: 'openai' | 'anthropic', key = 'test-key') => {
    const name = provider === 'openai' ? 'OPENAI' : 'ANTHROPIC';
    return createModels(
      modelsConfigFromEnv({
        FORGE_MODEL_PROVIDER: provider,
        FORGE_MODEL: 'tiny',
        FORGE_MODEL_RETRIES: '0',
        [`FORGE_${name}_BASE_URL`]: server.url,
        [`FORGE_${name}_API_KEY`]: key,
      }),
    );
  };

  it.each(['openai', 'anthropic'] as const)(
    'answers over the protocol of %s, and counts what it had cached',
    async (provider) => {
      const port = models(provider);
      const first = await port.complete(request, never);
      expect(first).toMatchObject({ provider, model: 'tiny', usd: null });
      expect(first.text.trim()).not.toBe('');
      expect(first.usage.input).toBeGreaterThan(20);
      expect(first.usage.output).toBeGreaterThan(0);
      expect(first.usage.output).toBeLessThanOrEqual(24);

      const again = await port.complete(
        { ...request, messages: [{ role: 'user', content: 'Name a river in Asia.' }] },
        never,
      );
      expect(again.usage.cached).toBeGreaterThan(10);
      expect(again.usage.cached).toBeLessThanOrEqual(again.usage.input);
    },
  );

  it('constrains answers to a schema over the protocol of openai', async () => {
    const { text, finish } = await models('openai').complete({ ...request, schema, maxOutputTokens: 60 }, never);
    expect(finish).toBe('stop');
    expect(JSON.parse(text)).toEqual({ river: expect.any(String), length: expect.any(Number) });
    expect(await testModel(models('openai'), null, never)).toMatchObject({
      ok: true,
      answeredBy: 'tiny',
      failure: null,
    });
  });

  it('takes an answer under a schema over the protocol of anthropic, used tool or not', async () => {
    const { text, usage } = await models('anthropic').complete({ ...request, schema, maxOutputTokens: 30 }, never);
    expect(text.trim()).not.toBe('');
    expect(usage.output).toBeGreaterThan(0);
  });

  it.each(['openai', 'anthropic'] as const)('says what is wrong over the protocol of %s', async (provider) => {
    const long = { ...request, messages: [{ role: 'user' as const, content: 'river '.repeat(4_000) }] };
    await expect(models(provider).complete(long, never)).rejects.toMatchObject({ code: 'model.prompt-too-large' });
    const refused = await testModel(models(provider, 'another-key'), null, never);
    expect(refused).toMatchObject({ ok: false, failure: { code: 'model.auth' } });
    expect(JSON.stringify(refused)).not.toContain('another-key');
  });

  it.each(['openai', 'anthropic'] as const)('is cancelled in mid-answer over the protocol of %s', async (provider) => {
    const controller = new AbortController();
    const answer = models(provider).complete({ ...request, maxOutputTokens: 1_500 }, controller.signal);
    setTimeout(() => controller.abort(), 30);
    await expect(answer).rejects.toMatchObject({ code: 'node.cancelled' });
    // The server is free for the next one.
    expect((await models(provider).complete({ ...request, maxOutputTokens: 4 }, never)).usage.output).toBeGreaterThan(
      0,
    );
  });
});
