import { BatchList, BatchView } from '@cua-forge/spec/api/batches';
import { placeInBatch } from '@cua-forge/spec/batch-parts';
import { BatchRecord, type ModelCall, type RunRecord } from '@cua-forge/spec/store-port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, twoEchoes } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await server.call('PUT', '/api/documents/two-echoes', { document: twoEchoes, expectedRevision: null });
});
afterEach(() => server.stop());

const startBatch = async (extra: object = {}): Promise<BatchRecord> => {
  const body = { documentId: 'two-echoes', count: 4, seed: 3, window: 2, inputs: { word: 'x' }, ...extra };
  const answer = await server.call('POST', '/api/batches', body);
  expect(answer.status).toBe(201);
  return BatchRecord.parse(answer.body);
};

/** A run of the batch, as the batch's workflow makes it. */
async function addRun(batch: BatchRecord, index: number, change: Partial<RunRecord>): Promise<void> {
  const { part, seed } = placeInBatch(batch, index);
  const { documentId, documentHash, planHash, title, skill, inputs } = part;
  await server.store.meta.createRun({
    ...{ id: `${batch.id}-${index}`, documentId, documentHash, planHash, title, skill, inputs, seed },
    mode: 'batch',
    batchId: batch.id,
    baseRun: null,
    selection: { mode: 'all' },
    edits: {},
    state: 'running',
    failure: null,
    outputs: {},
    epoch: 1,
    workflowId: `run/${batch.id}-${index}`,
    createdAt: index,
    startedAt: index,
    endedAt: null,
    ...change,
  });
}

const callOf = (runId: string, usd: number): ModelCall => ({
  ...{ runId, key: 'first', token: 1, round: 1, attempt: 1, index: 0, activityAttempt: 1, purpose: 'first' },
  ...{ provider: 'openai', model: 'small', usage: { input: 100, cached: 0, output: 20 }, usd, milliseconds: 5 },
  ...{ status: 'ok', error: null, prompt: null, response: null, at: Date.now() },
});

