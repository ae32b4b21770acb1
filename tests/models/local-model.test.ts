import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findModelKit, kitModel } from '@cua-forge/cli/models/model-kit';
import { createModels } from '@cua-forge/models/create-models';
import { modelsConfigFromEnv } from '@cua-forge/models/models-config';
import { testModel } from '@cua-forge/models/test-model';
import type { ModelRequest } from '@cua-forge/spec/model-port';
import { describe, expect, it } from 'vitest';

const kit = await findModelKit(process.env);
const never = new AbortController().signal;
const request: ModelRequest = {
  purpose: 'draft',
  system: 'You know the rivers of the world, their names, where they begin, and where they end. You answer briefly.',
  messages: [{ role: 'user', content: 'Name a river in Africa.' }],
  maxOutputTokens: 24,
  temperature: 0.6,
  seed: 5,
};
const schema = {
  type: 'object',
  properties: {
    river: { type: 'string', maxLength: 20 },
    sea: { enum: ['Atlantic', 'Pacific', 'Indian Ocean'] },
    towns: { type: 'array', items: { type: 'string', maxLength: 12 }, minItems: 1, maxItems: 2 },
  },
  required: ['river', 'sea', 'towns'],
  additionalProperties: false,
};

const title = 'missing' in kit ? `a local model (left out: ${kit.missing})` : 'a local model';
describe.skipIf('missing' in kit)(title, () => {
  const cacheFolder = 'missing' in kit ? '' : kit.cacheFolder;
  const models = createModels(
    modelsConfigFromEnv({
      FORGE_MODEL_PROVIDER: 'local',
      FORGE_MODEL: kitModel,
      FORGE_CACHE: cacheFolder,
      FORGE_LOCAL_CONTEXT: '1024',
      FORGE_LOCAL_THREADS: '1',
    }),
  );

  it('answers, counts its tokens and those it had cached, and repeats itself for a seed', async () => {
    const first = await models.complete(request, never);
    expect(first).toMatchObject({ provider: 'local', model: kitModel, usd: null });
    expect(first.text.trim()).not.toBe('');
    expect(first.usage.input).toBeGreaterThan(20);
    expect(first.usage.output).toBeGreaterThan(0);
    expect(first.usage.output).toBeLessThanOrEqual(24);
    const again = await models.complete(request, never);
    expect(again.usage.cached).toBeGreaterThan(20);
    const third = await models.complete(request, never);
    expect(third.text).toBe(again.text);
    const texts = await Promise.all(
      [6, 7, 8].map((seed) => models.complete({ ...request, seed, temperature: 1.5 }, never)),
    );
    expect(new Set(texts.map(({ text }) => text)).size).toBeGreaterThan(1);
  });

  it('decodes under the grammar of a schema', async () => {
    const { text } = await models.complete({ ...request, schema, maxOutputTokens: 120 }, never);
    expect(JSON.parse(text)).toEqual({
      river: expect.any(String),
      sea: expect.stringMatching(/^(Atlantic|Pacific|Indian Ocean)$/),
      towns: expect.any(Array),
    });
    expect(await testModel(models, null, never)).toMatchObject({ ok: true, provider: 'local' });
  });

  it('is cancelled in mid-answer and then free for others, and refuses what its context cannot hold', async () => {
    const controller = new AbortController();
    const long = models.complete({ ...request, maxOutputTokens: 800, temperature: 0 }, controller.signal);
    const behind = models.complete({ ...request, maxOutputTokens: 3 }, never);
    setTimeout(() => controller.abort(), 300);
    await expect(long).rejects.toMatchObject({ code: 'node.cancelled' });
    expect((await behind).usage.output).toBeGreaterThan(0);
    await expect(models.complete({ ...request, maxOutputTokens: 2_000 }, never)).rejects.toMatchObject({
      code: 'model.prompt-too-large',
      fix: expect.stringContaining('FORGE_LOCAL_CONTEXT'),
    });
  });

  it('says what is wrong with a file that is no model, and loads the next one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-model-'));
    const file = join(folder, 'broken.gguf');
    await writeFile(file, 'this is no model');
    await expect(models.complete({ ...request, model: `local:${file}` }, never)).rejects.toMatchObject({
      code: 'model.unavailable',
      message: expect.stringContaining('broken'),
    });
    await rm(folder, { recursive: true });
    expect((await models.complete({ ...request, maxOutputTokens: 3 }, never)).usage.output).toBeGreaterThan(0);
  });
});
