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

const orders = GraphDocument.parse({
  forge: 1,
  id: 'orders',
  title: 'Orders',
  nodes: [
    {
      id: 'make',
      kind: 'data.transform',
      version: 1,
      title: 'Make',
      params: { expression: '{"customer": "Acme", "lines": [{"price": 2}, {"price": 3}]}' },
    },
    {
      id: 'total',
      kind: 'data.transform',
      version: 1,
      title: 'Total',
      params: { inputs: { facts: 'json' }, expression: '1' },
    },
    {
      id: 'letter',
      kind: 'llm.generate',
      version: 1,
      title: 'Letter',
      params: { purpose: 'letter', inputs: { facts: 'json' }, prompt: 'Dear customer', examples: ['Hello'] },
    },
  ],
  edges: [
    { from: 'make.value', to: 'total.facts' },
    { from: 'make.value', to: 'letter.facts' },
  ],
  outputs: { total: 'total.value' },
});

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  services = await startServices();
  await services.api.saveDocument('orders', { document: orders, expectedRevision: null });
  studio = await openPage(`${services.url}/documents/orders`);
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
});

const card = (page: Page, title: string): Locator =>
  page.locator('.card').filter({ has: page.locator('.card-title', { hasText: new RegExp(`^${title}$`) }) });
const open = async (page: Page, title: string) => {
  await card(page, title).locator('.card-title').click();
  await page.getByRole('tab', { name: 'Inspector' }).click();
};
/** As `expect.poll`, with patience for a machine that has other work. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 20_000 });
const shot = async (page: Page, name: string) => {
  if (process.env.FORGE_SHOTS !== undefined)
    await page.screenshot({ path: join(process.env.FORGE_SHOTS, `${name}.png`) });
};

describe('the expression editor', () => {
  it('completes upstream ports and fields from the last run, and previews with its values', async () => {
    const { page } = studio;
    await card(page, 'Total').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await expect
      .poll(() => page.locator('.run-head .badge').first().textContent(), { timeout: 60_000 })
      .toBe('succeeded');
    await open(page, 'Total');
    const field = page.getByRole('textbox', { name: 'JSONata expression' });
    await field.fill('');
    await field.pressSequentially('$sum(fa');
    const options = page.locator('.cm-tooltip-autocomplete li');
    await soon(() => options.first().textContent()).toContain('facts');
    await page.keyboard.press('Tab');
    await soon(() => field.textContent()).toBe('$sum(facts');
    // It is there once the values of the run are.
    await page.getByRole('region', { name: 'Preview' }).waitFor();
    await field.pressSequentially('.');
    await soon(() => options.allTextContents().then((all) => all.join(' '))).toMatch(/customer.*lines/);
    await field.pressSequentially('lines.pr');
    await soon(() => options.first().textContent()).toMatch(/^price/);
    await shot(page, 'completions');
    await page.keyboard.press('Tab');
    await field.pressSequentially(')');
    const preview = page.getByRole('region', { name: 'Preview' });
    await soon(() => preview.textContent()).toMatch(/5$/);
    await field.pressSequentially('(');
    await soon(() => preview.locator('.problem').textContent()).toMatch(/Line 1/);
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved · revision 2').waitFor();
    expect((await services.api.document('orders')).document?.nodes[1]?.params.expression).toBe(
      '$sum(facts.lines.price)',
    );
  });

  it('replaces what the page has selected, though the editor has not heard of the selection yet', async () => {
    const { page, faults } = studio;
    await card(page, 'Total').click();
    const field = page.getByLabel('JSONata expression');
    await field.fill('$sum(facts.lines.price) & "a text"');
    await page.evaluate(() => {
      const stop = (event: Event) => event.stopImmediatePropagation();
      window.addEventListener('selectionchange', stop, { capture: true });
      Object.assign(window, {
        hearAgain: () => window.removeEventListener('selectionchange', stop, { capture: true }),
      });
    });
    await field.fill('$uppercase("all of it")');
    await page.evaluate('hearAgain()');
    await expect.poll(() => field.textContent()).toBe('$uppercase("all of it")');
    expect(faults).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('fills prompts in the same way', async () => {
    const { page } = studio;
    await open(page, 'Letter');
    const field = page.getByRole('textbox', { name: 'prompt' });
    await field.fill('Dear {{ facts.customer | upcase }}');
    await soon(() => page.getByRole('region', { name: 'Preview' }).textContent()).toMatch(/Dear ACME$/);
    await page.keyboard.press('Control+s');
    await page.getByText('Saved · revision 3').waitFor();
  });
});

describe('versions', () => {
  it('are listed and compared, and going back is one step that a save keeps', async () => {
    const { page } = studio;
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Versions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Versions' });
    await dialog.getByRole('button', { name: /^Revision 1/ }).click();
    await dialog.getByText('params.expression').waitFor();
    await shot(page, 'versions');
    const serious = (await new AxeBuilder({ page }).analyze()).violations.filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    );
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    await dialog.getByRole('button', { name: 'Go back to revision 1' }).click();
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await page.getByText('Saved · revision 3').waitFor();
    await page.getByRole('button', { name: 'Redo (Ctrl+Shift+Z)' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved · revision 4').waitFor();
    expect((await services.api.document('orders')).document).toEqual(orders);
    expect((await services.api.revisions('orders')).revisions.map(({ revision }) => revision)).toEqual([4, 3, 2, 1]);
  });

  it('are published and rolled back; the draft is told apart, and moved cards are no change', async () => {
    const { page } = studio;
    const published = async () => (await services.api.publications('orders')).publications[0]?.revision;
    const versions = async () => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Versions' }).click();
      return page.getByRole('dialog', { name: 'Versions' });
    };
    let dialog = await versions();
    await dialog.getByText('Nothing is published yet').waitFor();
    await dialog.getByRole('button', { name: /^Revision 3/ }).click();
    await dialog.getByRole('button', { name: 'Publish revision 3' }).click();
    await dialog.getByText(/run revision 3; the draft \(revision 4\) has \d+ changes? to it/).waitFor();
    expect(await published()).toBe(3);
    const batch = await services.api.startBatch({ documentId: 'orders', count: 1, seed: 1 });
    expect(batch.parts[0]?.revision).toBe(3);
    await dialog.getByRole('button', { name: /^Revision 4/ }).click();
    await dialog.getByRole('button', { name: 'Publish revision 4' }).click();
    await dialog.getByText('run revision 4; the draft means the same').waitFor();
    await dialog.getByRole('button', { name: /^Revision 3/ }).click();
    await dialog.getByRole('button', { name: 'Roll back to revision 3' }).click();
    await dialog.getByText(/run revision 3; the draft/).waitFor();
    await shot(page, 'publish');
    expect(await published()).toBe(3);
    await dialog.getByRole('button', { name: /^Revision 4/ }).click();
    await dialog.getByRole('button', { name: 'Publish revision 4' }).click();
    await dialog.getByText('run revision 4; the draft means the same').waitFor();
    await page.keyboard.press('Escape');

    await card(page, 'Total').locator('.card-title').click();
    await page.keyboard.press('ArrowDown');
    await page.getByText('Unsaved changes').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved · revision 5').waitFor();
    dialog = await versions();
    await dialog.getByText('run revision 4; the draft means the same').waitFor();
    await page.keyboard.press('Escape');
    expect((await services.api.publications('orders')).draft).toEqual({ revision: 5, changes: 0 });
  });

  it('are merged when somebody saved meanwhile: what both changed is asked, the rest is kept of both', async () => {
    const { page } = studio;
    const change = (id: string, params: Record<string, string>, document: GraphDocument): GraphDocument => ({
      ...document,
      nodes: document.nodes.map((node) => (node.id === id ? { ...node, params: { ...node.params, ...params } } : node)),
    });
    const theirs = change('make', { expression: '{"theirs": 1}' }, change('total', { expression: '2' }, orders));
    await services.api.saveDocument('orders', { document: theirs, expectedRevision: 5 });
    await open(page, 'Total');
    await page.getByRole('textbox', { name: 'JSONata expression' }).fill('3');
    await page.getByRole('textbox', { name: 'Title' }).fill('Grand total');
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Someone saved this workflow meanwhile' });
    const merge = dialog.getByRole('button', { name: 'Merge and save' });
    await merge.waitFor();
    expect(await merge.isDisabled()).toBe(true);
    await shot(page, 'merge');
    await dialog.getByRole('radio', { name: /^Theirs/ }).check();
    await merge.click();
    await eventually(
      'the merge to be stored',
      async () => (await services.api.document('orders')).record.revision === 7,
    );
    const { document } = await services.api.document('orders');
    expect(document?.nodes.map(({ params }) => params.expression).slice(0, 2)).toEqual(['{"theirs": 1}', '2']);
    expect(document?.nodes[1]?.title).toBe('Grand total');
    await page.getByText('Saved · revision 7').waitFor();
  });
});

it.each(['light', 'dark'] as const)('the expression editor is accessible in the %s theme', async (theme) => {
  const { page, close } = await openPage(`${services.url}/documents/orders`, theme);
  try {
    await open(page, 'Letter');
    await page.getByRole('textbox', { name: 'prompt' }).waitFor();
    await shot(page, `${theme}-expression`);
    const serious = (await new AxeBuilder({ page }).analyze()).violations.filter(
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
