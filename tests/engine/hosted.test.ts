import { retryBatch } from '@cua-forge/server/batches/retry-batch';
import { startBatch } from '@cua-forge/server/batches/start-batch';
import { cancelBatch, pauseBatch, resumeBatch } from '@cua-forge/server/batches/steer-batch';
import { Reconciler } from '@cua-forge/server/reconciler';
import { cancelRun } from '@cua-forge/server/runs/cancel-run';
import { retryRun } from '@cua-forge/server/runs/retry-run';
import { startRuns } from '@cua-forge/server/runs/start-runs';
import { GraphDocument } from '@cua-forge/spec/document';
import { isHostWorkflow } from '@cua-forge/spec/engine';
import type { BatchRecord, RunRecord } from '@cua-forge/spec/store-port';
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

const cheap = (id: string, params: Record<string, unknown> = {}): NodeOf => step(id, params, 'test.cheap');
const words = (nodes: NodeOf[], edges: [string, string][] = [], id = 'hosted'): GraphDocument =>
  GraphDocument.parse(
    documentOf(nodes, [['$inputs.word', `${nodes[0]?.id}.value`], ...edges], {
      id,
      title: id,
      skill: id,
      inputs: { word: { type: 'any', default: 'w' } },
      outputs: { text: `${nodes.at(-1)?.id}.value` },
    }),
  );
const startMany = (document: GraphDocument, count: number, more: { idempotencyKey?: string } = {}) =>
  startRuns(engine.services, {
    document,
    runs: Array.from({ length: count }, (_, index) => ({ inputs: { word: `w${index}` }, seed: index })),
    ...more,
  });
const record = async (id: string): Promise<RunRecord> => {
  const run = await engine.store.meta.getRun(id);
  if (!run) throw new Error(`no run ${id}`);
  return run;
};
const startedOnce = async (ids: string[], node: string) =>
  expect.poll(() => ids.every((id) => executions.of(id)[node] === 1), { timeout: 20_000 }).toBe(true);

