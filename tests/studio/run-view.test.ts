import { join } from 'node:path';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { GraphDocument } from '@cua-forge/spec/document';
import { openStore } from '@cua-forge/store/open-store';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeLargeRun } from '../support/large-run.ts';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { modelAt, slowModel } from '../support/slow-model.ts';
import { seriousFaults } from './axe.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
let services: RunningServices;
let studio: StudioPage;
let model: Awaited<ReturnType<typeof slowModel>>;
/** A run that asks for attention: items of its map failed, and its gate sent the draft back in vain. */
let runId: string;
let largeId: string;

const transform = (id: string, title: string, inputs: Record<string, 'json'>, expression: string) => ({
  id,
  kind: 'data.transform',
  version: 1,
  title,
  params: { inputs, expression },
});

const orders = GraphDocument.parse({
  forge: 1,
  id: 'orders',
  title: 'Orders',
  nodes: [
    transform('list', 'List', {}, '[1..40]'),
    { id: 'ask', kind: 'llm.generate', version: 1, title: 'Ask', params: { prompt: 'Say one thing.', inputs: {} } },
    {
      id: 'count',
      kind: 'code.run',
      version: 1,
      title: 'Count',
      params: {
        code: 'console.log("counting", inputs.list.length); return inputs.list.length;',
        inputs: { list: 'list' },
      },
    },
    { id: 'each', kind: 'flow.map', version: 1, title: 'Each order', params: { graph: 'one' } },
    transform('draft', 'Draft', { from: 'json' }, '{"words": 5}'),
    {
      id: 'long',
      kind: 'gate.schema',
      version: 1,
      title: 'Long enough',
      params: { schema: { type: 'object', properties: { words: { minimum: 10 } } } },
      repair: { target: 'draft', rounds: 1 },
    },
  ],
  edges: [
    { from: 'list.value', to: 'each.items' },
    { from: 'list.value', to: 'count.list' },
    { from: 'ask.text', to: 'draft.from' },
    { from: 'draft.value', to: 'long.value' },
  ],
  outputs: { all: 'each.results' },
  graphs: {
    one: {
      inputs: { item: { type: 'json' } },
      nodes: [transform('check', 'Check', { item: 'json' }, 'item % 8 = 0 ? $error("a multiple of eight") : item')],
      edges: [{ from: '$inputs.item', to: 'check.item' }],
      outputs: { amount: 'check.value' },
    },
  },
});

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  model = await slowModel(20);
  services = await startServices({ env: modelAt(model.baseUrl) });
  await services.api.saveDocument('orders', { document: orders, expectedRevision: null });
  runId = (await services.api.startRun({ documentId: 'orders' })).id;
  await eventually(
    'the run to ask',
    async () => (await services.api.run(runId)).run.state === 'needs-attention',
    120_000,
  );
  const store = await openStore({ folder: services.store });
  const { run } = await services.api.run(runId);
  largeId = (await writeLargeRun(store, run, { items: 10_000, map: 'each', node: 'check' })).id;
  await store.meta.close();
  studio = await openPage(`${services.url}/runs/${runId}`);
}, 300_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
  await model?.close();
});

const choose = (page: Page, title: string) =>
  page
    .locator('.card')
    .filter({ has: page.locator('.card-title', { hasText: new RegExp(`^${title}$`) }) })
    .locator('.card-title')
    .click();
const items = (page: Page) => page.getByRole('region', { name: 'Items' });

