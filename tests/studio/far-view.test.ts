import { join } from 'node:path';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { largeDocument } from '../../bench/studio/large-document.ts';
import { type RunningServices, startServices } from '../support/services.ts';
import { seriousFaults } from './axe.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
const CARDS = 400;
let services: RunningServices;
let studio: StudioPage;

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  services = await startServices({ start: ['temporal', 'server'] });
  await services.api.saveDocument('large', { document: largeDocument('large', CARDS), expectedRevision: null });
  studio = await openPage(`${services.url}/documents/large`);
}, 300_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
});

/** As `expect.poll`, with patience for a machine that has other work. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 30_000 });
const mounted = (page: Page) => page.locator('.react-flow__node').count();
/** Where the middle of a card of the large document is on the screen. */
const middleOf = (page: Page, index: number) =>
  page.locator('.react-flow').evaluate(
    (flow, [x, y]) => {
      const view = flow.querySelector('.react-flow__viewport');
      const matrix = new DOMMatrix(view === null ? '' : getComputedStyle(view).transform);
      const { left, top } = flow.getBoundingClientRect();
      return { x: left + (x + 112) * matrix.a + matrix.e, y: top + (y + 60) * matrix.d + matrix.f };
    },
    [Math.floor(index / 40) * 320, (index % 40) * 210] as const,
  );
const shot = async (page: Page, name: string) => {
  if (process.env.FORGE_SHOTS !== undefined)
    await page.screenshot({ path: join(process.env.FORGE_SHOTS, `${name}.png`) });
};
const far = async (page: Page) => {
  await page.locator('.react-flow__pane').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('f');
  await soon(() => page.locator('.far-layer').count()).toBe(1);
};

describe('a large graph seen from afar', () => {
  it('mounts only what is in view when it opens, and no card at all when all of it is shown', async () => {
    const { page } = studio;
    await page.locator('.card .handle').first().waitFor();
    expect(await mounted(page)).toBeLessThan(60);
    // What the page needs first is asked for once, though the server, the first script and the page itself name it.
    const asked = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    for (const path of [`/api${new URL(page.url()).pathname}/graph`, '/api/kinds', '/api/session'])
      expect(asked.filter((each) => each === path)).toEqual([path]);
    await far(page);
    await soon(() => mounted(page)).toBe(0);
    const painted = await page.locator('.far-still').evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0;
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      let opaque = 0;
      for (let at = 3; at < data.length; at += 4) if (data[at] === 255) opaque += 1;
      return opaque;
    });
    expect(painted).toBeGreaterThan(CARDS * 20);
    await shot(page, 'far');
  });

  it('names the card under the pointer, selects it, and drags it in one step of undo', async () => {
    const { page } = studio;
    const at = await middleOf(page, 205);
    await page.mouse.move(at.x, at.y);
    await page.locator('.far-label', { hasText: 'Step 205' }).waitFor();
    await page.mouse.down();
    await page.mouse.move(at.x + 20, at.y + 10, { steps: 4 });
    await page.mouse.up();
    await page.getByText('Unsaved changes').waitFor();
    expect(await page.locator('.side').getByLabel('Title').inputValue()).toBe('Step 205');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved · revision 2').waitFor();
    const { document } = await services.api.document('large');
    expect(document?.layout.$main?.n205?.x).toBeGreaterThan(1600);
    expect(document?.layout.$main?.n204).toEqual({ x: 1600, y: 4 * 210 });
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await page.getByText('Unsaved changes').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved · revision 3').waitFor();
    expect((await services.api.document('large')).document?.layout.$main?.n205).toEqual({ x: 1600, y: 5 * 210 });
  });

  it('is panned beside the cards, and catches cards with a rectangle', async () => {
    const { page } = studio;
    const view = () => page.locator('.react-flow__viewport').evaluate((each) => getComputedStyle(each).transform);
    const before = await view();
    const box = await page.locator('.react-flow').boundingBox();
    if (box === null) throw new Error('There is no canvas.');
    await page.mouse.move(box.x + 12, box.y + 300);
    await page.mouse.down();
    await page.mouse.move(box.x + 42, box.y + 310, { steps: 3 });
    await page.mouse.up();
    expect(await view()).not.toBe(before);
    const [from, to] = [await middleOf(page, 0), await middleOf(page, 41)];
    await page.keyboard.down('Shift');
    await page.mouse.move(from.x - 12, from.y - 6);
    await page.mouse.down();
    await page.mouse.move(to.x + 1, to.y + 1, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.getByText('4 cards are selected').waitFor();
    await page.mouse.click(box.x + 20, box.y + 300);
    await soon(() => page.getByText('cards are selected').count()).toBe(0);
  });

  it('is walked by the arrow keys; Enter and a double click go near', async () => {
    const { page } = studio;
    await page.locator('.far-keys').focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    await soon(() => page.locator('.side').getByLabel('Title').inputValue()).not.toBe('Large');
    const title = await page.locator('.side').getByLabel('Title').inputValue();
    await shot(page, 'far-selected');
    await page.keyboard.press('Enter');
    await soon(() => page.locator('.far-layer').count()).toBe(0);
    await page.locator('.react-flow__node.selected .card-title', { hasText: title }).waitFor();
    await far(page);
    const at = await middleOf(page, 130);
    await page.mouse.dblclick(at.x, at.y);
    await page.locator('.react-flow__node.selected .card-title', { hasText: 'Step 130' }).waitFor();
  });

  it('has a list of its problems that draws what is seen, and is walked by keys', async () => {
    const { page } = studio;
    await page.locator('.problems-toggle').click();
    const problems = page.getByRole('region', { name: 'Problems' });
    const rows = problems.getByRole('listitem');
    await rows.first().waitFor();
    const all = Number(await rows.first().getAttribute('aria-setsize'));
    expect(all).toBeGreaterThan(CARDS / 2);
    expect(await rows.count()).toBeLessThan(40);
    await rows.first().getByRole('button').focus();
    const at = () => problems.locator('li:has(button:focus)').getAttribute('aria-posinset');
    await page.keyboard.press('ArrowDown');
    await soon(at).toBe('2');
    await page.keyboard.press('End');
    await soon(at).toBe(String(all));
    expect(await rows.count()).toBeLessThan(40);
    const node = /"(n\d+)"/.exec((await problems.locator('button:focus').textContent()) ?? '')?.[1];
    await shot(page, 'problems');
    await page.keyboard.press('Enter');
    await soon(() => page.locator('.side').getByLabel('Id', { exact: true }).inputValue()).toBe(node);
    await page.keyboard.press('Home');
    await soon(at).toBe('1');
    await problems.getByRole('button', { name: 'Close' }).click();
    await soon(() => problems.count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (theme) => {
    const { page, close } = await openPage(`${services.url}/documents/large`, theme);
    try {
      await page.locator('.card .handle').first().waitFor();
      await page.locator('.problems-toggle').click();
      await page.getByRole('region', { name: 'Problems' }).getByRole('listitem').first().waitFor();
      await shot(page, `${theme}-large`);
      await far(page);
      await shot(page, `${theme}-far`);
      expect(await seriousFaults(page)).toEqual([]);
    } finally {
      await close();
    }
  });

  it('kept to its security policy and threw nothing', () => {
    expect(studio.faults).toEqual([]);
  });
});
