import { join } from 'node:path';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { GraphDocument } from '@cua-forge/spec/document';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServices, startServices } from '../support/services.ts';
import { seriousFaults } from './axe.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
let services: RunningServices;
let studio: StudioPage;

/** Draws a number, and fails for those from `limit` on. */
const drawing = (limit: number) =>
  GraphDocument.parse({
    ...{ forge: 1, id: 'drawing', title: 'Drawing' },
    nodes: [
      {
        ...{ id: 'draw', kind: 'data.sample', version: 1 },
        params: { draws: [{ name: 'number', type: 'integer', min: 1, max: 100 }] },
      },
      {
        ...{ id: 'judge', kind: 'data.transform', version: 1 },
        params: {
          inputs: { drawn: 'json' },
          expression: `drawn.number < ${limit} ? drawn.number : $error("too high")`,
        },
      },
    ],
    edges: [{ from: 'draw.values', to: 'judge.drawn' }],
    outputs: { number: 'judge.value' },
  });

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  services = await startServices();
  await services.api.saveDocument('drawing', { document: drawing(50), expectedRevision: null });
  await services.api.publishDocument('drawing', {});
  await services.api.saveDocument('drawing', { document: drawing(101), expectedRevision: 1 });
  studio = await openPage(`${services.url}/evaluations`);
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
});

describe('the evaluations page', () => {
  it('runs two versions on the same seeds and sets what came of them side by side', async () => {
    const { page } = studio;
    await page.getByText('No evaluations yet').waitFor();
    await page.getByRole('button', { name: 'Evaluate a workflow' }).click();
    const dialog = page.getByRole('dialog', { name: 'Evaluate a workflow' });
    await dialog.getByLabel('Workflow', { exact: true }).selectOption('drawing');
    await dialog.getByRole('checkbox', { name: /^Revision 1 .*published/ }).check();
    await dialog.getByRole('checkbox', { name: /^Revision 2/ }).check();
    await dialog.getByLabel('Seeds', { exact: true }).fill('12');
    await dialog.getByText('2 × 12 runs').waitFor();
    if (process.env.FORGE_SHOTS !== undefined)
      await page.screenshot({ path: join(process.env.FORGE_SHOTS, 'evaluate-dialog.png') });
    await dialog.getByRole('button', { name: 'Start' }).click();
    const table = page.getByRole('table', { name: 'Variants' });
    const row = (revision: number) => table.locator('tbody tr').filter({ hasText: `Revision ${revision}` });
    for (const revision of [1, 2]) await row(revision).getByText('12 of 12').waitFor({ timeout: 90_000 });

    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { variants, seeds } = await services.api.evaluation(id);
    const [first, second] = variants.map(({ batch }) => batch.counts);
    expect(second).toMatchObject({ accepted: 12, failed: 0 });
    expect(first?.failed).toBeGreaterThan(0);
    expect(first?.accepted).toBeGreaterThan(0);
    await row(2).getByText('100 %').first().waitFor();
    const [[code, times] = []] = Object.entries(variants[0]?.batch.failures ?? {});
    expect(times).toBe(first?.failed);
    expect(await row(1).textContent()).toContain(`${times} × ${code}`);
    expect(await page.getByRole('img', { name: /Revision 1: of 12 runs/ }).getAttribute('aria-label')).toContain(
      `Revision 2: of 12 runs 12 accepted, 0 rejected, 0 failed.`,
    );
    const unlike = seeds.filter(({ runs }) => runs[0]?.fate !== runs[1]?.fate);
    expect(unlike.length).toBe(first?.failed);
    const bySeed = page.getByRole('table', { name: 'Seeds' }).locator('tbody tr');
    expect(await bySeed.count()).toBe(unlike.length);
    if (process.env.FORGE_SHOTS !== undefined)
      await page.screenshot({ path: join(process.env.FORGE_SHOTS, 'evaluation.png'), fullPage: true });
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByLabel('also those that came out alike').check();
    await expect.poll(() => bySeed.count()).toBe(12);
    await bySeed.filter({ hasText: 'failed' }).first().getByRole('link', { name: 'Compare' }).click();
    await page.waitForURL(/\/runs\/[^/]+\/[^/]+$/);
  });

  it('lists what was compared, and a variant leads to its batch and back', async () => {
    const { page } = studio;
    await page.getByRole('link', { name: 'Evaluations' }).click();
    await page.locator('tbody tr').filter({ hasText: '24 of 24' }).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Revision 2' }).click();
    await page.getByText('revision 2', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'evaluation', exact: true }).click();
    await page.getByRole('table', { name: 'Variants' }).waitFor();
  });

  it('kept to its security policy and threw nothing', () => {
    expect(studio.faults).toEqual([]);
  });
});
