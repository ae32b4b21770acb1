import { randomUUID } from 'node:crypto';
import { GraphDocument } from '@cua-forge/spec/document';
import { openStore } from '@cua-forge/store/open-store';
import { expect, it } from 'vitest';
import { countByNode } from '../support/run-watch.ts';
import { eventually, startServices } from '../support/services.ts';
import { modelAt, slowModel } from '../support/slow-model.ts';
import { documentOf } from '../support/test-kinds.ts';

const count = 24;
const nodes = [
  { id: 'draft', kind: 'llm.generate', params: { prompt: 'Name a river.' } },
  { id: 'polish', kind: 'llm.generate', params: { prompt: 'Say more of {{ draft }}', inputs: { draft: 'text' } } },
];

it('a batch goes on after kill -9 of the worker, and of worker and server while it is paused; every run is made once', async () => {
  const model = await slowModel(400);
  const services = await startServices({ env: modelAt(model.baseUrl) });
  const store = await openStore({ folder: services.store });
  try {
    const { api } = services;
    const document = GraphDocument.parse(documentOf(nodes, [['draft.text', 'polish.draft']], { id: 'rivers' }));
    await api.saveDocument('rivers', { document, expectedRevision: null });
    const batch = await api.startBatch({
      documentId: 'rivers',
      count,
      seed: 1,
      window: 4,
      idempotencyKey: randomUUID(),
    });
    const done = async () => (await api.batch(batch.id)).counts.done;
    await eventually('some runs have ended', async () => (await done()) >= 5);
    await services.kill('worker');
    await services.restart('worker');
    await eventually('more runs have ended', async () => (await done()) >= 10, 60_000);
    await api.pauseBatch(batch.id);
    await Promise.all([services.kill('worker'), services.kill('server')]);
    const paused = await store.meta.listBatchRunIds(batch.id);
    await Promise.all([services.restart('worker'), services.restart('server')]);
    await eventually(
      'what was in progress has ended',
      async () => (await api.batch(batch.id)).counts.running === 0,
      60_000,
    );
    // A start that was under way when it was paused may have been recorded.
    expect((await store.meta.listBatchRunIds(batch.id)).length).toBeLessThanOrEqual(paused.length + 4);
    await api.resumeBatch(batch.id);
    const view = await eventually(
      'the batch has ended',
      async () => {
        const seen = await api.batch(batch.id);
        return seen.batch.state === 'succeeded' ? seen : null;
      },
      90_000,
    );

    expect(view.counts).toMatchObject({ done: count, accepted: count, failed: 0, running: 0, waiting: 0 });
    const runs = await store.meta.listRuns({ batchId: batch.id, limit: 100 });
    expect(runs.map(({ seed }) => seed).sort((a, b) => a - b)).toEqual(
      Array.from({ length: count }, (_, index) => 1 + index),
    );
    for (const { id } of runs) expect(countByNode(await store.meta.listOutcomes(id))).toEqual({ draft: 1, polish: 1 });
    // What was asked again after a kill is counted, too.
    const { total } = await store.meta.costs({ by: 'node', batchId: batch.id, limit: 10 });
    expect(total.runs).toBe(count);
    expect(total.calls).toBeGreaterThanOrEqual(2 * count);
    expect(total.calls).toBeLessThanOrEqual(2 * count + 8);
  } finally {
    await store.meta.close();
    await services.stop();
    await model.close();
  }
});
