import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { GraphDocument } from '@cua-forge/spec/document';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServices, startServices } from '../support/services.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
let services: RunningServices;
let studio: StudioPage;

const transform = (id: string, title: string) => ({
  id,
  kind: 'data.transform',
  version: 1,
  title,
  params: { expression: '1' },
});

const picture = GraphDocument.parse({
  forge: 1,
  id: 'picture',
  title: 'Picture',
  nodes: [
    transform('first', 'First'),
    transform('second', 'Second'),
    transform('third', 'Third'),
    { id: 'each', kind: 'flow.map', version: 1, title: 'Each', params: { graph: 'body' } },
  ],
  graphs: { body: { inputs: { item: { type: 'json' } }, nodes: [transform('inner', 'Inner step')] } },
  layout: {
    $main: {
      $inputs: { x: -300, y: 0 },
      first: { x: 0, y: 0 },
      second: { x: 300, y: 57 },
      third: { x: 640, y: 13 },
      each: { x: 0, y: 260 },
      $outputs: { x: 940, y: 0 },
    },
  },
});

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  services = await startServices({ start: ['temporal', 'server'] });
  await services.api.saveDocument('picture', { document: picture, expectedRevision: null });
  studio = await openPage(`${services.url}/documents/picture`);
  await studio.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: services.url });
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
});

const card = (page: Page, title: string): Locator =>
  page.locator('.card').filter({ has: page.locator('.card-title', { hasText: new RegExp(`^${title}$`) }) });
/** As `expect.poll`, with patience for a machine that has other work. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 20_000 });
const select = async (page: Page, ...titles: string[]) => {
  await page.locator('.react-flow__pane').click({ position: { x: 40, y: 600 } });
  for (const [index, title] of titles.entries())
    await card(page, title)
      .locator('.card-title')
      .click(index === 0 ? {} : { modifiers: ['Control'] });
};
const undo = (page: Page) => page.getByRole('button', { name: 'Undo (Ctrl+Z)' });
const save = async (page: Page) => {
  await page.keyboard.press('Control+s');
  await page.getByText(/^Saved · revision/).waitFor();
  const { document } = await services.api.document('picture');
  if (document === null) throw new Error('The stored document cannot be read.');
  return document;
};
/** Opens the palette, types, and takes the first match. */
const command = async (page: Page, words: string) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command, node or kind' }).fill(words);
  await expect
    .poll(() => page.locator('.command-entry[aria-selected="true"]').textContent())
    .toMatch(new RegExp(words.split(' ')[0] ?? '', 'i'));
  await page.keyboard.press('Enter');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
};

