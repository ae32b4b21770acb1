import { viewBatch } from '@cua-forge/server/batches/batch-view';
import { retryBatch } from '@cua-forge/server/batches/retry-batch';
import { startBatch } from '@cua-forge/server/batches/start-batch';
import { cancelBatch, pauseBatch, resumeBatch } from '@cua-forge/server/batches/steer-batch';
import { retryRun } from '@cua-forge/server/runs/retry-run';
import type { StartBatch } from '@cua-forge/spec/api/batches';
import type { ModelPort } from '@cua-forge/spec/model-port';
import type { BatchRecord, BatchState, RunRecord } from '@cua-forge/spec/store-port';
import { sha256 } from '@cua-forge/store/hash';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Engine } from '../support/engine-fixture.ts';
import { startEngine } from '../support/engine-fixture.ts';
import type { NodeOf } from '../support/test-kinds.ts';
import { documentOf, Executions, step, testKinds } from '../support/test-kinds.ts';

/** A model of which each call takes 110 tokens and, unless nobody knows, one cent. */
class PricedModel implements ModelPort {
  readonly rehearsed = false;
  calls = 0;
  usd: number | null = 0.01;
  identity = () => 'priced:small';

  async complete() {
    this.calls += 1;
    const usage = { input: 100, cached: 40, output: 10 };
    return {
      ...{ text: `River ${this.calls}.`, provider: 'priced', model: 'small', usage, usd: this.usd },
      ...{ milliseconds: 1, finish: 'stop' as const },
    };
  }
}

const executions = new Executions();
const model = new PricedModel();
let engine: Engine;
beforeAll(async () => {
  // Histories are short, so that each batch here goes on in new ones.
  engine = await startEngine({ kinds: testKinds(executions), models: model, suggestedHistory: 60 });
});
afterAll(() => engine.stop());

async function save(id: string, nodes: NodeOf[], edges: [string, string][] = []): Promise<void> {
  const source = stringify(documentOf(nodes, edges, { id, title: id, skill: id }));
  await engine.store.meta.saveDocument(id, id, source, sha256(source), null, Date.now());
}
async function batchOf(
  id: string,
  nodes: NodeOf[],
  more: Partial<StartBatch> = {},
  edges: [string, string][] = [],
): Promise<BatchRecord> {
  await save(id, nodes, edges);
  return startBatch(engine.services, { documentId: id, count: 12, seed: 1, inputs: {}, window: 3, ...more });
}
const { poll } = expect;
const stateOf = async (id: string) => (await engine.store.meta.getBatch(id))?.state;
const becomes = (id: string, state: BatchState) => poll(() => stateOf(id), { timeout: 40_000 }).toBe(state);
const runsOf = async (batchId: string): Promise<RunRecord[]> =>
  (await engine.store.meta.listRuns({ batchId, limit: 1_000 })).sort((a, b) => a.seed - b.seed);
const view = (id: string) => viewBatch(engine.store.meta, id);
/** Nothing is in progress, nor about to be: a run whose start was under way still starts. */
const rests = (id: string) =>
  poll(
    async () => {
      const { counts } = await view(id);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return counts.running + (await view(id)).counts.running;
    },
    { timeout: 20_000 },
  ).toBe(0);
const mostAtOnce = (runs: RunRecord[]): number => {
  const spans = runs.map(({ startedAt, endedAt }) => ({ from: startedAt ?? 0, to: endedAt ?? 0 }));
  return Math.max(...spans.map(({ from }) => spans.filter((other) => other.from <= from && from < other.to).length));
};
/** A node that asks the model what no other test asks, so that no memo answers. */
const ask = (id: string, test: string): NodeOf => ({
  id,
  kind: 'llm.generate',
  params: { prompt: `Tell of a river (${test}, ${id}).` },
});

/** A node that asks when another has its answer. */
const askNext = (id: string): NodeOf => ({
  id,
  kind: 'llm.generate',
  params: { prompt: 'And what comes after {{ before }}', inputs: { before: 'text' } },
});