describe('batches', () => {
  it('are recorded with their plan and inputs before their workflow starts, once for a key', async () => {
    const batch = await startBatch({ idempotencyKey: 'k' });
    expect(server.engine.batches).toEqual([batch.id]);
    expect(batch).toMatchObject({ count: 4, window: 2, parts: [{ documentId: 'two-echoes', seed: 3, count: 4 }] });
    expect(await server.store.artifacts.has(batch.parts[0]?.planHash ?? '')).toBe(true);
    expect((await startBatch({ idempotencyKey: 'k' })).id).toBe(batch.id);
    expect((await server.call('GET', '/api/batches')).body).toMatchObject({ batches: [{ id: batch.id }], next: null });
    const page = await server.call('GET', '/api/batches?limit=1');
    const { next } = BatchList.parse(page.body);
    expect((await server.call('GET', `/api/batches?cursor=${next}`)).body).toEqual({ batches: [], next: null });
  });

  it('count what was accepted, rejected by a gate, failed and is still running', async () => {
    const batch = await startBatch();
    const failure = (code: 'gate.rejected' | 'model.timeout') => ({
      state: 'failed' as const,
      failure: { code, message: 'x' },
    });
    await addRun(batch, 0, { state: 'succeeded' });
    await addRun(batch, 1, failure('gate.rejected'));
    await addRun(batch, 2, failure('model.timeout'));
    await addRun(batch, 3, {});
    const view = BatchView.parse((await server.call('GET', `/api/batches/${batch.id}`)).body);
    expect(view.counts).toEqual({ done: 3, accepted: 1, rejected: 1, failed: 1, cancelled: 0, running: 1, waiting: 0 });
    expect(view.failures).toEqual({ 'gate.rejected': 1, 'model.timeout': 1 });
  });

  it('retry their failed runs by code', async () => {
    const batch = await startBatch();
    await addRun(batch, 0, { state: 'failed', failure: { code: 'model.timeout', message: 'x' } });
    await addRun(batch, 1, { state: 'failed', failure: { code: 'gate.rejected', message: 'x' } });
    await addRun(batch, 2, { state: 'succeeded' });
    const answer = await server.call('POST', `/api/batches/${batch.id}/retry`, { failureCode: 'model.timeout' });
    expect(answer.body).toEqual({ runs: [`${batch.id}-0`] });
    // The batch takes it up in its window; the server starts no run of it.
    expect(server.engine.started).toEqual([]);
    expect(server.engine.batches).toEqual([batch.id, batch.id]);
    expect(await server.store.meta.getRun(`${batch.id}-0`)).toMatchObject({ state: 'queued', epoch: 2, failure: null });
    expect(await server.store.meta.getRun(`${batch.id}-1`)).toMatchObject({ state: 'failed', epoch: 1 });
    expect((await server.call('POST', `/api/batches/${batch.id}/retry`, { failureCode: 'model.auth' })).status).toBe(
      400,
    );
  });

  it('of several documents take turns', async () => {
    await server.call('PUT', '/api/documents/other', {
      document: { ...twoEchoes, id: 'other' },
      expectedRevision: null,
    });
    const inputs = { word: 'x' };
    const parts = [
      { documentId: 'two-echoes', inputs },
      { documentId: 'other', inputs, count: 1, seed: 9 },
    ];
    const answer = await server.call('POST', '/api/batches', { parts, count: 2, seed: 5 });
    const batch = BatchRecord.parse(answer.body);
    expect(batch).toMatchObject({ count: 3, title: 'Two echoes' });
    const places = [0, 1, 2].map((index) => placeInBatch(batch, index));
    expect(places.map(({ part, seed }) => [part.documentId, seed])).toEqual([
      ['two-echoes', 5],
      ['other', 9],
      ['two-echoes', 6],
    ]);
    for (const wrong of [
      { count: 1, seed: 1 },
      { parts, documentId: 'other', count: 1, seed: 1 },
      { parts: [], count: 1, seed: 1 },
    ])
      expect((await server.call('POST', '/api/batches', wrong)).status).toBe(400);
  });

  it('are paused and resumed, as often as one likes', async () => {
    const batch = await startBatch();
    for (let times = 0; times < 2; times++) {
      expect((await server.call('POST', `/api/batches/${batch.id}/pause`)).body).toMatchObject({ state: 'paused' });
    }
    const resume = { window: 5, budget: { tokens: 100 } };
    for (let times = 0; times < 2; times++) {
      expect((await server.call('POST', `/api/batches/${batch.id}/resume`, resume)).body).toMatchObject({
        state: 'running',
        window: 5,
        budget: { usd: null, tokens: 100 },
      });
    }
    await server.store.meta.updateBatch(batch.id, { state: 'succeeded' });
    for (const action of ['pause', 'resume', 'cancel'])
      expect((await server.call('POST', `/api/batches/${batch.id}/${action}`, {})).status).toBe(409);
  });

  it('are not resumed while their budget is used up', async () => {
    const batch = await startBatch({ budget: { usd: 0.3 } });
    await addRun(batch, 0, { state: 'failed', failure: { code: 'budget.exhausted', message: 'x' } });
    await server.store.meta.addModelCall(callOf(`${batch.id}-0`, 0.4));
    const view = BatchView.parse((await server.call('GET', `/api/batches/${batch.id}`)).body);
    expect(view).toMatchObject({ spent: { usd: 0.4, tokens: 120 }, counts: { failed: 0, waiting: 4 } });
    const resume = async (budget: object) => server.call('POST', `/api/batches/${batch.id}/resume`, { budget });
    expect(await resume({ tokens: 1_000 })).toMatchObject({
      status: 409,
      body: { error: { code: 'budget.exhausted' } },
    });
    expect(await resume({ usd: 0.5 })).toMatchObject({ status: 200, body: { budget: { usd: 0.5, tokens: null } } });
    expect(await server.store.meta.getRun(`${batch.id}-0`)).toMatchObject({ state: 'queued', epoch: 2 });
  });

  it('say what an accepted run cost, unless no model was asked', async () => {
    const batch = await startBatch();
    await addRun(batch, 0, { state: 'succeeded', endedAt: Date.now() });
    await addRun(batch, 1, { state: 'failed', failure: { code: 'gate.rejected', message: 'x' } });
    for (const index of [0, 1]) await server.store.meta.addModelCall(callOf(`${batch.id}-${index}`, 0.2));
    const view = async () => BatchView.parse((await server.call('GET', `/api/batches/${batch.id}`)).body);
    expect(await view()).toMatchObject({
      acceptance: 0.5,
      perAccepted: { usd: 0.4, tokens: 240 },
      rehearsed: false,
      progress: { perMinute: expect.any(Number), secondsLeft: expect.any(Number) },
    });
    await server.store.meta.addModelCall({ ...callOf(`${batch.id}-1`, 0), token: 2, provider: 'rehearsal' });
    expect(await view()).toMatchObject({ acceptance: null, perAccepted: null, rehearsed: true });
  });

  it('are cancelled while open', async () => {
    const batch = await startBatch();
    await server.call('POST', `/api/batches/${batch.id}/cancel`, {});
    expect(server.engine.cancelled).toEqual([batch.workflowId]);
    await server.store.meta.updateBatch(batch.id, { state: 'cancelled' });
    expect((await server.call('POST', `/api/batches/${batch.id}/cancel`, {})).status).toBe(409);
  });
});
