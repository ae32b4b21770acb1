import { setTimeout as sleep } from 'node:timers/promises';
import { GraphDocument } from '@cua-forge/spec/document';
import { openStore } from '@cua-forge/store/open-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultDocument, faultDocumentKeys } from '../support/fault-document.ts';
import { countByNode, outputsOf, runIn } from '../support/run-watch.ts';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { modelAt, slowModel } from '../support/slow-model.ts';

const document = GraphDocument.parse(faultDocument);

describe('without Temporal', () => {
  let model: Awaited<ReturnType<typeof slowModel>>;
  let services: RunningServices;
  beforeAll(async () => {
    model = await slowModel(400);
    services = await startServices({ start: ['server'], env: modelAt(model.baseUrl) });
  });
  afterAll(async () => {
    await services.stop();
    await model.close();
  });

  const start = (nonce: string) =>
    services.api.startRun({ document, inputs: { nonce }, mode: 'batch', idempotencyKey: nonce });

  /** Starts a run and resolves once some of it is done and some is not. */
  async function inTheMiddle(nonce: string): Promise<string> {
    const { id } = await start(nonce);
    await eventually('the run is in the middle', async () => {
      const { nodes } = await services.api.run(id);
      return nodes.some(({ key, status }) => key === 'first' && status === 'running');
    });
    return id;
  }

  async function outcomeCounts(runId: string): Promise<Record<string, number>> {
    const store = await openStore({ folder: services.store });
    try {
      return countByNode(await store.meta.listOutcomes(runId));
    } finally {
      await store.meta.close();
    }
  }
  const once = Object.fromEntries(faultDocumentKeys.map((key) => [key, 1]));

  it('the server serves and says what is missing, the worker waits, and both work once it is there', async () => {
    const { api, url } = services;
    const health = await api.health();
    expect(health.temporal).toMatchObject({ reachable: false, address: services.temporal.address });
    expect(health.temporal.detail).toContain(services.temporal.address);
    expect(health.temporal.detail).toMatch(/start it/i);
    expect(health.workers).toEqual([]);
    expect((await api.kinds()).length).toBeGreaterThan(10);

    const refused = await fetch(`${url}/api/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ document, inputs: { nonce: 'refused' } }),
    });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      error: { code: 'temporal.unreachable', fix: expect.stringMatching(/TEMPORAL_ADDRESS/) },
    });

    const waiting = services.restart('worker');
    await sleep(3_000);
    expect(services.processes.worker).toBeNull();
    await services.restart('temporal');
    await waiting;
    const run = await runIn(api, (await start('first')).id);
    expect(run).toMatchObject({ state: 'succeeded' });
    expect(await outcomeCounts(run.id)).toEqual(once);
  });

  it('that is away for five seconds, a run goes on when it is back', async () => {
    const id = await inTheMiddle('away');
    await services.end('temporal');
    await eventually('health tells it', async () => !(await services.api.health()).temporal.reachable);
    await sleep(5_000);
    await services.restart('temporal');
    expect(await runIn(services.api, id)).toMatchObject({ state: 'succeeded' });
    expect(await outcomeCounts(id)).toEqual(once);
    // The server connects again by itself, with growing waits between its tries.
    await eventually('health is well again', async () => (await services.api.health()).temporal.reachable);
  });

  it('killed in the middle of a run, the run ends as it would have', async () => {
    const id = await inTheMiddle('killed');
    await services.kill('temporal');
    await services.restart('temporal');
    const run = await runIn(services.api, id);
    expect(run).toMatchObject({ state: 'succeeded' });
    const undisturbed = await runIn(services.api, (await start('undisturbed')).id);
    expect(await outputsOf(services.api, run)).toEqual(await outputsOf(services.api, undisturbed));
    expect(await outcomeCounts(id)).toEqual(once);
  });
});
