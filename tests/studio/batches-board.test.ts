import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { GraphDocument } from '@cua-forge/spec/document';
import type { Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { modelAt, slowModel } from '../support/slow-model.ts';
import { seriousFaults } from './axe.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
let services: RunningServices;
let studio: StudioPage;
/** Stands in for a model: each call takes 7 tokens and gives 3. */
let model: Awaited<ReturnType<typeof slowModel>>;

const single = (id: string, title: string, kind: string, params: object, output: string) =>
  GraphDocument.parse({
    forge: 1,
    id,
    title,
    nodes: [{ id: 'step', kind, version: 1, params }],
    outputs: { value: `step.${output}` },
  });

const documents = [
  single('quick', 'Quick', 'data.transform', { inputs: {}, expression: '1 + 1' }, 'value'),
  single('broken', 'Broken', 'data.transform', { inputs: {}, expression: '$error("no good")' }, 'value'),
  single('asks', 'Asks', 'llm.generate', { prompt: 'Say one thing.', inputs: {} }, 'text'),
];

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  model = await slowModel(20);
  services = await startServices({ env: modelAt(model.baseUrl) });
  for (const document of documents) await services.api.saveDocument(document.id, { document, expectedRevision: null });
  studio = await openPage(`${services.url}/batches`);
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
  await model?.close();
});

const idOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
const badge = ({ page }: StudioPage) => page.locator('.page-head .badge').first();
const figure = ({ page }: StudioPage, label: string) =>
  page.locator('.figure').filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) });

