import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { LibreOffice } from '@cua-forge/worker/office/libre-office';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { seriousFaults } from './axe.ts';
import { openPage, type StudioPage } from './browser.ts';
import { mailFolder, slidesOf, withFiles } from './office-package.ts';

const hasOffice = (await new LibreOffice(process.env.FORGE_SOFFICE ?? 'soffice').version()) !== null;
/** Debian has the part of LibreOffice that reads slides in a package of its own. */
const hasImpress = hasOffice && existsSync('/usr/lib/libreoffice/program/libsdlo.so');
const shot = async (page: Page, name: string) => {
  if (process.env.FORGE_SHOTS !== undefined)
    await page.screenshot({ path: join(process.env.FORGE_SHOTS, `${name}.png`) });
};

const root = join(import.meta.dirname, '../..');
let services: RunningServices;
let studio: StudioPage;
let ids: string[];

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  services = await startServices();
  const [skill] = (await services.api.documents()).documents.filter(({ id }) => id === 'calc-monthly-summary');
  if (skill === undefined) throw new Error('The skill calc-monthly-summary is not shipped.');
  for (const seed of [1, 2]) await services.api.startRun({ documentId: skill.id, seed, mode: 'batch' });
  const packages = await eventually(
    'two packages',
    async () => {
      const found = (await services.api.packages({ skill: 'calc-monthly-summary' })).packages;
      return found.length === 2 ? found : null;
    },
    180_000,
  );
  ids = packages.map(({ id }) => id);
  studio = await openPage(`${services.url}/packages/${ids[0]}`);
}, 400_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
});

