import { approveNode } from '@cua-forge/server/runs/approve-node';
import { searchAttributes } from '@cua-forge/spec/engine-names';
import { defineSearchAttributeKey } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../support/engine-fixture.ts';
import { startEngine } from '../support/engine-fixture.ts';
import { documentOf, Executions, step, testKinds } from '../support/test-kinds.ts';

const workflowKey = defineSearchAttributeKey(searchAttributes.workflow, 'KEYWORD');
const executions = new Executions();
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ kinds: testKinds(executions) });
});
afterAll(() => engine.stop());

/** Histories of all executions of one workflow id, newest first. */
async function historiesOf(engine: Engine, workflowId: string) {
  const runIds: string[] = [];
  for await (const { runId } of engine.client.workflow.list({ query: `WorkflowId = "${workflowId}"` }))
    runIds.push(runId);
  return Promise.all(runIds.map((runId) => engine.client.workflow.getHandle(workflowId, runId).fetchHistory()));
}

describe('continue-as-new', () => {
  it('carries a run of 1,150 nodes on, with its open approval, and executes nothing twice', {
    timeout: 120_000,
  }, async () => {
    const width = 1_148;
    const wide = Array.from({ length: width }, (_, index) => `n${index}`);
    const before = performance.now();
    const run = await engine.start(
      documentOf(
        [
          step('a'),
          { id: 'ask', kind: 'flow.approval', params: { message: 'Well?' } },
          ...wide.map((id) => step(id)),
          step('end'),
        ],
        [
          ['a.value', 'ask.value'],
          ...wide.map((id): [string, string] => ['a.value', `${id}.value`]),
          ['ask.approved', 'end.value'],
        ],
      ),
    );
    const done = async () => (await engine.store.meta.listOutcomes(run.id)).length;
    await expect.poll(done, { timeout: 100_000, interval: 250 }).toBe(width + 1);
    console.info(`${width} nodes side by side: ${((performance.now() - before) / 1_000).toFixed(1)} s`);
    expect((await engine.statuses(run.id)).ask).toBe('awaiting');
    await approveNode(engine.services, run.id, { key: 'ask', decision: 'approve', by: 'Ann', note: '' });
    const ended = await engine.settled(run.id);
    expect(ended).toMatchObject({ state: 'succeeded', failure: null });
    expect(executions.of(run.id)).toEqual(Object.fromEntries(['a', 'end', ...wide].map((id) => [id, 1])));
    expect(await engine.outputs(run.id, 'end')).toEqual({ value: 'a>end' });
    const tokens = (await engine.store.meta.listOutcomes(run.id)).map(({ token }) => token);
    expect(new Set(tokens).size).toBe(width + 3);

    await expect
      .poll(async () => (await historiesOf(engine, run.workflowId)).length, { timeout: 10_000 })
      .toBeGreaterThan(1);
    for (const history of await historiesOf(engine, run.workflowId)) {
      expect(history.events?.length).toBeLessThan(5_000);
      console.info(
        `${history.events?.length} events, ${(JSON.stringify(history).length / 1_000).toFixed(0)} kB as JSON`,
      );
    }
    const described = await engine.client.workflow.getHandle(run.workflowId).describe();
    expect(described.memo).toEqual({ epoch: 1 });
    expect(described.typedSearchAttributes.get(workflowKey)).toBe('test-document');
  });
});

describe('continue-as-new after every few dozen events', () => {
  let brief: Engine;
  beforeAll(async () => {
    brief = await startEngine({ kinds: testKinds(executions), suggestedHistory: 30 });
  });
  afterAll(() => brief.stop());

  it('loses nothing and repeats nothing: a chain, a map, a repeat, a delay and an approval', async () => {
    const chain = Array.from({ length: 25 }, (_, index) => `n${index}`);
    const run = await brief.start(
      documentOf(
        [
          ...chain.map((id) => step(id)),
          { id: 'ask', kind: 'flow.approval', params: { message: 'Well?' } },
          { id: 'pause', kind: 'flow.delay', params: { milliseconds: 1_500 } },
          { id: 'list', kind: 'data.transform', params: { expression: '[1..20]' } },
          { id: 'each', kind: 'flow.map', params: { graph: 'item', window: 10, slice: 5 } },
          {
            id: 'loop',
            kind: 'flow.repeat',
            params: { graph: 'body', maxRounds: 20, until: "$contains(value, 'x>x>x>x>x>x')" },
          },
          step('end'),
        ],
        [
          ...chain.slice(1).map((id, index): [string, string] => [`n${index}.value`, `${id}.value`]),
          ['n0.value', 'ask.value'],
          ['n0.value', 'pause.value'],
          ['n0.value', 'loop.value'],
          ['list.value', 'each.items'],
          ['ask.approved', 'end.more'],
          ['pause.value', 'end.more'],
          ['loop.value', 'end.more'],
          ['n24.value', 'end.more'],
          ['each.failures', 'end.more'],
        ],
        {
          graphs: {
            item: {
              inputs: { item: { type: 'any' } },
              nodes: [step('x'), step('y')].map((node) => ({ version: 1, ...node })),
              edges: [
                { from: '$inputs.item', to: 'x.value' },
                { from: 'x.value', to: 'y.value' },
              ],
              outputs: { text: 'y.value' },
            },
            body: {
              inputs: { value: { type: 'any' } },
              nodes: [{ version: 1, ...step('x') }],
              edges: [{ from: '$inputs.value', to: 'x.value' }],
              outputs: { value: 'x.value' },
            },
          },
        },
      ),
    );
    await expect.poll(async () => (await brief.statuses(run.id)).n24, { timeout: 40_000 }).toBe('succeeded');
    await approveNode(brief.services, run.id, { key: 'ask', decision: 'approve', by: 'Ann', note: '' });
    const ended = await brief.settled(run.id);
    expect(ended).toMatchObject({ state: 'succeeded', failure: null });
    const counts = executions.of(run.id);
    expect(new Set(Object.values(counts))).toEqual(new Set([1]));
    expect(Object.keys(counts)).toHaveLength(25 + 40 + 6 + 1);
    expect((await brief.outputs(run.id, 'each')).results).toEqual(
      Array.from({ length: 20 }, (_, item) => ({ text: `${item + 1}>x>y` })),
    );
    const histories = await historiesOf(brief, run.workflowId);
    expect(histories.length).toBeGreaterThan(2);
    for (const history of histories) expect(history.events?.length).toBeLessThan(150);
  });

  it('takes retries and cancels in any of the histories', async () => {
    const chain = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const edges = chain.slice(1).map((id, index): [string, string] => [`n${index}.value`, `${id}.value`]);
    const document = documentOf(
      chain.map((id) => step(id, id === 'n11' ? { fail: 1 } : {})),
      edges,
    );
    const run = await brief.run(document, { mode: 'interactive' });
    expect(run.state).toBe('needs-attention');
    const again = await brief.retry(run.id, { targets: ['n2'] });
    expect(again).toMatchObject({ state: 'succeeded', epoch: 1 });
    expect(executions.of(run.id)).toEqual(Object.fromEntries(chain.map((id, index) => [id, index < 2 ? 1 : 2])));

    const slow = await brief.start(
      documentOf(
        chain.map((id) => step(id, id === 'n11' ? { milliseconds: 60_000 } : {})),
        edges,
      ),
    );
    await expect.poll(() => executions.of(slow.id).n11, { timeout: 30_000 }).toBe(1);
    await brief.services.engine.cancel(slow.workflowId);
    expect((await brief.settled(slow.id)).state).toBe('cancelled');
  });
});
