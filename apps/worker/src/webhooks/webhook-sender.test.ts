import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import type { RunRecord, Store } from '@cua-forge/spec/store-port';
import type { WebhookRecord } from '@cua-forge/spec/webhook';
import { openStore } from '@cua-forge/store/open-store';
import { storeSettings } from '@cua-forge/store/store-settings';
import { sampleBatch, sampleRun } from '@cua-forge/store/testing/samples';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAllowList } from '../http/allow-list.ts';
import { AllowedHttp } from '../http/allowed-http.ts';
import { WebhookSender } from './webhook-sender.ts';

interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

let folder: string;
let store: Store;
let receiver: Server;
let address: string;
let received: Received[];
/** What the receiver answers with; the last one stays. */
let answers: number[];
/** What the clock of the sender has in advance. */
let ahead: number;
let senders: WebhookSender[];

beforeEach(async () => {
  [received, answers, ahead, senders] = [[], [200], 0, []];
  folder = await mkdtemp(join(tmpdir(), 'forge-webhooks-'));
  store = await openStore(storeSettings({}, join(folder, 'store')));
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.statusCode = (answers.length > 1 ? answers.shift() : answers[0]) ?? 200;
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const bound = receiver.address();
  address = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}/told`;
});
afterEach(async () => {
  for (const sender of senders) await sender.stop();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await store.meta.close();
  await rm(folder, { recursive: true, force: true });
});

const secrets = {
  get: async (name: string) => {
    if (name === 'TRACKER') return 'the key';
    throw new ForgeError('secret.missing', `There is no secret ${name}.`);
  },
};
function begin(allow = '127.0.0.1:*'): WebhookSender {
  const http = new AllowedHttp(parseAllowList(allow));
  const log = pino({ level: 'silent' });
  const sender = new WebhookSender({ meta: store.meta, http, secrets, log, now: () => Date.now() + ahead });
  senders.push(sender);
  sender.start();
  return sender;
}
async function add(change: Partial<WebhookRecord> = {}): Promise<WebhookRecord> {
  const webhook: WebhookRecord = {
    ...{ id: `w-${Math.random()}`, title: 'Tracker', url: address, documentId: null, secret: 'TRACKER', paused: false },
    events: ['run.accepted', 'run.rejected', 'run.failed', 'batch.ended'],
    ...{ by: 'ann', createdAt: 1 },
    ...change,
  };
  await store.meta.saveWebhook(webhook, await store.meta.lastEventId());
  return webhook;
}
async function end(change: Partial<RunRecord>): Promise<RunRecord> {
  const run = sampleRun({ endedAt: 5, ...change });
  await store.meta.createRun(run);
  const data = { state: run.state, epoch: run.epoch, batchId: run.batchId };
  // It may be announced by several.
  for (const step of ['closed', 'seen'])
    await store.meta.addEvents([{ runId: run.id, type: 'run', data, at: Date.now(), dedupe: step }]);
  return run;
}
const logOf = (webhookId: string) => store.meta.listDeliveries({ webhookId, limit: 50 });
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 15_000 });

describe('webhooks', () => {
  it('are told once of each run that ends and of a batch, with a signature over time and body', async () => {
    await end({ state: 'succeeded' });
    const { id } = await add();
    begin();
    begin();
    const accepted = await end({ state: 'succeeded' });
    const rejected = await end({ state: 'failed', failure: { code: 'gate.rejected', message: 'no' } });
    const failed = await end({ state: 'failed', failure: { code: 'node.failed', message: 'no' } });
    await end({ state: 'cancelled' });
    const batch = { ...sampleBatch(), state: 'succeeded' as const };
    await store.meta.createBatch(batch);
    await store.meta.addEvents([{ runId: batch.id, type: 'batch', data: { state: 'succeeded', count: 2 }, at: 1 }]);
    await soon(() => received.length).toBe(4);
    await soon(async () => (await logOf(id)).map(({ state }) => state)).toEqual(Array(4).fill('delivered'));
    const told = received.map(({ headers, body }) => [headers['forge-event'], JSON.parse(body)]);
    const by = Object.fromEntries(told);
    expect(by['run.accepted'].run).toMatchObject({ id: accepted.id, failureCode: null, packages: [] });
    expect(by['run.rejected'].run).toMatchObject({ id: rejected.id, failureCode: 'gate.rejected' });
    expect(by['run.failed'].run).toMatchObject({ id: failed.id });
    expect(by['batch.ended'].batch).toMatchObject({ id: batch.id, state: 'succeeded' });
    for (const { headers, body } of received) {
      const sum = createHmac('sha256', 'the key').update(`${headers['forge-timestamp']}.${body}`).digest('hex');
      expect(headers['forge-signature']).toBe(`v1=${sum}`);
      expect(Math.abs(Date.now() / 1_000 - Number(headers['forge-timestamp']))).toBeLessThan(60);
    }
    expect(received).toHaveLength(4);
  });

  it('are tried again with growing waits, also by another worker after a restart, and then no more', async () => {
    answers = [500];
    const { id } = await add({ events: ['run.failed'] });
    const first = begin();
    await end({ state: 'failed', failure: { code: 'node.failed', message: 'no' } });
    await soon(async () => (await logOf(id))[0]).toMatchObject({ state: 'waiting', attempts: 1, status: 500 });
    const [waiting] = await logOf(id);
    expect((waiting?.nextAt ?? 0) - Date.now()).toBeGreaterThan(1_000);
    await first.stop();
    ahead = 60_000;
    answers = [500, 204];
    begin();
    await soon(async () => (await logOf(id))[0]).toMatchObject({ attempts: 2, failure: { code: 'http.failed' } });
    ahead = 300_000;
    await soon(async () => (await logOf(id))[0]).toMatchObject({ state: 'delivered', attempts: 3, status: 204 });
    expect(new Set(received.map(({ headers }) => headers['forge-delivery'])).size).toBe(1);

    answers = [500];
    await end({ state: 'failed', failure: { code: 'node.failed', message: 'no' } });
    const last = async () => (await logOf(id)).find(({ state }) => state !== 'delivered');
    await soon(async () => (await last())?.attempts).toBe(1);
    const tried = await last();
    if (tried !== undefined) await store.meta.updateDelivery({ ...tried, attempts: 8, nextAt: 1 });
    await soon(last).toMatchObject({ state: 'failed', attempts: 9, nextAt: null });
  });

  it('reach nothing that the operator does not allow, and nothing by a redirect', async () => {
    const { id } = await add();
    begin('hooks.example.org');
    await end({ state: 'succeeded' });
    await soon(async () => (await logOf(id))[0]).toMatchObject({ state: 'failed', failure: { code: 'http.refused' } });
    expect(received).toEqual([]);
    await senders[0]?.stop();
    answers = [302];
    begin();
    await end({ state: 'succeeded' });
    await soon(async () => (await logOf(id)).some(({ status }) => status === 302)).toBe(true);
    expect(received).toHaveLength(1);
  });

  it('say which secret is missing, and are told of their own document and events alone, and of nothing while paused', async () => {
    const without = await add({ secret: 'NOWHERE' });
    const other = await add({ documentId: 'another', secret: null });
    const paused = await add({ paused: true, secret: null });
    const batches = await add({ events: ['batch.ended'], secret: null });
    begin();
    await end({ state: 'succeeded' });
    await soon(async () => (await logOf(without.id))[0]?.failure).toMatchObject({ code: 'secret.missing' });
    expect(received).toEqual([]);
    for (const { id } of [other, paused, batches]) expect(await logOf(id)).toEqual([]);
    await end({ state: 'succeeded', documentId: 'another' });
    await soon(async () => (await logOf(other.id)).map(({ state }) => state)).toEqual(['delivered']);
    expect(received[0]?.headers['forge-signature']).toBeUndefined();
  });
});
