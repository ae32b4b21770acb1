import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
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
let receiver: Server;
let address: string;
const received: { event: string; signature: string; timestamp: string; body: string }[] = [];
/** What the receiver answers with. */
let status = 200;

const steady = GraphDocument.parse({
  ...{ forge: 1, id: 'steady', title: 'Steady', inputs: { amount: { type: 'number', default: 2 } } },
  nodes: [
    {
      ...{ id: 'step', kind: 'data.transform', version: 1 },
      params: { inputs: { amount: 'number' }, expression: 'amount > 9 ? $error("too much") : amount' },
    },
  ],
  edges: [{ from: '$inputs.amount', to: 'step.amount' }],
  outputs: { value: 'step.value' },
});

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', () => {
      const header = (name: string) => String(request.headers[name] ?? '');
      received.push({
        ...{ event: header('forge-event'), signature: header('forge-signature') },
        ...{ timestamp: header('forge-timestamp'), body },
      });
      response.statusCode = status;
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const bound = receiver.address();
  address = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}/told`;
  await buildStudio(root, process.env, silentReporter);
  services = await startServices({ env: { FORGE_HTTP_ALLOW: '127.0.0.1:*', FORGE_SECRET_TRACKER: 'the key' } });
  await services.api.saveDocument('steady', { document: steady, expectedRevision: null });
  studio = await openPage(`${services.url}/hooks`);
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
});

describe('the hooks page', () => {
  it('makes a hook whose address is shown once, gives it another, and ends it', async () => {
    const { page } = studio;
    await page.getByRole('button', { name: 'New hook' }).click();
    let dialog = page.getByRole('dialog', { name: 'New hook' });
    await dialog.getByLabel('What it is for').fill('Nightly import');
    await dialog.getByLabel('Workflow', { exact: true }).selectOption('steady');
    await dialog.getByLabel(/Inputs that callers may give/).fill('amount');
    await dialog.getByRole('button', { name: 'Make it' }).click();
    dialog = page.getByRole('dialog', { name: 'The address of Nightly import' });
    const first = (await dialog.getByTestId('hook-address').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const call = (url: string) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ inputs: { amount: 3 } }),
      });
    expect((await call(first)).status).toBe(201);
    const row = page.getByRole('table', { name: 'Incoming hooks' }).locator('tbody tr');
    expect(await row.textContent()).toContain('amount');
    page.once('dialog', (question) => void question.accept());
    await row.getByRole('button', { name: 'New address' }).click();
    const second = (await page.getByTestId('hook-address').textContent()) ?? '';
    expect(second).not.toBe(first);
    expect((await call(first)).status).toBe(404);
    expect((await call(second)).status).toBe(201);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    page.once('dialog', (question) => void question.accept());
    await row.getByRole('button', { name: 'End Nightly import' }).click();
    await page.getByText('A hook is an address that starts a batch').waitFor();
    expect((await call(second)).status).toBe(404);
  });

  it('tells a webhook of what ends, signed; a restart in between loses nothing, and what was sent can be sent again', async () => {
    const { page } = studio;
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByLabel('What it is for').fill('Tracker');
    await dialog.getByLabel('Address').fill(address);
    await dialog.getByLabel(/a run is rejected/).uncheck();
    await dialog.getByLabel('Of', { exact: true }).selectOption('steady');
    await dialog.getByLabel(/Name of the secret/).fill('TRACKER');
    await dialog.getByRole('button', { name: 'Make it' }).click();
    const webhook = page.getByRole('article', { name: 'Tracker' });
    await webhook.getByRole('button', { name: 'Test' }).click();
    await webhook.getByText('Deliveries').click();
    const log = webhook.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
    await log.filter({ hasText: 'ping' }).getByText('delivered · 200').waitFor({ timeout: 60_000 });
    expect(received.map(({ event }) => event)).toContain('ping');

    status = 503;
    const failing = await services.api.startRun({ documentId: 'steady', inputs: { amount: 12 }, mode: 'batch' });
    const failed = log.filter({ hasText: 'run.failed' }).filter({ hasText: failing.id });
    await failed.getByText('The receiver answered with 503.').waitFor({ timeout: 60_000 });
    await services.kill('worker');
    status = 200;
    await services.restart('worker');
    await failed.getByText('delivered · 200').waitFor({ timeout: 60_000 });

    const batch = await services.api.startBatch({ documentId: 'steady', count: 1, seed: 1 });
    const ended = log.filter({ hasText: 'batch.ended' }).filter({ hasText: batch.id });
    await ended.getByText('delivered · 200').waitFor({ timeout: 60_000 });
    const of = (event: string) => received.filter((each) => each.event === event && each.body.includes(batch.id));
    await expect.poll(() => of('run.accepted').length, { timeout: 30_000 }).toBe(1);
    for (const { timestamp, body, signature } of received)
      expect(signature).toBe(`v1=${createHmac('sha256', 'the key').update(`${timestamp}.${body}`).digest('hex')}`);
    expect(JSON.parse(of('batch.ended')[0]?.body ?? '{}')).toMatchObject({
      batch: { id: batch.id, accepted: 1, failed: 0 },
    });

    await ended.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => of('batch.ended').length, { timeout: 30_000 }).toBe(2);
    const [first, second] = of('batch.ended').map(({ body }): Record<string, unknown> => JSON.parse(body));
    expect(second).toMatchObject({ batch: { id: batch.id }, redeliveryOf: first?.id });
    if (process.env.FORGE_SHOTS !== undefined)
      await page.screenshot({ path: join(process.env.FORGE_SHOTS, 'hooks.png') });
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('says why a host cannot be told, and ends a webhook', async () => {
    const { page } = studio;
    await services.api.createWebhook({ title: 'Inside', url: 'http://169.254.169.254/latest' });
    await page.reload();
    const webhook = page.getByRole('article', { name: 'Inside' });
    await webhook.getByRole('button', { name: 'Test' }).click();
    await webhook.getByText('failed after 1').waitFor();
    await webhook.getByText('Deliveries').click();
    await webhook.getByText('The operator does not allow requests to 169.254.169.254.').waitFor();
    page.once('dialog', (question) => void question.accept());
    await webhook.getByRole('button', { name: 'End Inside' }).click();
    await webhook.waitFor({ state: 'detached' });
    expect((await services.api.webhooks({})).webhooks.map((each) => each.webhook.title)).toEqual(['Tracker']);
  });

  it('the audit trail says who did it, without a token or a secret, by action and target', async () => {
    const { page } = studio;
    await page.getByRole('link', { name: 'Audit' }).click();
    const rows = page.getByRole('table', { name: 'Audit trail' }).locator('tbody tr');
    await rows.first().waitFor();
    const all = (await page.getByRole('table', { name: 'Audit trail' }).textContent()) ?? '';
    for (const action of ['document.save', 'hook.create', 'hook.rotate', 'webhook.create', 'batch.start', 'run.start'])
      expect(all).toContain(action);
    expect(all).not.toContain('the key');
    await page.getByLabel('Action').selectOption('webhook.delete');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.first().textContent()).toContain('local');
    await page.getByLabel('Action').selectOption('');
    await page.getByLabel('Target').fill('steady');
    await expect
      .poll(() => rows.allTextContents().then((texts) => texts.every((text) => text.includes('steady'))))
      .toBe(true);
    await page.getByLabel('User').fill('nobody');
    await page.getByText('Nothing like that was done').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('kept to its security policy and threw nothing', () => {
    expect(studio.faults).toEqual([]);
  });
});