describe('commands', () => {
  it('are found by Ctrl+K and carried out; keys stand beside them', async () => {
    const { page } = studio;
    await card(page, 'First').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command, node or kind' }).fill('fit');
    await soon(() => page.getByRole('option').first().textContent()).toMatch(/Fit all into view.*F$/);
    await page.keyboard.press('Escape');
    await command(page, 'Select all');
    await page.getByText('4 cards are selected').waitFor();
    await page.keyboard.press('Escape');
  });

  it('lead to a node inside a subgraph, and the breadcrumbs lead back', async () => {
    const { page } = studio;
    await command(page, 'Inner step');
    await card(page, 'Inner step').waitFor();
    const crumbs = page.getByRole('navigation', { name: 'Where you are' });
    await crumbs.getByRole('button', { name: 'Main' }).click();
    await card(page, 'Each').waitFor();
    await card(page, 'Each').locator('.card-title').dblclick();
    await card(page, 'Inner step').waitFor();
    await crumbs.getByRole('button', { name: 'Main' }).click();
    await card(page, 'First').waitFor();
  });

  it('add a kind', async () => {
    const { page } = studio;
    await page.keyboard.press('Escape');
    await command(page, 'Add Draw');
    await soon(() => page.locator('.react-flow__node-node').count()).toBe(5);
    await undo(page).click();
    await soon(() => page.locator('.react-flow__node-node').count()).toBe(4);
  });

  it('are all listed by the help sheet', async () => {
    const { page } = studio;
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    for (const key of ['Ctrl+K', 'Alt+A', 'N', 'G', 'Ctrl+Enter'])
      await sheet.getByText(key, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });
});

describe('the picture', () => {
  it('is aligned and spread evenly, each in one step of undo, without a change of meaning', async () => {
    const { page } = studio;
    await select(page, 'First', 'Second', 'Third');
    await page.getByText('3 cards are selected').waitFor();
    await page.keyboard.press('Alt+w');
    await page.getByRole('button', { name: 'Align', exact: true }).click();
    await page.getByRole('menuitem', { name: /Equal gaps from left to right/ }).click();
    const after = await save(page);
    expect(after.layout.$main?.first).toEqual({ x: 0, y: 0 });
    expect(after.layout.$main?.second).toEqual({ x: 320, y: 0 });
    expect(after.layout.$main?.third).toEqual({ x: 640, y: 0 });
    expect(after.nodes).toEqual(picture.nodes);
    await undo(page).click();
    await undo(page).click();
    expect((await save(page)).layout.$main?.second).toEqual({ x: 300, y: 57 });
  });

  it('has frames that move their members, and notes', async () => {
    const { page } = studio;
    await select(page, 'First', 'Second');
    await page.keyboard.press('g');
    await soon(() => page.evaluate(() => document.activeElement?.id)).toBe('annotation-text');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Preparation');
    await page.locator('.annotation.frame').getByText('Preparation').waitFor();
    const before = await save(page);
    const frame = await page.locator('.annotation.frame .annotation-text').boundingBox();
    if (frame === null) throw new Error('The frame is not on the screen.');
    const zoom = await page
      .locator('.react-flow__viewport')
      .evaluate((view) => new DOMMatrix(getComputedStyle(view).transform).a);
    await page.mouse.move(frame.x + 60, frame.y + 18);
    await page.mouse.down();
    await page.mouse.move(frame.x + 60, frame.y + 58, { steps: 5 });
    await page.mouse.move(frame.x + 60, frame.y + 18 + 100 * zoom, { steps: 5 });
    await page.mouse.up();
    const after = await save(page);
    const shift = (id: string) => (after.layout.$main?.[id]?.y ?? 0) - (before.layout.$main?.[id]?.y ?? 0);
    expect(shift('first')).toBeGreaterThan(60);
    expect(shift('second')).toBe(shift('first'));
    expect(shift('third')).toBe(0);
    expect((after.annotations?.$main?.frame?.y ?? 0) - (before.annotations?.$main?.frame?.y ?? 0)).toBe(shift('first'));
    await undo(page).click();
    expect(await save(page)).toEqual(before);

    await page.locator('.react-flow__pane').click({ position: { x: 40, y: 600 } });
    await page.keyboard.press('n');
    await soon(() => page.evaluate(() => document.activeElement?.id)).toBe('annotation-text');
    await page.keyboard.type('Why this way');
    const noted = await save(page);
    expect(Object.values(noted.annotations?.$main ?? {}).map(({ text }) => text)).toContain('Why this way');
    expect(noted.nodes).toEqual(picture.nodes);
  });

  it('snaps dragged cards to the grid', async () => {
    const { page } = studio;
    await page.locator('.react-flow__pane').click({ position: { x: 40, y: 600 } });
    await page.keyboard.press('s');
    const title = await card(page, 'Each').locator('.card-title').boundingBox();
    if (title === null) throw new Error('The card is not on the screen.');
    await page.mouse.move(title.x + 10, title.y + 8);
    await page.mouse.down();
    await page.mouse.move(title.x + 80, title.y + 50, { steps: 6 });
    await page.mouse.up();
    await page.keyboard.press('s');
    const { x = 1, y = 1 } = (await save(page)).layout.$main?.each ?? {};
    expect([x % 20, y % 20]).toEqual([0, 0]);
    expect([x, y]).not.toEqual([0, 260]);
    await undo(page).click();
  });

  it('is arranged by the layout engine as one step', async () => {
    const { page } = studio;
    const before = await save(page);
    await page.locator('.react-flow__pane').click({ position: { x: 40, y: 600 } });
    await page.keyboard.press('l');
    await page.getByText('Unsaved changes').waitFor();
    const after = await save(page);
    expect(after.layout).not.toEqual(before.layout);
    expect(after.nodes).toEqual(before.nodes);
    await undo(page).click();
    expect(await save(page)).toEqual(before);
  });
});

describe('clipboard, palette and files', () => {
  it('copies as text, pastes into another workflow with fresh ids in one step', async () => {
    const { page } = studio;
    await select(page, 'First', 'Second');
    await page.keyboard.press('Control+c');
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(text).nodes.map((node: { id: string }) => node.id)).toEqual(['first', 'second']);
    await services.api.saveDocument('other', {
      document: { ...picture, id: 'other', title: 'Other' },
      expectedRevision: null,
    });
    await page.goto(`${services.url}/documents/other`);
    await card(page, 'Third').waitFor();
    await page.keyboard.press('Control+v');
    await soon(() => page.locator('.react-flow__node-node').count()).toBe(6);
    await undo(page).click();
    await soon(() => page.locator('.react-flow__node-node').count()).toBe(4);
    await page.getByRole('button', { name: 'Redo (Ctrl+Shift+Z)' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved · revision 2/).waitFor();
    const { document } = await services.api.document('other');
    expect(document?.nodes.slice(-2).map(({ id }) => id)).toEqual(['first-2', 'second-2']);
  });

  it('takes a kind dragged from the list by the mouse', async () => {
    const { page } = studio;
    const before = await page.locator('.react-flow__node-node').count();
    await page.getByLabel('Search node kinds').fill('jsonata transform');
    const kind = page.locator('.kind').first();
    await kind.dragTo(page.locator('.react-flow__pane'), { targetPosition: { x: 420, y: 560 } });
    await soon(() => page.locator('.react-flow__node-node').count()).toBe(before + 1);
    await undo(page).click();
    await soon(() => page.locator('.react-flow__node-node').count()).toBe(before);
  });

  it('exports YAML that comes back as the same workflow', async () => {
    const { page } = studio;
    await page.getByRole('button', { name: 'More' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as YAML' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('other.yaml');
    const file = await download.path();
    const { parseDocument } = await import('@cua-forge/spec/document-io');
    const { readFile } = await import('node:fs/promises');
    const { document } = parseDocument(await readFile(file, 'utf8'), { file: 'other.yaml' });
    expect(document).toEqual((await services.api.document('other')).document);
  });
});

it.each(['light', 'dark'] as const)('palette, help and notes are accessible in the %s theme', async (theme) => {
  const { page, close } = await openPage(`${services.url}/documents/picture`, theme);
  try {
    await page.locator('.annotation.note').first().waitFor();
    const found = [await new AxeBuilder({ page }).analyze()];
    for (const key of ['Control+k', '?']) {
      await page.keyboard.press(key);
      await page.locator('dialog[open]').waitFor();
      found.push(await new AxeBuilder({ page }).analyze());
      if (process.env.FORGE_SHOTS !== undefined)
        await page.screenshot({
          path: join(process.env.FORGE_SHOTS, `${theme}-${key === '?' ? 'keys' : 'palette'}.png`),
        });
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
    }
    await page.locator('.annotation.note').first().click();
    await page.locator('#annotation-text').waitFor();
    found.push(await new AxeBuilder({ page }).analyze());
    if (process.env.FORGE_SHOTS !== undefined)
      await page.screenshot({ path: join(process.env.FORGE_SHOTS, `${theme}-notes.png`) });
    const serious = found
      .flatMap(({ violations }) => violations)
      .filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  } finally {
    await close();
  }
});

it('kept to its security policy and threw nothing all along', () => {
  expect(studio.faults).toEqual([]);
});