describe('the batches board', () => {
  it('starts a batch of several workflows by keyboard, and follows it to its end without a reload', async () => {
    const { page } = studio;
    await page.getByRole('heading', { name: 'No batches yet' }).waitFor();
    await page.getByRole('button', { name: 'Start a batch' }).first().focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Quick').focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel('Broken').focus();
    await page.keyboard.press('Space');
    expect(await dialog.getByRole('button', { name: 'Start' }).isEnabled()).toBe(true);
    await dialog.getByLabel('Runs of each').fill('none');
    expect(await dialog.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Runs of each').fill('15');
    await dialog.getByText('30 runs in all.').waitFor();
    await dialog.getByLabel('At once').focus();
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Quick, Broken' }).waitFor();
    await expect.poll(() => badge(studio).textContent(), { timeout: 120_000 }).toBe('done');
    await expect.poll(() => figure(studio, 'Accepted').locator('.figure-value').textContent()).toBe('15');
    expect(await figure(studio, 'Failed').locator('.figure-value').textContent()).toBe('15');
    await expect.poll(() => page.locator('.plot').getAttribute('aria-label')).toMatch(/15 accepted, .* 15 failed/);
    expect(await page.locator('.plot canvas').count()).toBe(1);
    const { batch, counts } = await services.api.batch(idOf(page.url()));
    expect({ window: batch.window, ...counts }).toMatchObject({ window: 4, accepted: 15, failed: 15 });
  });

  it('filters its runs, and draws only the rows in view', async () => {
    const { page } = studio;
    await expect.poll(() => page.locator('.run-list').getAttribute('aria-rowcount')).toBe('31');
    expect(await page.locator('.run-row').count()).toBeLessThan(30);
    await page.getByLabel('State').selectOption('failed');
    await page.getByText('15 of 30').waitFor();
    await page.getByLabel('Filter runs').fill('broken, seed 7');
    await expect.poll(() => page.locator('.run-row').count()).toBe(1);
    expect(await page.locator('.run-row').textContent()).toContain('no good');
    await page.getByLabel('Filter runs').fill('');
    await page.getByLabel('State').selectOption('');
  });

  it('runs again what failed in one way', async () => {
    const { page } = studio;
    const id = idOf(page.url());
    const [code] = Object.keys((await services.api.batch(id)).failures);
    await page.getByRole('button', { name: `Retry ${code}` }).click();
    await page.getByText('15 runs run again.').waitFor();
    await eventually('the second round to end', async () => {
      const { runs } = await services.api.runs({ batchId: id, state: 'failed' });
      return runs.length === 15 && runs.every(({ epoch }) => epoch === 2);
    });
    await expect.poll(() => badge(studio).textContent(), { timeout: 60_000 }).toBe('done');
  });

  it('pauses, resumes, and goes on when its budget is raised', async () => {
    const { page } = studio;
    const started = await services.api.startBatch({
      documentId: 'asks',
      count: 12,
      seed: 1,
      window: 1,
      budget: { usd: null, tokens: 60 },
    });
    await page.getByRole('link', { name: 'Batches' }).click();
    await page.getByRole('link', { name: 'Asks' }).click();
    await expect.poll(() => badge(studio).textContent(), { timeout: 60_000 }).toBe('out of budget');
    await page.getByRole('button', { name: 'Budget and window' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Budget in tokens').inputValue()).toBe('60');
    await dialog.getByLabel('Budget in tokens').fill('1000000');
    await dialog.getByLabel('Runs at once').fill('3');
    await dialog.getByRole('button', { name: 'Apply and resume' }).click();
    await expect.poll(() => badge(studio).textContent(), { timeout: 60_000 }).toBe('done');
    const { batch, counts } = await services.api.batch(started.id);
    expect(batch).toMatchObject({ window: 3, budget: { usd: null, tokens: 1_000_000 } });
    expect(counts.accepted).toBe(12);
    expect(await figure(studio, 'For each accepted').textContent()).toContain('10 tokens');
    await expect
      .poll(() => page.locator('.pair-plots .plot').first().getAttribute('aria-label'), { timeout: 30_000 })
      .toBe('120 tokens in all.');
  });

  it('says by skill what was accepted, what it cost, and by which version', async () => {
    const { page, faults } = studio;
    await page.getByRole('link', { name: 'Skills' }).click();
    const skill = page.getByRole('region', { name: 'Without a skill' });
    await skill.getByText('27 accepted').waitFor();
    await skill.getByText('64 %', { exact: true }).waitFor();
    expect(await skill.locator('.list tbody tr').count()).toBe(3);
    await skill.getByRole('link', { name: 'Asks', exact: true }).waitFor();
    await skill.getByText('Tokens and money of the last 30 days').click();
    await skill.locator('.plot canvas').first().waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.getByRole('link', { name: 'Batches' }).click();
    await page.getByRole('link', { name: 'Asks' }).first().click();
  });

  it('loads no more than 300 kB, compressed, for the page with the plot', async () => {
    const { page } = studio;
    const loaded: Promise<number>[] = [];
    const weigh = (response: Response) => {
      if (/\.(js|css)$/.test(response.url())) loaded.push(response.body().then((body) => gzipSync(body).length));
    };
    page.on('response', weigh);
    await page.reload();
    await page.locator('.plot canvas').first().waitFor();
    page.off('response', weigh);
    const sizes = await Promise.all(loaded);
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
  });

  it('cancels after a question, and leads to the Temporal UI', async () => {
    const { page } = studio;
    const { id } = await services.api.startBatch({ documentId: 'quick', count: 400, seed: 1, window: 1 });
    await page.getByRole('link', { name: 'Batches' }).click();
    await page.locator(`a[href="/batches/${id}"]`).click();
    await page
      .locator(`a[href^="/temporal/namespaces/default/workflows/"][href*="${id}"]`)
      .getByText('Temporal', { exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => badge(studio).textContent()).toBe('paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => badge(studio).textContent()).toBe('running');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel the batch' }).click();
    await expect.poll(() => badge(studio).textContent(), { timeout: 60_000 }).toBe('cancelled');
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (theme) => {
    const { batches } = await services.api.batches();
    const other = await openPage(`${services.url}/batches`, theme);
    try {
      await other.page.locator('.board-list tbody tr').first().waitFor();
      const faults = await seriousFaults(other.page);
      await other.page.goto(`${services.url}/batches/${batches.at(-1)?.id}`);
      await other.page.locator('.run-row').first().waitFor();
      faults.push(...(await seriousFaults(other.page)));
      await other.page.goto(`${services.url}/batches`);
      await other.page.getByRole('button', { name: 'Start a batch' }).click();
      await other.page.getByRole('dialog').getByLabel('Quick').waitFor();
      faults.push(...(await seriousFaults(other.page)));
      expect(faults).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('keeps what it shows while the server is away, says so, and catches up', async () => {
    const { page, faults } = studio;
    const before = faults.length;
    await services.end('server');
    await page.getByText('What is shown is what was last known').waitFor({ timeout: 60_000 });
    expect(await page.locator('.run-row').count()).toBeGreaterThan(0);
    await services.restart('server');
    await eventually(
      'the notices to go',
      async () => (await page.locator('.banner, .notice.warn').count()) === 0,
      60_000,
    );
    // What the browser itself says about refused connections is expected here.
    faults.splice(before);
    await page.goto(`${services.url}/batches/none`);
    await page.getByText('There is no batch "none".').waitFor();
    faults.splice(before);
  });

  it('kept to its security policy and threw nothing', () => {
    expect(studio.faults).toEqual([]);
  });
});
