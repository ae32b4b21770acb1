import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, type RunningServices, startServices } from '../support/services.ts';

const document = {
  forge: 1,
  id: 'names',
  title: 'Names',
  inputs: { topic: { type: 'text' } },
  nodes: [
    {
      id: 'draft',
      kind: 'llm.generate',
      version: 1,
      params: {
        prompt: 'A name for {{ topic }}.',
        inputs: { topic: 'text' },
        schema: {
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
          additionalProperties: false,
        },
        examples: [{ name: 'The {{ topic }} one' }, { name: 'About {{ topic }}' }, { name: 'Of {{ topic }}' }],
      },
    },
    {
      id: 'shout',
      kind: 'data.transform',
      version: 1,
      params: { inputs: { draft: 'json' }, outputs: { name: 'text' }, expression: '{"name": $uppercase(draft.name)}' },
    },
  ],
  edges: [
    { from: '$inputs.topic', to: 'draft.topic' },
    { from: 'draft.value', to: 'shout.draft' },
  ],
  outputs: { name: 'shout.name' },
};

let services: RunningServices;
let run: string;
beforeAll(async () => {
  services = await startServices({
    env: {
      FORGE_OPENAI_API_KEY: 'sk-playground-secret',
      FORGE_OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      FORGE_MODEL_RETRIES: '0',
    },
  });
  await services.api.saveDocument('names', { source: JSON.stringify(document), expectedRevision: null });
  const started = await services.api.startRun({ documentId: 'names', inputs: { topic: 'rivers' }, seed: 4 });
  run = started.id;
  await eventually('the run succeeds', async () => (await services.api.run(run)).run.state === 'succeeded');
});
afterAll(() => services?.stop());

it('lists providers with prices and whether keys are there, and no key', async () => {
  const view = await services.api.models();
  const by = Object.fromEntries(view.providers.map((one) => [one.name, one]));
  expect(by.rehearsal).toMatchObject({ isDefault: true, ready: true });
  expect(by.openai).toMatchObject({ key: 'set', address: 'http://127.0.0.1:9/v1', models: [] });
  expect(by.anthropic).toMatchObject({ key: 'missing', ready: false, detail: 'set FORGE_ANTHROPIC_API_KEY' });
  expect(by.anthropic?.models.find(({ name }) => name === 'claude-sonnet-4-5')?.price).toMatchObject({
    input: 3,
    output: 15,
  });
  expect(JSON.stringify(view)).not.toContain('sk-playground-secret');
});

it('tests a model with one tiny call, and says why one does not answer', async () => {
  expect(await services.api.testModel({})).toMatchObject({ ok: true, provider: 'rehearsal', usd: 0 });
  expect(await services.api.testModel({ model: 'openai:small' })).toMatchObject({
    ok: false,
    failure: { code: 'model.unavailable', fix: expect.stringContaining('FORGE_OPENAI_BASE_URL') },
  });
  expect(await services.api.testModel({ model: 'local:not-there' })).toMatchObject({
    ok: false,
    failure: { code: 'tool.missing', fix: expect.stringContaining('forge models pull not-there') },
  });
});

it('plays a node of a run with several models and commits nothing', async () => {
  const before = JSON.stringify([await services.api.run(run), await services.api.node(run, { key: 'draft' })]);
  const played = await services.api.playNode({ run, node: 'draft', models: ['rehearsal:', 'openai:small'] });
  expect(played).toMatchObject({ label: 'playground', node: 'draft', kind: 'llm.generate', seed: 4 });
  const [rehearsed, unreachable] = played.results;
  expect(rehearsed).toMatchObject({
    valid: true,
    rehearsed: true,
    outputs: { value: { name: expect.stringContaining('rivers') } },
    usd: 0,
    failure: null,
  });
  expect(rehearsed?.calls).toHaveLength(1);
  expect(unreachable).toMatchObject({
    valid: false,
    rehearsed: false,
    outputs: {},
    failure: { code: 'model.unavailable' },
    calls: [{ provider: 'openai', text: null }],
  });
  expect(JSON.stringify([await services.api.run(run), await services.api.node(run, { key: 'draft' })])).toBe(before);
});

it('plays a node of a document with the inputs and params that are given', async () => {
  const asked = { documentId: 'names', node: 'draft', models: ['rehearsal:'], inputs: { topic: ['lakes'] }, seed: 9 };
  const [result] = (await services.api.playNode(asked)).results;
  expect(result?.outputs).toEqual({ value: { name: expect.stringContaining('lakes') } });
  const params = { prompt: 'Go', inputs: { topic: 'text' }, examples: ['Only this'] };
  expect((await services.api.playNode({ ...asked, params })).results[0]?.outputs).toEqual({ text: 'Only this' });
  const { inputs: _inputs, ...without } = asked;
  expect((await services.api.playNode(without)).results[0]).toMatchObject({
    valid: false,
    failure: { code: 'template.invalid' },
  });
});

it.each([
  [{ documentId: 'names', node: 'shout' }, 'asks no model'],
  [{ documentId: 'names', node: 'nothing' }, 'no node "nothing"'],
  [{ node: 'draft' }, 'needs a run or a document'],
  [{ documentId: 'names', node: 'draft', inputs: { other: [1] } }, 'no input "other"'],
])('refuses %j', async (request, message) => {
  await expect(services.api.playNode({ models: ['rehearsal:'], ...request })).rejects.toMatchObject({
    code: 'input.invalid',
    message: expect.stringContaining(message),
  });
});

it('refuses params that are wrong, and a run that is not there', async () => {
  const asked = { node: 'draft', models: ['rehearsal:'] };
  await expect(services.api.playNode({ ...asked, documentId: 'names', params: { prompt: '' } })).rejects.toMatchObject({
    code: 'params.invalid',
  });
  await expect(services.api.playNode({ ...asked, run: 'nope' })).rejects.toMatchObject({ code: 'run.not-found' });
});