describe('a batch', () => {
  it('of 40 runs of two documents goes through several histories, each run once', async () => {
    await save('left', [step('a')]);
    await save('right', [step('a'), step('b')], [['a.value', 'b.value']]);
    const parts = [
      { documentId: 'left', inputs: {}, count: 25 },
      { documentId: 'right', inputs: {}, seed: 500 },
    ];
    const batch = await startBatch(engine.services, { parts, count: 15, seed: 100, inputs: {}, window: 4 });
    await becomes(batch.id, 'succeeded');
    const runs = await runsOf(batch.id);
    expect(runs.filter(({ skill }) => skill === 'left').map(({ seed }) => seed)).toEqual(
      Array.from({ length: 25 }, (_, index) => 100 + index),
    );
    expect(runs.filter(({ skill }) => skill === 'right').map(({ seed }) => seed)).toEqual(
      Array.from({ length: 15 }, (_, index) => 500 + index),
    );
    for (const run of runs) expect(executions.of(run.id)).toMatchObject({ a: 1 });
    expect((await view(batch.id)).counts).toMatchObject({ done: 40, accepted: 40, waiting: 0 });
    const histories: string[] = [];
    await poll(
      async () => {
        histories.length = 0;
        const query = `WorkflowId = "${batch.workflowId}"`;
        for await (const { runId } of engine.client.workflow.list({ query })) histories.push(runId);
        return histories.length;
      },
      { timeout: 20_000 },
    ).toBeGreaterThan(1);
    for (const runId of histories) {
      const { events } = await engine.client.workflow.getHandle(batch.workflowId, runId).fetchHistory();
      expect(events?.length).toBeLessThan(150);
    }
  });

  it('paused starts no runs, ends those in progress, and goes on where it was', async () => {
    const batch = await batchOf('paused', [step('a', { milliseconds: 200 })]);
    await poll(async () => (await view(batch.id)).counts.accepted, { timeout: 20_000 }).toBeGreaterThan(2);
    await pauseBatch(engine.services, batch.id);
    await rests(batch.id);
    const before = await view(batch.id);
    expect(before).toMatchObject({ batch: { state: 'paused' }, counts: { failed: 0, cancelled: 0 } });
    expect(before.counts.waiting).toBeGreaterThan(0);
    expect(before.progress).toEqual({ perMinute: null, secondsLeft: null });
    await engine.restartWorker();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await view(batch.id)).counts).toEqual(before.counts);
    await resumeBatch(engine.services, batch.id, { window: 6 });
    await becomes(batch.id, 'succeeded');
    const runs = await runsOf(batch.id);
    expect(runs.map(({ seed }) => seed)).toEqual(Array.from({ length: 12 }, (_, index) => 1 + index));
    for (const run of runs) expect(executions.of(run.id)).toEqual({ a: 1 });
  });

  it('takes retried runs up in its window, by the kind of their failure, also when it has ended', async () => {
    await save('by-kind', [step('a', { milliseconds: 60, fail: 1 }), step('b', { fail: 1, code: 'internal' })]);
    await save(
      'other-kind',
      [{ id: 'judge', kind: 'test.judge', params: { wants: 'what is not there', reject: true } }, step('text')],
      [['text.value', 'judge.value']],
    );
    const parts = [
      { documentId: 'by-kind', inputs: {} },
      { documentId: 'other-kind', inputs: {} },
    ];
    const batch = await startBatch(engine.services, { parts, count: 5, seed: 1, inputs: {}, window: 2 });
    await becomes(batch.id, 'succeeded');
    expect((await view(batch.id)).failures).toEqual({ 'node.failed': 5, 'gate.rejected': 5 });
    const again = await retryBatch(engine.services, batch.id, 'node.failed');
    expect(again).toHaveLength(5);
    await poll(async () => (await view(batch.id)).counts, { timeout: 30_000 }).toMatchObject({
      accepted: 5,
      rejected: 5,
      waiting: 0,
    });
    await becomes(batch.id, 'succeeded');
    const retried = (await runsOf(batch.id)).filter(({ id }) => again.includes(id));
    for (const run of retried) expect(run).toMatchObject({ state: 'succeeded', epoch: 2 });
    for (const run of retried) expect(executions.of(run.id)).toEqual({ a: 2, b: 2 });
    expect(mostAtOnce(retried.map((run) => ({ ...run, startedAt: (run.endedAt ?? 0) - 60 })))).toBeLessThanOrEqual(2);
    // What a retention has deleted meanwhile is not made again.
    expect(await engine.store.meta.getBatch(batch.id)).toMatchObject({ complete: true });
    const untouched = (await runsOf(batch.id)).filter(({ id }) => !again.includes(id));
    for (const run of untouched) expect(run).toMatchObject({ epoch: 1, failure: { code: 'gate.rejected' } });
  });

  it('cancelled keeps what was accepted, and can be taken up again', async () => {
    const batch = await batchOf('taken-up', [step('a', { milliseconds: 300 })]);
    await poll(async () => (await view(batch.id)).counts.accepted, { timeout: 20_000 }).toBeGreaterThan(2);
    await cancelBatch(engine.services, batch.id);
    await becomes(batch.id, 'cancelled');
    const { counts } = await view(batch.id);
    expect(counts).toMatchObject({ failed: 0, running: 0 });
    expect(counts.waiting).toBeGreaterThan(0);
    await expect(pauseBatch(engine.services, batch.id)).rejects.toMatchObject({ code: 'run.state' });
    await resumeBatch(engine.services, batch.id, {});
    await becomes(batch.id, 'succeeded');
    expect((await view(batch.id)).counts).toMatchObject({ accepted: 12, cancelled: 0, waiting: 0 });
  });
});

