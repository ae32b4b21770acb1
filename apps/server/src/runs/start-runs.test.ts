import { StartedRuns } from '@cua-forge/spec/api/runs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Reconciler } from '../reconciler.ts';
import { startTestServer, type TestServer, twoEchoes } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.stop());

const bulk = (count: number, more: object = {}) =>
  server.call('POST', '/api/runs/bulk', {
    document: twoEchoes,
    runs: Array.from({ length: count }, (_, index) => ({ inputs: { word: `w${index}` }, seed: index })),
    ...more,
  });
const started = async (count: number, more: object = {}) => StartedRuns.parse((await bulk(count, more)).body);
const record = (id: string | undefined) => server.store.meta.getRun(id ?? '');
const reconcile = () => new Reconciler({ ...server.services, now: () => Date.now() + 60_000 }).reconcile();

describe('POST /api/runs/bulk', () => {
  it('records each run with its own inputs, and spreads them over hosts', async () => {
    const { ids, hosts } = await started(120);
    expect(hosts).toBe(3);
    expect(server.engine.hosts.map(({ runs }) => runs.length)).toEqual([50, 50, 20]);
    expect(server.engine.hosts.flatMap(({ runs }) => runs)).toEqual(ids);
    expect(server.engine.started).toEqual([]);
    expect(await record(ids[119])).toMatchObject({
      seed: 119,
      mode: 'batch',
      state: 'queued',
      inputs: { word: { preview: 'w119' } },
    });
    expect((await record(ids[119]))?.workflowId).toBe(server.engine.hosts[2]?.workflowId);
  });

  it('gives a single run a workflow of its own', async () => {
    const { ids, hosts } = await started(1);
    expect(hosts).toBe(0);
    expect(server.engine.started).toEqual([{ runId: ids[0], epoch: 1, retry: [] }]);
  });

  it('starts the same runs for one idempotency key, and refuses the key for others', async () => {
    const first = await started(3, { idempotencyKey: 'k' });
    expect(await started(3, { idempotencyKey: 'k' })).toEqual(first);
    expect((await bulk(4, { idempotencyKey: 'k' })).status).toBe(409);
  });

  it('refuses what one of the runs lacks before any is recorded', async () => {
    const answer = await bulk(0, { runs: [{ inputs: { word: 'x' } }, {}] });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'input.invalid', message: expect.stringContaining('Run 2') } },
    });
    expect(await server.store.meta.listRuns({ limit: 10 })).toEqual([]);
  });

  it('cancels one hosted run by a word to its host, and takes no retry of it while it is open', async () => {
    const { ids } = await started(2);
    const [first = ''] = ids;
    const [host] = server.engine.hosts;
    await server.store.meta.updateRun(first, { state: 'running' });
    expect((await server.call('POST', `/api/runs/${first}/retry`, { targets: ['first'] })).status).toBe(409);
    await server.call('POST', `/api/runs/${first}/cancel`);
    expect(server.engine.cancelledHosted).toEqual([{ workflowId: host?.workflowId, runId: first }]);
    expect(server.engine.cancelled).toEqual([]);
  });

  it('retries a run that ended in a host in a workflow of its own, though the host goes on', async () => {
    const { ids } = await started(2);
    const [first = ''] = ids;
    await server.store.meta.updateRun(first, { state: 'failed', startedAt: 1, endedAt: 2 });
    const answer = await server.call('POST', `/api/runs/${first}/retry`, { targets: ['first'] });
    expect(answer.body).toMatchObject({ reopened: true });
    expect(await record(first)).toMatchObject({ workflowId: `run/${first}`, epoch: 2 });
    expect(server.engine.started).toEqual([{ runId: first, epoch: 2, retry: ['first'] }]);
  });
});

describe('the reconciler', () => {
  it('starts runs whose host never was, each for itself', async () => {
    server.engine.breaksOnStart = true;
    expect((await bulk(3)).status).toBe(503);
    server.engine.breaksOnStart = false;
    const report = await reconcile();
    expect(report.started).toHaveLength(3);
    for (const id of report.started)
      expect(await record(id)).toMatchObject({ workflowId: `run/${id}`, state: 'queued' });
    expect(server.engine.started.map(({ runId }) => runId).sort()).toEqual([...report.started].sort());
  });

  it('closes every open run of a host that was terminated, and leaves those alone that had ended', async () => {
    const { ids } = await started(3);
    const [first = '', second = '', third = ''] = ids;
    for (const id of [first, second]) await server.store.meta.updateRun(id, { state: 'running', startedAt: 1 });
    await server.store.meta.updateRun(third, { state: 'succeeded', startedAt: 1, endedAt: 2 });
    server.engine.end(server.engine.hosts[0]?.workflowId ?? '', { status: 'terminated' });
    expect((await reconcile()).closed.sort()).toEqual([first, second].sort());
    expect((await record(second))?.state).toBe('terminated');
    expect((await record(third))?.state).toBe('succeeded');
  });

  it('says that a retry was interrupted before its workflow was started', async () => {
    const { ids } = await started(2);
    const [first = ''] = ids;
    const workflowId = `run/${first}`;
    await server.store.meta.updateRun(first, { state: 'queued', epoch: 2, workflowId, startedAt: 1 });
    await reconcile();
    expect(await record(first)).toMatchObject({ state: 'failed', failure: { fix: 'Retry again.' } });
  });
});
