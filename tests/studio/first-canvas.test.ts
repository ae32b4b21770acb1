import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { GraphDocument } from '@cua-forge/spec/document';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
let services: RunningServices;
let studio: StudioPage;

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  services = await startServices();
  studio = await openPage(services.url);
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
});

const transform = (id: string, title: string, inputs: Record<string, 'json'>, expression: string) => ({
  id,
  kind: 'data.transform',
  version: 1,
  title,
  params: { inputs, expression },
});

/** Two orders go through a map; the second fails its check. */
const ordersWithOneBad = GraphDocument.parse({
  forge: 1,
  id: 'each-order',
  title: 'Each order',
  nodes: [
    transform('orders', 'Orders', {}, '[{"amount": 3}, {"amount": -4}]'),
    { id: 'each', kind: 'flow.map', version: 1, title: 'Each order', params: { graph: 'one-order' } },
  ],
  edges: [{ from: 'orders.value', to: 'each.items' }],
  outputs: { checked: 'each.results' },
  graphs: {
    'one-order': {
      inputs: { item: { type: 'json' } },
      nodes: [transform('check', 'Check', { item: 'json' }, 'item.amount < 0 ? $error("below zero") : item.amount')],
      edges: [{ from: '$inputs.item', to: 'check.item' }],
      outputs: { amount: 'check.value' },
    },
  },
});

const card = (page: Page, title: string): Locator =>
  page.locator('.card').filter({ has: page.locator('.card-title', { hasText: new RegExp(`^${title}$`) }) });
const field = (page: Page, label: string): Locator => page.locator('.side').getByLabel(label, { exact: false }).first();
const status = (page: Page): Locator => page.locator('.run-head .badge').first();

/** Adds a Transform from the palette with the keyboard and gives it a title and an expression. */
async function addTransform(page: Page, title: string, expression: string): Promise<void> {
  await page.getByLabel('Search node kinds').fill('jsonata transform');
  await page.getByLabel('Search node kinds').press('Enter');
  await field(page, 'Title').fill(title);
  await field(page, 'JSONata expression').fill(expression);
  await card(page, title).waitFor();
}

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (start === null || end === null) throw new Error('A port is not on the screen.');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x - 20, end.y - 12, { steps: 6 });
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 4 });
}

const port = (page: Page, title: string, side: 'source' | 'target', name: string): Locator =>
  card(page, title).locator(`.port.${side}`).filter({ hasText: name }).locator('.handle');

