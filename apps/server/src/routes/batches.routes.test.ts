import { BatchList, BatchView } from '@cua-forge/spec/api';
import { BatchRecord, type RunRecord } from '@cua-forge/spec/store-port';
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
  await server.store.meta.createRun({
    id: `${batch.id}-${index}`,
    documentId: batch.documentId,
    documentHash: batch.documentHash,
    planHash: batch.planHash,
    title: batch.title,
    skill: batch.skill,
    seed: batch.seed + index,
    mode: 'batch',
    batchId: batch.id,
    baseRun: null,
    selection: { mode: 'all' },
    inputs: batch.inputs,
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

describe('batches', () => {
  it('are recorded with their plan and inputs before their workflow starts, once for a key', async () => {
    const batch = await startBatch({ idempotencyKey: 'k' });
    expect(server.engine.batches).toEqual([{ id: batch.id, window: 2 }]);
    expect(await server.store.artifacts.has(batch.planHash)).toBe(true);
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
    expect(view.counts).toEqual({ done: 3, accepted: 1, rejected: 1, failed: 1, running: 1 });
    expect(view.failures).toEqual({ 'gate.rejected': 1, 'model.timeout': 1 });
  });

  it('retry their failed runs by code', async () => {
    const batch = await startBatch();
    await addRun(batch, 0, { state: 'failed', failure: { code: 'model.timeout', message: 'x' } });
    await addRun(batch, 1, { state: 'failed', failure: { code: 'gate.rejected', message: 'x' } });
    await addRun(batch, 2, { state: 'succeeded' });
    const answer = await server.call('POST', `/api/batches/${batch.id}/retry`, { failureCode: 'model.timeout' });
    expect(answer.body).toEqual({ runs: [`${batch.id}-0`] });
    expect(server.engine.started).toEqual([{ runId: `${batch.id}-0`, epoch: 2, retry: [] }]);
    expect((await server.call('POST', `/api/batches/${batch.id}/retry`, { failureCode: 'model.auth' })).status).toBe(
      400,
    );
  });

  it('are cancelled while open', async () => {
    const batch = await startBatch();
    await server.call('POST', `/api/batches/${batch.id}/cancel`, {});
    expect(server.engine.cancelled).toEqual([batch.workflowId]);
    await server.store.meta.updateBatch(batch.id, { state: 'cancelled' });
    expect((await server.call('POST', `/api/batches/${batch.id}/cancel`, {})).status).toBe(409);
  });
});
