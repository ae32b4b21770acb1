import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { GraphDocument } from '@cua-forge/spec/document';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServices, startServices } from '../support/services.ts';
import { modelAt, slowModel } from '../support/slow-model.ts';
import { seriousFaults } from './axe.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
let services: RunningServices;
let studio: StudioPage;
let model: Awaited<ReturnType<typeof slowModel>>;
let folder: string;

/** Dollars per million tokens; each call of the stand-in takes 7 tokens and gives 3. */
const price = {
  provider: 'openai',
  host: '127.0.0.1',
  model: 'test-model',
  input: 10_000,
  cached: 1_000,
  output: 20_000,
};

const rivers = GraphDocument.parse({
  forge: 1,
  id: 'rivers',
  title: 'Rivers',
  skill: 'river-lore',
  nodes: [{ id: 'draft', kind: 'llm.generate', version: 1, params: { prompt: 'Rivers.', inputs: {} } }],
  outputs: { text: 'draft.text' },
});

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  folder = await mkdtemp(join(tmpdir(), 'board-prices-'));
  await writeFile(join(folder, 'prices.json'), JSON.stringify([{ ...price, validFrom: '2026-01-01' }]));
  model = await slowModel(20);
  services = await startServices({
    env: modelAt(model.baseUrl, { FORGE_MODEL_PRICES: join(folder, 'prices.json') }),
  });
  await services.api.saveDocument('rivers', { document: rivers, expectedRevision: null });
  studio = await openPage(`${services.url}/costs`);
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
  await model?.close();
  await rm(folder, { recursive: true, force: true });
});

const cells = async (text: string) =>
  studio.page.locator('.list tbody tr').filter({ hasText: text }).locator('td').allTextContents();

describe('the costs page', () => {
  it('says that nothing was spent, and follows what is', async () => {
    const { page } = studio;
    await page.getByRole('heading', { name: 'No model was asked in this time' }).waitFor();
    await services.api.startBatch({ documentId: 'rivers', count: 4, seed: 1, window: 2 });
    await expect
      .poll(() => cells('river-lore'), { timeout: 60_000 })
      .toEqual(
        // 28 tokens in and 12 out at the prices above: 0.28 + 0.24 dollars.
        ['river-lore', '$0.52', '4', '28', '0', '12', '0', '–', '–'],
      );
  });

  it('adds up by model, batch and node, by keyboard', async () => {
    const { page } = studio;
    await page.getByRole('tab', { name: 'Skill' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('tab', { name: 'Run' }).and(page.locator('[aria-selected="true"]')).waitFor();
    for (const [tab, key] of [
      ['Model', 'openai:test-model'],
      ['Node', 'rivers/draft'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await expect.poll(async () => (await cells(key))[1]).toBe('$0.52');
    }
    await page.getByRole('tab', { name: 'Batch' }).click();
    const [batch] = (await services.api.batches()).batches;
    await page.locator(`a[href="/batches/${batch?.id}"]`).waitFor();
  });

  it('shows one period alone', async () => {
    const { page } = studio;
    await page.getByLabel('Period').selectOption('custom');
    await page.getByLabel('First day (UTC)').fill('2020-01-01');
    await page.getByLabel('Last day (UTC)').fill('2020-01-31');
    await page.getByRole('heading', { name: 'No model was asked in this time' }).waitFor();
    await page.getByLabel('Period').selectOption('all time');
    await page.locator('.list tbody tr').first().waitFor();
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (theme) => {
    const other = await openPage(`${services.url}/costs`, theme);
    try {
      await other.page.locator('.list tbody tr').first().waitFor();
      expect(await seriousFaults(other.page)).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('kept to its security policy and threw nothing', () => {
    expect(studio.faults).toEqual([]);
  });
});