describe('runs that share a workflow', () => {
  it('are each their own: id, inputs, states, outcomes, result', async () => {
    const document = words(
      [cheap('a'), cheap('b'), cheap('c')],
      [
        ['a.value', 'b.value'],
        ['b.value', 'c.value'],
      ],
    );
    const { ids, hosts } = await startMany(document, 12, { idempotencyKey: 'twelve' });
    expect(hosts).toBe(1);
    // Asked again under the same key, nothing more is started.
    expect(await startMany(document, 12, { idempotencyKey: 'twelve' })).toEqual({ ids, hosts });
    for (const [index, id] of ids.entries()) {
      const run = await engine.settled(id);
      expect(run).toMatchObject({
        state: 'succeeded',
        seed: index,
        mode: 'batch',
        epoch: 1,
        startedAt: expect.any(Number),
      });
      expect(isHostWorkflow(run.workflowId)).toBe(true);
      expect(await engine.outputs(id, 'c')).toEqual({ value: `w${index}>a>b>c` });
      expect(executions.of(id)).toEqual({ a: 1, b: 1, c: 1 });
      expect(await engine.statuses(id)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded' });
      const events = await engine.store.meta.listEvents({ runId: id, after: 0, limit: 100 });
      const states = events.filter(({ type }) => type === 'run').map(({ data }) => (data as { state: string }).state);
      expect(states).toEqual(['queued', 'running', 'succeeded']);
    }
    const [first] = ids;
    const { workflowId } = await record(first ?? '');
    await expect
      .poll(async () => (await engine.services.engine.describe(workflowId)).status, { timeout: 10_000 })
      .toBe('completed');
    const found: string[] = [];
    for await (const each of engine.client.workflow.list({ query: 'ForgeSkill = "hosted"' }))
      found.push(each.workflowId);
    expect(found).toEqual([workflowId]);
  });

  it('have workflows of their own where a node is not cheap', async () => {
    const { ids, hosts } = await startMany(words([cheap('a'), step('b')], [['a.value', 'b.value']], 'dear'), 3);
    expect(hosts).toBe(0);
    for (const id of ids)
      expect(await engine.settled(id)).toMatchObject({ state: 'succeeded', workflowId: `run/${id}` });
  });

  it('fail and repeat alone; a retry goes on in a workflow of its own', async () => {
    const passing = cheap('b', { fail: 2, code: 'model.unavailable' });
    const document = words(
      [cheap('a'), passing, cheap('c')],
      [
        ['a.value', 'b.value'],
        ['b.value', 'c.value'],
      ],
    );
    const { ids } = await startMany(document, 2);
    for (const id of ids) {
      expect(await engine.settled(id)).toMatchObject({ state: 'succeeded' });
      expect(executions.of(id)).toEqual({ a: 1, b: 3, c: 1 });
    }
    const failing = await startMany(
      words(
        [cheap('a'), cheap('b', { fail: 1 }), cheap('c')],
        [
          ['a.value', 'b.value'],
          ['b.value', 'c.value'],
        ],
      ),
      3,
    );
    for (const id of failing.ids)
      expect(await engine.settled(id)).toMatchObject({ state: 'failed', failure: { code: 'node.failed' } });
    const [first = ''] = failing.ids;
    await retryRun(engine.services, first, { targets: [], edits: {} });
    expect(await engine.settled(first)).toMatchObject({ state: 'succeeded', epoch: 2, workflowId: `run/${first}` });
    expect(executions.of(first)).toEqual({ a: 1, b: 2, c: 1 });
  });

  it('are cancelled one by one; while open, one takes no retry', async () => {
    const { ids } = await startMany(
      words([cheap('a', { milliseconds: 700 }), cheap('b')], [['a.value', 'b.value']], 'slow'),
      3,
    );
    const [first = '', second = '', third = ''] = ids;
    await startedOnce([first], 'a');
    await expect(retryRun(engine.services, first, { targets: ['a'], edits: {} })).rejects.toMatchObject({
      code: 'run.state',
    });
    await cancelRun(engine.services, third);
    expect(await engine.settled(third)).toMatchObject({ state: 'cancelled' });
    for (const id of [first, second]) expect(await engine.settled(id)).toMatchObject({ state: 'succeeded' });
  });

  it('survive their worker, and execute nothing twice', async () => {
    const { ids } = await startMany(
      words([cheap('a'), cheap('b', { milliseconds: 300 })], [['a.value', 'b.value']]),
      6,
    );
    await startedOnce(ids.slice(0, 2), 'b');
    await engine.restartWorker();
    for (const id of ids) {
      expect(await engine.settled(id)).toMatchObject({ state: 'succeeded' });
      expect(await engine.executions(id)).toEqual({ a: 1, b: 1 });
    }
  });

  it('are closed as terminated with their workflow, and each can be taken up again', async () => {
    const { ids } = await startMany(
      words([cheap('a'), cheap('b', { milliseconds: 2_000 })], [['a.value', 'b.value']], 'doomed'),
      2,
    );
    const [first = ''] = ids;
    await startedOnce([first], 'b');
    const { workflowId } = await record(first);
    await engine.client.workflow.getHandle(workflowId).terminate('by hand');
    const later = { ...engine.services, now: () => Date.now() + 60_000 };
    const closed = await new Reconciler(later).reconcile();
    expect(closed.closed.sort()).toEqual([...ids].sort());
    expect(await record(first)).toMatchObject({ state: 'terminated', failure: { code: 'run.state' } });
    await retryRun(engine.services, first, { targets: [], edits: {} });
    expect(await engine.settled(first, ['succeeded', 'failed'])).toMatchObject({ state: 'succeeded', epoch: 2 });
  });
});

describe('a batch of small runs', () => {
  async function batchOf(id: string, nodes: NodeOf[], edges: [string, string][], window: number): Promise<BatchRecord> {
    const source = stringify(words(nodes, edges, id));
    await engine.store.meta.saveDocument(id, id, source, sha256(source), null, Date.now());
    return startBatch(engine.services, { documentId: id, count: 15, seed: 1, inputs: {}, window });
  }
  const becomes = (id: string, state: string) =>
    expect.poll(async () => (await engine.store.meta.getBatch(id))?.state, { timeout: 40_000 }).toBe(state);
  const runsOf = async (batchId: string) => engine.store.meta.listRuns({ batchId, limit: 100 });

  it('hosts them as its window allows, and takes up again what failed, each alone', async () => {
    const batch = await batchOf('small', [cheap('a'), cheap('b', { fail: 1 })], [['a.value', 'b.value']], 5);
    await becomes(batch.id, 'succeeded');
    const runs = await runsOf(batch.id);
    expect(runs).toHaveLength(15);
    expect(new Set(runs.map(({ workflowId }) => workflowId)).size).toBe(3);
    for (const { id, state } of runs) {
      expect(state).toBe('failed');
      expect(executions.of(id)).toEqual({ a: 1, b: 1 });
    }
    await retryBatch(engine.services, batch.id, 'node.failed');
    await becomes(batch.id, 'succeeded');
    for (const run of await runsOf(batch.id)) {
      expect(run).toMatchObject({ state: 'succeeded', epoch: 2, workflowId: `run/${run.id}` });
      expect(executions.of(run.id)).toEqual({ a: 1, b: 2 });
    }
  });

  it('pauses between hosts, goes on, and cancels what is in progress', async () => {
    const batch = await batchOf('steered', [cheap('a', { milliseconds: 400 })], [], 5);
    const ended = async () => (await runsOf(batch.id)).filter(({ endedAt }) => endedAt !== null).length;
    await expect.poll(ended, { timeout: 20_000 }).toBeGreaterThan(0);
    await pauseBatch(engine.services, batch.id);
    const open = async () => (await runsOf(batch.id)).filter(({ endedAt }) => endedAt === null).length;
    await expect.poll(open, { timeout: 20_000 }).toBe(0);
    const paused = (await runsOf(batch.id)).length;
    expect(paused).toBeLessThan(15);
    await engine.restartWorker();
    expect((await runsOf(batch.id)).length).toBe(paused);
    await resumeBatch(engine.services, batch.id, {});
    await expect.poll(async () => (await runsOf(batch.id)).length, { timeout: 20_000 }).toBeGreaterThan(paused);
    await cancelBatch(engine.services, batch.id);
    await becomes(batch.id, 'cancelled');
    const runs = await runsOf(batch.id);
    expect(runs.filter(({ state }) => state === 'cancelled').length).toBeGreaterThan(0);
    expect(runs.every(({ endedAt }) => endedAt !== null)).toBe(true);
    // Taken up again to its end: what was cancelled in workflows of its own, what never was in hosts.
    await resumeBatch(engine.services, batch.id, { window: 15 });
    await becomes(batch.id, 'succeeded');
    const all = await runsOf(batch.id);
    expect(all.map(({ state }) => state)).toEqual(Array.from({ length: 15 }, () => 'succeeded'));
  });
});