describe('the package viewer', () => {
  it('shows the instruction, and the sheets of the workbook as a grid', async () => {
    const { page } = studio;
    const view = await services.api.package(ids[0] ?? '');
    const workbook = view.package.manifest.files.find(({ path }) => path.endsWith('.xlsx'));
    await page.getByRole('region', { name: 'Instruction' }).locator('.instruction').waitFor();
    await page
      .getByText(workbook?.sandboxPath ?? 'no workbook')
      .first()
      .waitFor();
    await expect.poll(() => page.locator('.tab-body .grid tbody tr').count()).toBeGreaterThan(5);
    expect(await page.getByRole('link', { name: 'The run that made it' }).getAttribute('href')).toBe(
      `/runs/${view.record.runId}`,
    );
    expect(await page.getByText('rehearsed, no model asked').count()).toBe(1);
  });

  it('shows setup, rubric, evidence and folder, by keyboard', async () => {
    const { page } = studio;
    await page.getByRole('tab', { name: 'Files' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.operations').getByText('place-file').first().waitFor();
    await page.getByText('setup.sh').click();
    await page.getByText('#!/').first().waitFor();
    await page.getByRole('tab', { name: 'Setup' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('must', { exact: true }).first().waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('.tab-body .evidence li').first().waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Proof', selected: true }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: /task\.json/ }).waitFor();
  });

  it('sets two packages side by side, with the traits in which they differ', async () => {
    const { page } = studio;
    await page.getByLabel('Compare with').selectOption({ index: 1 });
    await page.waitForURL(`**/packages/${ids[0]}/${ids[1]}`);
    await expect.poll(() => page.locator('.instruction').count()).toBe(2);
    await page.getByText(/\d+ of \d+ traits differ/).waitFor();
    await expect.poll(() => page.locator('.tab-body .grid').count()).toBe(2);
  });

  it('leads back to the output that a part was made of', async () => {
    const { page } = studio;
    await page.goto(`${services.url}/packages/${ids[0]}`);
    const origins = page.getByRole('region', { name: 'Where its parts come from' });
    const link = origins.getByRole('link').first();
    const title = (await link.textContent()) ?? '';
    await link.click();
    await page.locator('.react-flow__node.selected .card-title', { hasText: title }).waitFor();
    await page.locator('.node-run h2', { hasText: title }).waitFor();
  });

  it('gives verdicts by keyboard: accept, reject with a reason, take back, and goes to the next', async () => {
    const { page } = studio;
    const verdictOf = async (id: string | undefined) => (await services.api.packageReviews(id ?? '')).reviews[0];
    await page.goto(`${services.url}/packages`);
    await page.locator('.review-list tbody tr.here').waitFor();
    const order = await page
      .locator('.review-list .list-main')
      .evaluateAll((links) =>
        links.map((link) => decodeURIComponent(link.getAttribute('href')?.split('/').at(-1) ?? '')),
      );
    expect([...order].sort()).toEqual([...ids].sort());
    await page.keyboard.press('a');
    await page.locator('.badge.ok', { hasText: 'accepted' }).waitFor();
    expect(await verdictOf(order[0])).toMatchObject({ verdict: 'accepted', reason: null });
    // The next one is at hand by itself.
    await page.locator('.review-list tbody tr:nth-of-type(2).here').waitFor();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Reject this package' });
    await dialog.getByRole('radio', { name: /Nobody would ask for this/ }).focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel('Note', { exact: true }).fill('No accountant talks like that.');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.locator('.badge.bad', { hasText: 'rejected · unrealistic' }).waitFor();
    expect(await verdictOf(order[1])).toMatchObject({ verdict: 'rejected', note: 'No accountant talks like that.' });

    await page.getByRole('button', { name: /^rejected 1/ }).click();
    expect(await page.locator('.review-list .list-main').count()).toBe(1);
    await page.keyboard.press('u');
    await page.getByText('No package is like that').waitFor();
    expect(await verdictOf(order[1])).toMatchObject({ verdict: 'unreviewed' });

    await page.getByRole('button', { name: /^all 2/ }).click();
    await page.getByLabel('Select all that are shown').check();
    await page.keyboard.press('a');
    await expect.poll(() => page.locator('.badge.ok', { hasText: 'accepted' }).count()).toBe(2);
    await page.keyboard.press('u');
    await expect.poll(() => page.locator('.badge.ok', { hasText: 'accepted' }).count()).toBe(1);
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('counts why people rejected packages on the board of skills, with the gate that should have found it', async () => {
    const { page } = studio;
    const [id = ''] = ids;
    await services.api.reviewPackage(id, { verdict: 'rejected', reason: 'wrong-rubric', by: 'ann' });
    await page.goto(`${services.url}/skills`);
    const reasons = page.getByRole('list', { name: 'Why packages of calc-monthly-summary were rejected' });
    await reasons.getByText('gate.rubric').waitFor();
    expect(await reasons.textContent()).toContain('wrong-rubric');
    await services.api.reviewPackage(id, { verdict: 'accepted', by: 'ann' });
  });

  it('is gone through package by package, with the verdict at the head of each', async () => {
    const { page } = studio;
    await page.goto(`${services.url}/packages`);
    await page.locator('.review-list .list-main').first().click();
    await page.getByText('1 of 2').waitFor();
    const first = page.url();
    await page.keyboard.press('j');
    await page.getByText('2 of 2').waitFor();
    expect(page.url()).not.toBe(first);
    await page.keyboard.press('k');
    await page.getByText('1 of 2').waitFor();
    await page.getByRole('toolbar', { name: 'Review' }).getByText('accepted').waitFor();
  });

  it.skipIf(!hasImpress)(
    'shows slides page by page, and mail message by message, of a package from elsewhere',
    async () => {
      const { page } = studio;
      const files = { 'Räume.pptx': await slidesOf(['One', 'Two', 'Three']), 'Inbox.mbox': mailFolder() };
      await services.api.importPackage(
        await withFiles(await services.api.packageArchive(ids[0] ?? ''), 'office-1', files),
      );
      await page.goto(`${services.url}/packages/office-1`);
      const pictures = page.getByRole('img', { name: /^Page \d of Räume.pptx$/ });
      await pictures.first().waitFor({ timeout: 90_000 });
      expect(await pictures.count()).toBe(3);
      await expect
        .poll(() => pictures.first().evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
        .toBe(1_100);
      await page.getByText('3 of 3').waitFor();
      await shot(page, 'package-slides');

      await page.getByRole('button', { name: 'Inbox.mbox' }).click();
      const message = page.getByRole('article', { name: 'Message' });
      await message.getByText('From here on, see the plan.').waitFor();
      expect(await message.textContent()).toContain('Größe der Räume');
      await page.getByRole('list', { name: 'Messages' }).getByRole('button', { name: /rooms/ }).click();
      await message.getByText('<script>window.broken = true</script>').waitFor();
      expect(await message.getByText('Re: <b>rooms</b>').count()).toBe(1);
      expect(await page.evaluate(() => 'broken' in window)).toBe(false);
      await shot(page, 'package-mail');
      expect(await seriousFaults(page)).toEqual([]);

      // What was drawn once is there at once.
      const [first] = (await services.api.package('office-1')).package.files.filter(({ path }) =>
        path.endsWith('.pptx'),
      );
      const drawn = await services.api.filePages(first?.file.hash ?? '', { name: 'Räume.pptx' });
      expect(drawn).toMatchObject({ total: 3 });
    },
  );

  it.skipIf(!hasOffice)('shows a workbook as cells, and as the pages that LibreOffice makes of it', async () => {
    const { page } = studio;
    await page.goto(`${services.url}/packages/${ids[0]}`);
    const as = page.getByRole('group', { name: 'Show as' });
    await as.getByRole('button', { name: 'Pages' }).click();
    await page.getByRole('img', { name: /^Page 1 of .*xlsx$/ }).waitFor({ timeout: 90_000 });
    await as.getByRole('button', { name: 'Cells' }).click();
    await page.locator('.tab-body .grid').waitFor();
    // So does the file that a node of the run made.
    const { record } = await services.api.package(ids[0] ?? '');
    const { document } = await services.api.run(record.runId);
    const preparer = document.nodes.find(({ kind }) => kind === 'preparer.xlsx');
    await page.goto(`${services.url}/runs/${record.runId}#${preparer?.id}`);
    await page.locator('.node-run').getByRole('button', { name: 'Show' }).first().click();
    await page
      .locator('.node-run')
      .getByRole('img', { name: /^Page 1 of .*xlsx$/ })
      .waitFor({ timeout: 90_000 });
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (theme) => {
    const other = await openPage(`${services.url}/packages/${ids[0]}`, theme);
    try {
      await other.page.locator('.tab-body .grid').waitFor();
      const faults = await seriousFaults(other.page);
      await other.page.goto(`${services.url}/packages/${ids[0]}/${ids[1]}`);
      await other.page.locator('.tab-body .grid').nth(1).waitFor();
      faults.push(...(await seriousFaults(other.page)));
      expect(faults).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('kept to its security policy and threw nothing', () => {
    expect(studio.faults).toEqual([]);
  });
});
