import { approveNode } from '@cua-forge/server/runs/approve-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../support/engine-fixture.ts';
import { startEngine } from '../support/engine-fixture.ts';
import { documentOf, Executions, step, testKinds } from '../support/test-kinds.ts';

const executions = new Executions();
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ kinds: testKinds(executions) });
});
afterAll(() => engine.stop());

/** Histories of all executions of one workflow id, newest first. */
async function historiesOf(workflowId: string) {
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

    await expect.poll(async () => (await historiesOf(run.workflowId)).length, { timeout: 10_000 }).toBeGreaterThan(1);
    for (const history of await historiesOf(run.workflowId)) {
      expect(history.events?.length).toBeLessThan(5_000);
      console.info(
        `${history.events?.length} events, ${(JSON.stringify(history).length / 1_000).toFixed(0)} kB as JSON`,
      );
    }
    const described = await engine.client.workflow.getHandle(run.workflowId).describe();
    expect(described.memo).toEqual({ epoch: 1 });
    expect(described.typedSearchAttributes.toString()).toContain('test-document');
  });
});
