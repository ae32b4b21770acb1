import type { RunRecord } from '@cua-forge/spec/store-port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Reconciler } from './reconciler.ts';
import { startRun } from './runs/start-run.ts';
import { startTestServer, type TestServer, twoEchoes } from './testing/test-server.ts';

let server: TestServer;
let later: number;
beforeEach(async () => {
  server = await startTestServer();
  later = 60_000;
});
afterEach(() => server.stop());

const reconcile = () => new Reconciler({ ...server.services, now: () => Date.now() + later }).reconcile();
const start = () =>
  startRun(server.services, {
    document: twoEchoes,
    inputs: { word: 'x' },
    seed: 1,
    mode: 'interactive',
    selection: { mode: 'all' },
    baseRun: null,
    usePins: false,
  });
const stateOf = async (run: RunRecord) => (await server.store.meta.getRun(run.id))?.state;

describe('reconcile', () => {
  it('never touches a run whose workflow is open', async () => {
    const run = await start();
    expect(await reconcile()).toEqual({ closed: [], started: [] });
    expect(await stateOf(run)).toBe('queued');
  });

  it.each([
    [{ status: 'terminated', detail: 'by hand' }, 'terminated', /terminated in Temporal. by hand/],
    [{ status: 'failed', detail: 'history too large' }, 'failed', /history too large/],
    [{ status: 'timed-out' }, 'failed', /time limit/],
    [{ status: 'cancelled' }, 'cancelled', /^$/],
    [{ status: 'completed' }, 'failed', /without saying how/],
    [{ status: 'completed', result: { state: 'succeeded', failure: null, outputs: {} } }, 'succeeded', /^$/],
  ] as const)('gives a run its true state: %j', async (situation, state, message) => {
    const run = await start();
    server.engine.end(run.workflowId, situation);
    expect((await reconcile()).closed).toEqual([run.id]);
    const record = await server.store.meta.getRun(run.id);
    expect(record?.state).toBe(state);
    expect(record?.failure?.message ?? '').toMatch(message);
    expect(record?.endedAt).not.toBeNull();
    expect(server.engine.childrenCancelled).toEqual([run.workflowId]);
    expect(await reconcile()).toEqual({ closed: [], started: [] });
  });

  it('starts a run that was recorded just before a crash, once it is old enough', async () => {
    server.engine.breaksOnStart = true;
    await expect(start()).rejects.toMatchObject({ code: 'temporal.unreachable' });
    server.engine.breaksOnStart = false;
    later = 0;
    expect(await reconcile()).toEqual({ closed: [], started: [] });
    later = 60_000;
    const { started } = await reconcile();
    expect(server.engine.started).toEqual([{ runId: started[0], epoch: 1, retry: [] }]);
  });

  it('marks a run whose workflow Temporal has forgotten', async () => {
    const run = await start();
    await server.store.meta.updateRun(run.id, { state: 'running', startedAt: 1 });
    server.engine.situations.clear();
    await reconcile();
    expect(await stateOf(run)).toBe('terminated');
  });

  it('closes a run whose retry was recorded and never started', async () => {
    const run = await start();
    server.engine.end(run.workflowId, {
      status: 'completed',
      epoch: 1,
      result: { state: 'succeeded', failure: null, outputs: {} },
    });
    await server.store.meta.updateRun(run.id, { state: 'queued', epoch: 2 });
    await reconcile();
    expect(await server.store.meta.getRun(run.id)).toMatchObject({ state: 'failed', failure: { fix: 'Retry again.' } });
  });

  it('leaves waiting runs to an open batch, and closes them with a terminated one', async () => {
    await server.call('PUT', '/api/documents/two-echoes', { document: twoEchoes, expectedRevision: null });
    const answer = await server.call('POST', '/api/batches', {
      documentId: 'two-echoes',
      count: 2,
      seed: 1,
      inputs: { word: 'x' },
    });
    const [batch] = await server.store.meta.listBatches(1);
    expect(answer.status).toBe(201);
    if (batch === undefined) throw new Error('no batch');
    const run: RunRecord = {
      ...(await start()),
      id: `${batch.id}-0`,
      batchId: batch.id,
      mode: 'batch',
      workflowId: `run/${batch.id}-0`,
    };
    await server.store.meta.createRun(run);
    expect(await reconcile()).toEqual({ closed: [], started: [] });
    server.engine.end(batch.workflowId, { status: 'terminated' });
    expect((await reconcile()).closed).toEqual([batch.id, run.id]);
    expect(await stateOf(run)).toBe('terminated');
    expect((await server.store.meta.getBatch(batch.id))?.state).toBe('terminated');
  });

  it('starts a batch again that was opened again, when its start was lost, and leaves what waits in it alone', async () => {
    await server.call('PUT', '/api/documents/two-echoes', { document: twoEchoes, expectedRevision: null });
    const body = { documentId: 'two-echoes', count: 1, seed: 1, inputs: { word: 'x' } };
    await server.call('POST', '/api/batches', body);
    const [batch] = await server.store.meta.listBatches(1);
    if (batch === undefined) throw new Error('no batch');
    const id = `${batch.id}-0`;
    const run: RunRecord = {
      ...(await start()),
      id,
      batchId: batch.id,
      mode: 'batch',
      workflowId: `run/${id}`,
      epoch: 2,
    };
    await server.store.meta.createRun(run);
    server.engine.end(run.workflowId, { status: 'completed', epoch: 1 });
    server.engine.end(batch.workflowId, { status: 'completed' });
    for (const state of ['running', 'paused', 'budget'] as const) {
      await server.store.meta.updateBatch(batch.id, { state });
      server.engine.end(batch.workflowId, { status: 'completed' });
      expect(await reconcile()).toEqual({ closed: [], started: [batch.id] });
      expect(await reconcile()).toEqual({ closed: [], started: [] });
    }
    expect(await stateOf(run)).toBe('queued');
    await server.store.meta.updateBatch(batch.id, { state: 'succeeded' });
    expect((await reconcile()).closed).toEqual([run.id]);
  });

  it('does nothing while Temporal is away, and goes on by itself', async () => {
    const run = await start();
    server.engine.end(run.workflowId, { status: 'terminated' });
    server.engine.reachable = false;
    const reconciler = new Reconciler({ ...server.services, now: () => Date.now() + later }, 10);
    reconciler.start();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await stateOf(run)).toBe('queued');
    server.engine.reachable = true;
    const deadline = Date.now() + 5_000;
    while ((await stateOf(run)) === 'queued' && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await stateOf(run)).toBe('terminated');
    await reconciler.stop();
  });
});
