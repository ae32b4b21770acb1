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

const broken = GraphDocument.parse({
  forge: 1,
  id: 'broken',
  title: 'Broken',
  nodes: [{ id: 'step', kind: 'data.transform', version: 1, params: { inputs: {}, expression: '$error("no good")' } }],
  outputs: { value: 'step.value' },
});

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  services = await startServices();
  await services.api.saveDocument('broken', { document: broken, expectedRevision: null });
  studio = await openPage(`${services.url}/workers`);
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
});

const section = (name: string) =>
  studio.page.locator('section').filter({ has: studio.page.getByRole('heading', { name, exact: true }) });

describe('the workers page', () => {
  it('lists queues with the workers that take their tasks', async () => {
    const { queues } = await services.api.workers();
    expect(queues.length).toBeGreaterThan(0);
    await expect.poll(() => section('Queues').locator('tbody tr').count()).toBe(queues.length);
    for (const { queue, workers } of queues) {
      const row = section('Queues').locator('tr').filter({ hasText: queue }).first();
      await row.waitFor();
      for (const { identity } of workers) expect(await row.textContent()).toContain(identity);
    }
    await section('Activities in trouble').getByText('Every activity of an open run gets on.').waitFor();
  });

  it('shows what runs fail with as they fail', async () => {
    await section('Recent failures by kind').getByText('No run has failed').waitFor();
    const { id } = await services.api.startRun({ documentId: 'broken', mode: 'batch' });
    const row = section('Recent failures by kind').locator('tbody tr').first();
    await row.waitFor({ timeout: 60_000 });
    const { run } = await services.api.run(id);
    expect(await row.textContent()).toContain(run.failure?.code);
    expect(await row.locator('a').getAttribute('href')).toBe(`/runs/${id}`);
  });

  it('shows tasks that wait while no worker runs, and that they are taken up again', async () => {
    await services.end('worker');
    const { id } = await services.api.startRun({ documentId: 'broken', mode: 'batch' });
    // Temporal forgets a worker some minutes after its last poll; until then the backlog is what tells.
    await expect
      .poll(async () => (await services.api.workers()).queues.some(({ backlog }) => backlog > 0), { timeout: 120_000 })
      .toBe(true);
    await expect.poll(() => section('Queues').locator('strong.waits').count(), { timeout: 60_000 }).toBeGreaterThan(0);
    await services.restart('worker');
    await expect.poll(async () => (await services.api.run(id)).run.state, { timeout: 120_000 }).toBe('failed');
    await expect.poll(() => section('Queues').locator('strong.waits').count(), { timeout: 60_000 }).toBe(0);
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (theme) => {
    const other = await openPage(`${services.url}/workers`, theme);
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