describe('a budget', () => {
  it('stops a batch within the calls in flight, and lets it go on when it is raised', async () => {
    const before = model.calls;
    const batch = await batchOf('bounded', [ask('one', 'bounded'), ask('two', 'bounded')], {
      budget: { usd: 0.1, tokens: null },
    });
    await becomes(batch.id, 'budget');
    await rests(batch.id);
    const made = model.calls - before;
    // Two nodes in each of three runs at once may have asked before the last call was counted.
    expect(made).toBeGreaterThanOrEqual(10);
    expect(made).toBeLessThanOrEqual(15);
    const stopped = await view(batch.id);
    expect(stopped.spent.usd).toBeCloseTo(made * 0.01);
    expect(stopped.counts).toMatchObject({ failed: 0, rejected: 0 });
    expect(Object.keys(stopped.failures).filter((code) => code !== 'budget.exhausted')).toEqual([]);
    await expect(resumeBatch(engine.services, batch.id, {})).rejects.toMatchObject({ code: 'budget.exhausted' });
    await resumeBatch(engine.services, batch.id, { budget: { usd: 10 } });
    await becomes(batch.id, 'succeeded');
    expect((await view(batch.id)).counts).toMatchObject({ accepted: 12 });
    // Nothing was asked twice: what had been answered is kept.
    expect(model.calls - before).toBe(24);
    const { rows, total } = await engine.store.meta.costs({ by: 'node', batchId: batch.id, limit: 10 });
    expect(total).toMatchObject({ calls: 24, runs: 12, usage: { input: 2_400, cached: 960, output: 240 } });
    expect(total.usd).toBeCloseTo(0.24);
    expect(rows.map(({ key, calls }) => [key, calls])).toEqual([
      ['bounded/one', 12],
      ['bounded/two', 12],
    ]);
  });

  it('in tokens stops a single run with its own code; a retry with more goes on', async () => {
    const document = documentOf([ask('one', 'single'), askNext('two')], [['one.text', 'two.before']]);
    const run = await engine.start(document, { budget: { usd: null, tokens: 1 } });
    const ended = await engine.settled(run.id);
    expect(ended).toMatchObject({ state: 'failed', failure: { code: 'budget.exhausted' } });
    expect(ended.failure?.fix).toContain(`forge retry ${run.id}`);
    await retryRun(engine.services, run.id, { targets: [], edits: {}, budget: { usd: null, tokens: 100_000 } });
    expect(await engine.settled(run.id)).toMatchObject({ state: 'succeeded', epoch: 2 });
  });

  it('in dollars is not kept to by guessing: a call without a price ends it', async () => {
    model.usd = null;
    try {
      const batch = await batchOf('unpriced', [ask('one', 'unpriced')], {
        budget: { usd: 5, tokens: null },
        window: 1,
      });
      await becomes(batch.id, 'budget');
      expect(await view(batch.id)).toMatchObject({ spent: { unpriced: 1 }, usage: { usd: null } });
      await cancelBatch(engine.services, batch.id);
      await becomes(batch.id, 'cancelled');
    } finally {
      model.usd = 0.01;
    }
  });

  it('that is used up by the last run leaves the batch open', async () => {
    const batch = await batchOf(
      'last',
      [ask('one', 'last'), askNext('two')],
      { count: 1, budget: { usd: null, tokens: 50 } },
      [['one.text', 'two.before']],
    );
    await becomes(batch.id, 'budget');
    await resumeBatch(engine.services, batch.id, { budget: { tokens: 1_000 } });
    await becomes(batch.id, 'succeeded');
    expect((await view(batch.id)).counts).toMatchObject({ accepted: 1 });
  });
});
