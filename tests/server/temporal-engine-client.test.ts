import { randomUUID } from 'node:crypto';
import type { RunRecord } from '@cua-forge/spec/store-port';
import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { EngineClient } from '../../apps/server/src/engine-client.ts';
import { temporalEngineClient } from '../../apps/server/src/temporal-engine-client.ts';

const { address, namespace } = inject('temporal');
let engine: EngineClient;
let connection: Connection;
let client: Client;
beforeAll(async () => {
  engine = temporalEngineClient({ address, namespace, tls: false, apiKey: undefined });
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
});
afterAll(async () => {
  await engine.close();
  await connection.close();
});

const newRun = (): RunRecord => {
  const id = `r${randomUUID()}`;
  return {
    id,
    documentId: 'doc',
    documentHash: '0'.repeat(64),
    planHash: '0'.repeat(64),
    title: 'A run that no worker takes',
    skill: '',
    seed: 1,
    mode: 'interactive',
    batchId: null,
    baseRun: null,
    selection: { mode: 'all' },
    inputs: {},
    edits: {},
    state: 'queued',
    failure: null,
    outputs: {},
    epoch: 1,
    workflowId: `run/${id}`,
    createdAt: 1,
    startedAt: null,
    endedAt: null,
  };
};

describe('the engine on Temporal', () => {
  it('starts a run once, describes it, and says how it was ended', async () => {
    const run = newRun();
    expect((await engine.describe(run.workflowId)).status).toBe('not-found');
    await engine.startRun(run, []);
    await engine.startRun(run, []);
    expect(await engine.describe(run.workflowId)).toMatchObject({ status: 'open', epoch: 1 });

    await client.workflow.getHandle(run.workflowId).terminate('by hand');
    expect(await engine.describe(run.workflowId)).toMatchObject({
      status: 'terminated',
      detail: expect.stringContaining('by hand'),
    });
    // A first start never repeats a run that has ended; a higher epoch opens it again.
    await engine.startRun(run, []);
    expect((await engine.describe(run.workflowId)).status).toBe('terminated');
    await engine.startRun({ ...run, epoch: 2 }, ['draft']);
    expect(await engine.describe(run.workflowId)).toMatchObject({ status: 'open', epoch: 2 });
    await client.workflow.getHandle(run.workflowId).terminate();
  });

  it('starts runs in a namespace that has none of our search attributes', async () => {
    const bare = `bare-${randomUUID()}`;
    await connection.workflowService.registerNamespace({
      namespace: bare,
      workflowExecutionRetentionPeriod: proto.google.protobuf.Duration.fromObject({ seconds: 86_400 }),
    });
    const elsewhere = temporalEngineClient({ address, namespace: bare, tls: false, apiKey: undefined });
    const run = newRun();
    await expect
      .poll(
        () =>
          elsewhere.startRun(run, []).then(
            () => 'started',
            (thrown: unknown) => String(thrown),
          ),
        { timeout: 20_000, interval: 500 },
      )
      .toBe('started');
    expect((await elsewhere.describe(run.workflowId)).status).toBe('open');
    await elsewhere.close();
  });

  it('lists open workflows, and none that ended', async () => {
    const [open, ended] = [newRun(), newRun()];
    await engine.startRun(open, []);
    await engine.startRun(ended, []);
    await client.workflow.getHandle(ended.workflowId).terminate();
    await expect
      .poll(
        async () => {
          const ids: string[] = [];
          for await (const id of engine.listOpen()) ids.push(id);
          return [ids.includes(open.workflowId), ids.includes(ended.workflowId)];
        },
        { timeout: 15_000, interval: 200 },
      )
      .toEqual([true, false]);
    await client.workflow.getHandle(open.workflowId).terminate();
  });

  it('refuses actions on what is not open', async () => {
    const { workflowId } = newRun();
    await expect(engine.cancel(workflowId)).rejects.toMatchObject({ code: 'run.state' });
    await expect(engine.retry(workflowId, { targets: [], edits: {} })).rejects.toMatchObject({ code: 'run.state' });
    expect(await engine.cancelChildren(workflowId)).toBe(0);
  });

  it('reports health with the queues', async () => {
    const health = await engine.health();
    expect(health.reachable).toBe(true);
    expect(health.workers.map((worker) => worker.queue)).toEqual([
      'forge',
      'forge-light',
      'forge-model',
      'forge-heavy',
    ]);
  });

  it('says within seconds that nothing answers, for every call', async () => {
    const nowhere = temporalEngineClient({ address: '127.0.0.1:9', namespace, tls: false, apiKey: undefined });
    const began = Date.now();
    const unreachable = { code: 'temporal.unreachable', fix: expect.stringContaining('TEMPORAL_ADDRESS') };
    await expect(nowhere.startRun(newRun(), [])).rejects.toMatchObject(unreachable);
    await expect(nowhere.describe('run/x')).rejects.toMatchObject(unreachable);
    await expect(nowhere.cancel('run/x')).rejects.toMatchObject(unreachable);
    await expect(nowhere.listOpen()[Symbol.asyncIterator]().next()).rejects.toMatchObject(unreachable);
    expect(await nowhere.health()).toMatchObject({ reachable: false, workers: [] });
    expect(Date.now() - began).toBeLessThan(40_000);
    await nowhere.close();
  });
});
