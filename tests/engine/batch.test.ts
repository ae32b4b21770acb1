import { viewBatch } from '@cua-forge/server/batches/batch-view';
import { retryBatch } from '@cua-forge/server/batches/retry-batch';
import { startBatch } from '@cua-forge/server/batches/start-batch';
import type { BatchRecord } from '@cua-forge/spec/store-port';
import { sha256 } from '@cua-forge/store/hash';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Engine } from '../support/engine-fixture.ts';
import { startEngine } from '../support/engine-fixture.ts';
import type { NodeOf } from '../support/test-kinds.ts';
import { documentOf, Executions, step, testKinds } from '../support/test-kinds.ts';

const executions = new Executions();
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ kinds: testKinds(executions) });
});
afterAll(() => engine.stop());

async function batchOf(
  id: string,
  nodes: NodeOf[],
  edges: [string, string][],
  count: number,
  window: number,
): Promise<BatchRecord> {
  const source = stringify(documentOf(nodes, edges, { id }));
  await engine.store.meta.saveDocument(id, 'Test', source, sha256(source), null, Date.now());
  return startBatch(engine.services, { documentId: id, count, seed: 100, inputs: {}, window });
}
const ended = async (id: string): Promise<BatchRecord> => {
  const state = async () => (await engine.store.meta.getBatch(id))?.state;
  await expect.poll(state, { timeout: 40_000 }).toMatch(/succeeded|failed|cancelled/);
  const batch = await engine.store.meta.getBatch(id);
  if (!batch) throw new Error('no batch');
  return batch;
};
const runsOf = async (batchId: string) =>
  (await engine.store.meta.listRuns({ batchId, limit: 100 })).sort((a, b) => a.seed - b.seed);

describe('batch', () => {
  it('makes all runs, each with its seed, no more at once than its window', async () => {
    const batch = await batchOf(
      'batch-all',
      [step('a', { milliseconds: 150 }), step('b')],
      [['a.value', 'b.value']],
      12,
      3,
    );
    expect((await ended(batch.id)).state).toBe('succeeded');
    const runs = await runsOf(batch.id);
    expect(runs.map(({ seed }) => seed)).toEqual(Array.from({ length: 12 }, (_, index) => 100 + index));
    expect(runs.map(({ id }) => id)).toEqual(runs.map((_, index) => `${batch.id}-${index}`));
    for (const run of runs) {
      expect(run).toMatchObject({
        state: 'succeeded',
        mode: 'batch',
        batchId: batch.id,
        planHash: batch.parts[0]?.planHash,
      });
      expect(executions.of(run.id)).toEqual({ a: 1, b: 1 });
    }
    const spans = runs.map(({ startedAt, endedAt }) => ({ from: startedAt ?? 0, to: endedAt ?? 0 }));
    const atOnce = spans.map(({ from }) => spans.filter((other) => other.from <= from && from < other.to).length);
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(3);
    expect((await viewBatch(engine.store.meta, batch.id)).counts).toEqual({
      done: 12,
      accepted: 12,
      rejected: 0,
      failed: 0,
      cancelled: 0,
      running: 0,
      waiting: 0,
    });
  });

  it('goes on where runs fail; they are retried by the code of their failure', async () => {
    const batch = await batchOf('batch-failing', [step('a'), step('b', { fail: 1 })], [['a.value', 'b.value']], 4, 4);
    await ended(batch.id);
    const view = await viewBatch(engine.store.meta, batch.id);
    expect(view.counts).toMatchObject({ done: 4, accepted: 0, failed: 4 });
    expect(view.failures).toEqual({ 'node.failed': 4 });
    await expect(retryBatch(engine.services, batch.id, 'model.refused')).rejects.toMatchObject({
      code: 'input.invalid',
    });
    const reopened = await retryBatch(engine.services, batch.id, 'node.failed');
    expect(reopened.sort()).toEqual((await runsOf(batch.id)).map(({ id }) => id));
    for (const id of reopened) {
      expect(await engine.settled(id)).toMatchObject({ state: 'succeeded', epoch: 2 });
      expect(executions.of(id)).toEqual({ a: 1, b: 2 });
    }
    expect((await viewBatch(engine.store.meta, batch.id)).counts).toMatchObject({ accepted: 4, failed: 0 });
  });

  it('cancelled midway ends its open runs and starts no others', async () => {
    const batch = await batchOf('batch-cancelled', [step('a', { milliseconds: 20_000 })], [], 12, 3);
    const open = async () => (await runsOf(batch.id)).filter(({ id }) => executions.of(id).a === 1).length;
    await expect.poll(open, { timeout: 20_000 }).toBe(3);
    await engine.services.engine.cancel(batch.workflowId);
    expect((await ended(batch.id)).state).toBe('cancelled');
    const runs = await runsOf(batch.id);
    expect(runs.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    for (const { workflowId } of runs)
      expect((await engine.services.engine.describe(workflowId)).status).not.toBe('open');
  });
});
