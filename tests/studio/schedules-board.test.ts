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

const steady = GraphDocument.parse({
  ...{ forge: 1, id: 'steady', title: 'Steady' },
  nodes: [{ id: 'step', kind: 'data.transform', version: 1, params: { inputs: {}, expression: '1 + 1' } }],
  outputs: { value: 'step.value' },
});

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  services = await startServices();
  await services.api.saveDocument('steady', { document: steady, expectedRevision: null });
  studio = await openPage(`${services.url}/schedules`);
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
});

const only = async () => {
  const { schedules } = await services.api.schedules({});
  const [first] = schedules;
  if (first === undefined || schedules.length > 1) throw new Error(`there are ${schedules.length} schedules`);
  return first;
};

describe('the schedules page', () => {
  it('shows its keys; a dialog that closes gives the focus back to what opened it', async () => {
    const { page } = studio;
    const opener = page.getByRole('button', { name: 'New schedule' });
    await opener.click();
    await page.getByRole('dialog', { name: 'New schedule' }).waitFor();
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Close a dialog or a menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('makes a schedule by the clock of a zone, and shows its next times', async () => {
    const { page } = studio;
    await page.getByText('No schedules yet').waitFor();
    await page.getByRole('button', { name: 'New schedule' }).click();
    await page.getByLabel('Workflow', { exact: true }).selectOption('steady');
    await page.getByLabel('Minute, hour, day, month, weekday').fill('99 6 * * *');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Runs of each batch').fill('2');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('Temporal does not take these times').waitFor();
    await page.getByLabel('Minute, hour, day, month, weekday').fill('15 6 * * *');
    await page.getByRole('button', { name: 'Make it' }).click();
    const row = page.locator('tbody tr').filter({ hasText: 'Steady' });
    await row.getByText('active').waitFor();
    expect(await row.textContent()).toContain('Europe/Berlin');
    const { schedule, situation } = await only();
    expect(schedule).toMatchObject({ part: { documentId: 'steady', count: 2 }, timing: { cron: '15 6 * * *' } });
    expect(situation?.next.length).toBeGreaterThan(0);
  });

  it('begins a batch at once, and leads to it', async () => {
    const { page } = studio;
    await page.getByRole('button', { name: 'Run now' }).click();
    const link = page.locator('tbody tr a[href^="/batches/"]').first();
    await link.waitFor({ timeout: 60_000 });
    const batch = async () => (await only()).situation?.recent[0]?.batchId;
    expect(await link.getAttribute('href')).toBe(`/batches/${await batch()}`);
    await page.getByText('1 begun').waitFor();
  });

  it('changes what it runs and when, and whether packages are proved', async () => {
    const { page } = studio;
    const { schedule: before } = await only();
    await page.getByRole('button', { name: 'Change Steady' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change Steady' });
    expect(await dialog.getByLabel('Workflow', { exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel('When', { exact: true }).selectOption('every');
    await dialog.getByLabel('Minutes between').fill('90');
    await dialog.getByLabel('Runs of each batch').fill('3');
    await dialog.getByLabel('Packages have to prove themselves').check();
    await dialog.getByRole('button', { name: 'Change it' }).click();
    const row = page.locator('tbody tr').filter({ hasText: 'Steady' });
    await row.getByText('proved in a sandbox').waitFor();
    const { schedule, situation } = await only();
    expect(schedule).toMatchObject({ timing: { everySeconds: 5_400 }, prove: true, part: { count: 3 } });
    expect(schedule.id).toBe(before.id);
    const [next = 0, after = 0] = situation?.next ?? [];
    expect(after - next).toBe(5_400_000);
  });

  it('pauses, resumes and ends a schedule', async () => {
    const { page } = studio;
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('tbody').getByText('paused').waitFor();
    expect((await only()).situation?.paused).toBe(true);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('tbody').getByText('active').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'End Steady' }).click();
    await page.getByText('No schedules yet').waitFor();
    expect((await services.api.schedules({})).schedules).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (theme) => {
    await services.api.createSchedule({ documentId: 'steady', timing: { everySeconds: 3_600 } });
    const other = await openPage(`${services.url}/schedules`, theme);
    try {
      await other.page.locator('tbody tr').first().waitFor({ timeout: 60_000 });
      expect(await seriousFaults(other.page)).toEqual([]);
      expect(other.faults).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
