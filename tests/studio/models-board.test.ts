import { join } from 'node:path';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { GraphDocument } from '@cua-forge/spec/document';
import { type Behaviour, fakeChatServer, streams } from '@cua-forge/testing/fake-chat-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServices, startServices } from '../support/services.ts';
import { modelAt, promptOf } from '../support/slow-model.ts';
import { seriousFaults } from './axe.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
let services: RunningServices;
let studio: StudioPage;
let model: Awaited<ReturnType<typeof fakeChatServer>>;

/** Answers the test call as it asks, and any other prompt with the prompt. */
const answer: Behaviour = (response, request) => {
  const prompt = promptOf(request);
  streams(prompt.startsWith('Are you ready') ? '{"ready": true}' : `About ${prompt.toLowerCase()}`)(response, request);
};

const names = GraphDocument.parse({
  forge: 1,
  id: 'names',
  title: 'Names',
  inputs: { topic: { type: 'text' } },
  nodes: [
    {
      id: 'draft',
      kind: 'llm.generate',
      version: 1,
      params: { prompt: 'A name for {{ topic }}.', inputs: { topic: 'text' }, examples: ['The {{ topic }} one'] },
    },
  ],
  edges: [{ from: '$inputs.topic', to: 'draft.topic' }],
  outputs: { text: 'draft.text' },
});

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  model = await fakeChatServer([answer]);
  services = await startServices({ env: modelAt(model.baseUrl, { FORGE_OPENAI_API_KEY: 'sk-board-secret' }) });
  await services.api.saveDocument('names', { document: names, expectedRevision: null });
  studio = await openPage(`${services.url}/models`);
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
  await model?.close();
});

const provider = (name: string) => studio.page.getByRole('region', { name, exact: true });

describe('the models page', () => {
  it('lists providers with prices and whether a key is there, and no key', async () => {
    const { page } = studio;
    await provider('openai').getByText('key set').waitFor();
    await provider('openai').getByText('default', { exact: true }).waitFor();
    const row = provider('anthropic')
      .locator('tr')
      .filter({ hasText: /^claude-sonnet-4-5\d/ });
    expect((await row.first().locator('td').allTextContents()).slice(0, 2)).toEqual(['claude-sonnet-4-5', '3']);
    await provider('anthropic').getByText('key missing').waitFor();
    expect(await page.content()).not.toContain('sk-board-secret');
  });

  it('tests a provider, and says why one does not answer', async () => {
    await provider('openai').getByRole('button', { name: 'Test openai' }).click();
    await provider('openai').getByRole('status').getByText('answered').waitFor();
    await provider('local').getByLabel('Model of local to test').fill('not-there');
    await provider('local').getByRole('button', { name: 'Test local' }).click();
    await provider('local').getByRole('alert').getByText('forge models pull not-there').waitFor();
  });

  it('plays a node with several models side by side, with another prompt', async () => {
    const { page } = studio;
    const before = (await services.api.runs()).runs.length;
    await page.getByLabel('Workflow').selectOption('Names');
    await page.getByLabel('Node that asks a model').selectOption('draft');
    expect(await page.getByLabel('Prompt').inputValue()).toBe('A name for {{ topic }}.');
    await page.getByLabel('Prompt').fill('Call {{ topic }} something.');
    await page.getByLabel('Models', { exact: true }).fill('openai:test-model\nrehearsal:');
    await page.getByLabel('Inputs', { exact: true }).fill('{"topic": [');
    expect(await page.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true);
    await page.getByLabel('Inputs', { exact: true }).fill('{"topic": ["lakes"]}');
    await page.getByRole('button', { name: 'Compare' }).click();
    const cards = page.getByRole('list', { name: 'Answers by model' }).getByRole('listitem');
    await expect.poll(() => cards.count(), { timeout: 60_000 }).toBe(2);
    expect(await cards.nth(0).textContent()).toContain('About call lakes something.');
    expect(await cards.nth(1).textContent()).toContain('rehearsal');
    expect(await cards.nth(1).textContent()).toContain('lakes');
    expect((await services.api.runs()).runs).toHaveLength(before);
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (theme) => {
    const other = await openPage(`${services.url}/models`, theme);
    try {
      await other.page.getByRole('region', { name: 'openai', exact: true }).waitFor();
      expect(await seriousFaults(other.page)).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('kept to its security policy and threw nothing', () => {
    expect(studio.faults).toEqual([]);
  });
});