describe('the first canvas', () => {
  it('authors a workflow: nodes from the palette, params, edges, undo, a refusal, save', async () => {
    const { page } = studio;
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    await page.getByLabel('Title').fill('Greeting');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Greeting' }).waitFor();

    await addTransform(page, 'Compose', '{"greeting": "hello"}');
    await addTransform(page, 'Shout', '$uppercase(value.greeting)');
    await page.getByRole('button', { name: 'Add to inputs' }).click();
    await page.locator('.side').getByLabel('Name').first().fill('value');
    await page.locator('.side').getByLabel('Name').first().press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Fit (F)' }).click();
    await page.waitForTimeout(400);

    await drag(page, port(page, 'Compose', 'source', 'value'), port(page, 'Shout', 'target', 'value'));
    await page.mouse.up();
    await page.locator('.react-flow__edge').waitFor({ state: 'attached' });

    await drag(page, port(page, 'Compose', 'source', 'value'), port(page, 'Shout', 'target', 'value'));
    await page.locator('.refusal').waitFor();
    expect(await page.locator('.refusal').textContent()).toMatch(/connected already/);
    await page.mouse.up();

    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(0);
    await page.getByRole('button', { name: 'Redo (Ctrl+Shift+Z)' }).click();
    await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(1);

    await card(page, 'Shout').locator('.card-title').click();
    await page.getByRole('button', { name: 'Connect output value' }).click();
    await page.getByRole('button', { name: 'Outputs of the graph' }).click();
    await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(2);

    await page.getByText('No errors').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved · revision 2').waitFor();
    const { document } = await services.api.document('greeting');
    expect(document?.nodes.map((node) => node.title)).toEqual(['Compose', 'Shout']);
    expect(document?.edges).toEqual([{ from: 'transform.value', to: 'transform-2.value' }]);
    expect(document?.outputs).toEqual({ value: 'transform-2.value' });
  });

  it('runs it and shows states, inputs and outputs', async () => {
    const { page } = studio;
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => status(page).textContent(), { timeout: 60_000 }).toBe('succeeded');
    await expect.poll(() => card(page, 'Shout').getAttribute('data-status')).toBe('succeeded');
    await card(page, 'Shout').locator('.card-title').click();
    await page.locator('.node-run .value').first().getByText('HELLO').waitFor();
  });

  it('breaks it, sees why, retries with edited params, and sees it succeed with the finished node kept', async () => {
    const { page } = studio;
    await page.getByRole('tab', { name: 'Inspector' }).click();
    await field(page, 'JSONata expression').fill('$uppercase(value.greeting');
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => status(page).textContent(), { timeout: 60_000 }).toBe('needs attention');
    await expect.poll(() => card(page, 'Shout').getAttribute('data-status')).toBe('failed');
    expect(await page.locator('.node-run .notice.bad').first().textContent()).toMatch(/expression/);
    const runId = (await page.locator('.run-head code').first().textContent()) ?? '';

    await page.getByRole('button', { name: 'Edit and retry' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('JSONata expression').inputValue()).toBe('$uppercase(value.greeting');
    await dialog.getByLabel('JSONata expression').fill('$uppercase(value.greeting) & "!"');
    await dialog.getByText('Changed: params').waitFor();
    await dialog.getByRole('button', { name: 'Retry', exact: true }).click();

    await expect.poll(() => status(page).textContent(), { timeout: 60_000 }).toBe('succeeded');
    await page.locator('.node-run .value').first().getByText('HELLO!').waitFor();
    const compose = await services.api.node(runId, { key: 'transform' });
    expect(compose.outcomes).toHaveLength(1);
  });

  it('retries inside an item of a map, and only there', async () => {
    const { page } = studio;
    await services.api.saveDocument('each-order', { document: ordersWithOneBad, expectedRevision: null });
    const { id } = await services.api.startRun({ documentId: 'each-order' });
    await eventually(
      'the run to ask',
      async () => (await services.api.run(id)).run.state === 'needs-attention',
      60_000,
    );
    const other = await openPage(`${services.url}/runs/${id}`);
    try {
      await card(other.page, 'Each order').locator('.card-title').click();
      await other.page.getByRole('button', { name: /Item 2/ }).click();
      await card(other.page, 'Check').locator('.card-title').click();
      await other.page.getByRole('button', { name: 'Edit and retry' }).click();
      const dialog = other.page.getByRole('dialog');
      await dialog.getByRole('tab', { name: 'Inputs' }).click();
      await dialog.getByLabel('item').fill('{"amount": 4}');
      await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
      await expect.poll(() => status(other.page).textContent(), { timeout: 60_000 }).toBe('succeeded');
      const { outcomes } = await services.api.node(id, { key: 'each[0]/check' });
      expect(outcomes).toHaveLength(1);
    } finally {
      await other.close();
    }
    expect(page.url()).toContain('/documents/greeting');
  });

  it('refuses to save over what someone else stored, and keeps both', async () => {
    const { page } = studio;
    const theirs = await services.api.document('greeting');
    if (theirs.document === null) throw new Error('The stored document cannot be read.');
    await services.api.saveDocument('greeting', {
      document: { ...theirs.document, description: 'Theirs.' },
      expectedRevision: theirs.record.revision,
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Someone saved this workflow meanwhile').waitFor();
    expect(await dialog.getByRole('button', { name: 'Overwrite theirs' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Keep mine as a copy' }).click();
    await page.getByRole('heading', { name: 'Greeting (copy)' }).waitFor();
    expect((await services.api.document('greeting')).document?.description).toBe('Theirs.');
    expect((await services.api.document('greeting-copy')).document?.nodes[1]?.params.expression).toBe(
      '$uppercase(value.greeting',
    );
  });

  it('says when the server is away, and comes back by itself', async () => {
    const { page, faults } = studio;
    const before = faults.length;
    await services.end('server');
    await page.getByText('The server does not answer').first().waitFor({ timeout: 40_000 });
    await services.restart('server');
    await eventually('the banner to go', async () => (await page.locator('.banner').count()) === 0);
    // What the browser itself says about refused connections is expected here.
    faults.splice(before);
  });

  it('authors by keyboard alone: add, fill, connect, save', async () => {
    const { page, close } = await openPage(`${services.url}/documents`);
    try {
      await page.getByRole('button', { name: 'New workflow' }).first().focus();
      await page.keyboard.press('Enter');
      await page.keyboard.type('By keyboard');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'By keyboard' }).waitFor();
      await page.getByLabel('Search node kinds').waitFor();
      await page.locator('.kind').first().waitFor();
      await page.keyboard.press('a');
      await page.keyboard.type('jsonata transform');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator('.card').filter({ hasText: 'data.transform' }).waitFor();
      await field(page, 'JSONata expression').focus();
      await page.keyboard.type('1 + 1');
      await page.locator('.react-flow__node[data-id="transform"]').focus();
      await page.keyboard.press('c');
      await page.getByRole('dialog').getByLabel('Find a port').focus();
      await page.keyboard.type('outputs');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(1);
      await page.keyboard.press('Control+s');
      await page.getByText('Saved · revision 2').waitFor();
      const { document } = await services.api.document('by-keyboard');
      expect(document?.nodes[0]?.params.expression).toBe('1 + 1');
      expect(document?.outputs).toEqual({ value: 'transform.value' });
    } finally {
      await close();
    }
  });

  it('shows a past run on the document as it was', async () => {
    const { page } = studio;
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('link', { name: 'Greeting' }).first().click();
    await page.getByRole('button', { name: 'Edit the workflow' }).waitFor();
    await expect.poll(() => card(page, 'Shout').getAttribute('data-status')).toBe('succeeded');
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (theme) => {
    const { page, close } = await openPage(`${services.url}/documents/greeting`, theme);
    try {
      await card(page, 'Compose').locator('.card-title').click();
      const editor = await new AxeBuilder({ page }).analyze();
      await page.goto(`${services.url}/documents`);
      await page.getByRole('link', { name: 'Greeting' }).first().waitFor();
      const list = await new AxeBuilder({ page }).analyze();
      const serious = [...editor.violations, ...list.violations].filter(
        ({ impact }) => impact === 'serious' || impact === 'critical',
      );
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    } finally {
      await close();
    }
  });

  it('kept to its security policy and threw nothing all along', () => {
    expect(studio.faults).toEqual([]);
  });
});