describe('the view of a run', () => {
  it('lists what failed in a map, and retries what is chosen and nothing else', async () => {
    const { page } = studio;
    await choose(page, 'Each order');
    await items(page).getByText('40 of 40').waitFor();
    await items(page).getByRole('button', { name: 'failed 5' }).click();
    await expect.poll(() => items(page).locator('.item-row').count()).toBe(5);
    await page.getByLabel('Choose item 8', { exact: true }).check();
    await page.getByLabel('Choose item 24', { exact: true }).check();
    await items(page).getByRole('button', { name: 'Retry 2' }).click();
    await page.getByText('2 items run again.').waitFor();
    const tries = async (item: number) =>
      (await services.api.node(runId, { key: `each[${item - 1}]/check` })).outcomes.length;
    await eventually('both to have run again', async () => (await tries(8)) === 2 && (await tries(24)) === 2, 60_000);
    expect([await tries(16), await tries(7)]).toEqual([1, 1]);
    await eventually(
      'the run to ask again',
      async () => (await services.api.run(runId)).run.state === 'needs-attention',
      60_000,
    );
  });

  it('opens an item on the canvas with its states', async () => {
    const { page } = studio;
    await items(page)
      .getByRole('button', { name: /Item 8/ })
      .click();
    await page.locator('.card[data-status="failed"]').waitFor();
    await choose(page, 'Check');
    await page.locator('.node-run .notice.bad').getByText('a multiple of eight').first().waitFor();
    await page.getByRole('navigation', { name: 'Where you are' }).getByRole('button', { name: 'Main' }).click();
  });

  it('shows a map of 10,000 items by counts, by state and failure kind, with only the rows in view', async () => {
    const { page } = studio;
    await page.goto(`${services.url}/runs/${largeId}`);
    await choose(page, 'Each order');
    await items(page).getByText('10000 of 10000').waitFor();
    await items(page).locator('.item-row').first().waitFor();
    expect(await items(page).locator('.item-row').count()).toBeLessThan(60);
    await items(page)
      .locator('.item-scroll')
      .evaluate((list) => list.scrollTo({ top: list.scrollHeight }));
    await items(page).getByText('Item 10000', { exact: true }).waitFor();
    await items(page).getByLabel('Failure of the items').selectOption('node.timeout');
    await items(page).getByText('33 of 10000').waitFor();
    await items(page).getByLabel('All that failed this way').check();
    await items(page).getByRole('button', { name: 'Retry 33' }).waitFor();
    const { counts, total } = await services.api.itemCounts(largeId, { map: 'each' });
    expect(total).toBe(10_000);
    expect(counts.find(({ failureCode }) => failureCode === 'node.timeout')?.count).toBe(33);
  });

  it('shows model calls with prompt, answer, tokens and money, and what a node wrote', async () => {
    const { page } = studio;
    await page.goto(`${services.url}/runs/${runId}`);
    await choose(page, 'Ask');
    await page.getByRole('tab', { name: 'Model calls (1)' }).click();
    const sum = page.getByRole('table', { name: 'Model calls in all' });
    expect(await sum.locator('tbody td').allTextContents()).toEqual(expect.arrayContaining(['1', '7', '3']));
    await page.locator('.node-run details.value > summary').first().click();
    await page.locator('.node-run').getByText('Say one thing.').first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all of this node' }).click();
    expect((await download).suggestedFilename()).toBe(`${runId} ask.json`);
    await choose(page, 'Count');
    await page.getByRole('tab', { name: 'Log' }).click();
    await page.getByRole('region', { name: 'Log of the node' }).getByText('counting 40').waitFor();
  });

  it('sets the rounds of a gate side by side', async () => {
    const { page } = studio;
    await choose(page, 'Long enough');
    await page.getByRole('button', { name: '2 rounds' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Rounds of Long enough' }).waitFor();
    expect(await dialog.locator('thead th').count()).toBe(3);
    expect(await dialog.getByLabel('does not hold').count()).toBe(2);
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('draws when nodes ran, with the critical path, by keyboard, and leads to the node', async () => {
    const { page } = studio;
    await page.getByRole('button', { name: 'Timeline' }).click();
    const rows = page.getByRole('listbox').getByRole('option');
    await expect.poll(() => rows.count()).toBe(6);
    // Its items were retried last of all.
    expect(await page.getByRole('option', { name: /^Each order: .*on the critical path/ }).count()).toBe(1);
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Home');
    const first = (await page.locator('.gantt-row[aria-selected="true"] .gantt-name').textContent())?.trim() ?? '';
    await page.locator('.node-run h2').getByText(first, { exact: true }).waitFor();
    const width = () => page.locator('.gantt-area').evaluate((area) => area.clientWidth);
    const before = await width();
    await page.keyboard.press('+');
    await expect.poll(width).toBeGreaterThan(before * 1.5);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('.gantt-row[aria-selected="true"]').getAttribute('data-index')).toBe('1');
    await page.getByRole('button', { name: 'Canvas', exact: true }).click();
    await page.locator('.react-flow__node.selected').waitFor();
  });

  it('compares two runs, and retries from there', async () => {
    const { page } = studio;
    const other = await services.api.startRun({ documentId: 'orders', seed: 2, mode: 'batch' });
    await eventually('the other to end', async () => (await services.api.run(other.id)).run.endedAt !== null, 120_000);
    await page.reload();
    await page.getByLabel('Compare with').selectOption(other.id);
    await page.getByRole('heading', { name: 'Two runs' }).waitFor();
    await page.getByRole('region', { name: 'What they were given' }).getByText('seed').waitFor();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.getByRole('heading', { name: 'Outputs' }).first().waitFor();
    await page.getByRole('button', { name: 'Retry in the right run' }).click();
    await page.getByText('It runs again.').waitFor();
    await eventually(
      'the node to have run twice',
      async () => (await services.api.node(other.id, { key: 'list' })).outcomes.length === 2,
      60_000,
    );
  });

  it('shows runs on their page as they begin and end, without asking again and again', async () => {
    const { page } = studio;
    await page.goto(`${services.url}/runs`);
    await page.locator('.run-row').first().waitFor();
    const before = Number(await page.locator('.run-list').getAttribute('aria-rowcount'));
    await services.api.startRun({ documentId: 'orders', seed: 77, mode: 'batch' });
    await expect
      .poll(async () => Number(await page.locator('.run-list').getAttribute('aria-rowcount')), { timeout: 30_000 })
      .toBe(before + 1);
    await expect
      .poll(() => page.locator('.run-row').first().locator('.badge').textContent(), { timeout: 90_000 })
      .toBe('failed');
    await page.getByLabel('State').selectOption('needs-attention');
    await expect.poll(() => page.locator('.run-row').count()).toBe(1);
    await page.getByLabel('Filter runs').fill('nothing like this');
    await page.getByText('No run is like that.').waitFor();
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (theme) => {
    const other = await openPage(`${services.url}/runs/${largeId}`, theme);
    const faults: string[] = [];
    try {
      await choose(other.page, 'Each order');
      await items(other.page).locator('.item-row').first().waitFor();
      faults.push(...(await seriousFaults(other.page)));
      await other.page.goto(`${services.url}/runs/${runId}`);
      await other.page.getByRole('button', { name: 'Timeline' }).click();
      await other.page.getByRole('listbox').getByRole('option').first().click();
      await other.page.getByRole('tab', { name: 'Log' }).click();
      await other.page.locator('.log-row').first().waitFor();
      faults.push(...(await seriousFaults(other.page)));
      await other.page.goto(`${services.url}/runs/${runId}/${largeId}`);
      await other.page.getByRole('heading', { name: 'Two runs' }).waitFor();
      faults.push(...(await seriousFaults(other.page)));
      await other.page.goto(`${services.url}/runs`);
      await other.page.locator('.run-row').first().waitFor();
      faults.push(...(await seriousFaults(other.page)));
      expect(faults).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('keeps what it shows while the server is away, and says so', async () => {
    const { page, faults } = studio;
    const before = faults.length;
    await page.goto(`${services.url}/runs`);
    await page.locator('.run-row').first().waitFor();
    await services.end('server');
    await page.getByText('What is shown is what was last known').waitFor({ timeout: 60_000 });
    expect(await page.locator('.run-row').count()).toBeGreaterThan(0);
    await services.restart('server');
    await eventually(
      'the notices to go',
      async () => (await page.locator('.banner, .notice.warn').count()) === 0,
      60_000,
    );
    await page.goto(`${services.url}/runs/none`);
    await page.getByText('There is no run "none"').first().waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'See those that there are' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/runs');
    // What the browser itself says about refused connections and missing pages is expected here.
    faults.splice(before);
  });

  it('kept to its security policy and threw nothing', () => {
    expect(studio.faults).toEqual([]);
  });
});
