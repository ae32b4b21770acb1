import { cancelRun } from '@cua-forge/server/runs/cancel-run';
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

const slow = { milliseconds: 60_000 };
const bodyOf = (input: string) => ({
  inputs: { [input]: { type: 'any' } },
  nodes: [{ version: 1, ...step('x', slow) }],
  edges: [{ from: `$inputs.${input}`, to: 'x.value' }],
  outputs: { value: 'x.value' },
});
/** A step, an approval, a delay, a map and a subgraph, all at work at once; `after` waits for the step. */
const busy = documentOf(
  [
    step('a'),
    step('long', slow),
    step('after'),
    { id: 'ask', kind: 'flow.approval', params: { message: 'Well?' } },
    { id: 'pause', kind: 'flow.delay', params: { milliseconds: 60_000 } },
    { id: 'list', kind: 'data.transform', params: { expression: '[1..6]' } },
    { id: 'each', kind: 'flow.map', params: { graph: 'item', window: 4, slice: 2 } },
    { id: 'sub', kind: 'flow.subgraph', params: { graph: 'body' } },
  ],
  [
    ['a.value', 'long.value'],
    ['long.value', 'after.value'],
    ['a.value', 'ask.value'],
    ['a.value', 'pause.value'],
    ['list.value', 'each.items'],
    ['a.value', 'sub.value'],
  ],
  { graphs: { item: bodyOf('item'), body: bodyOf('value') } },
);

async function startBusy() {
  const run = await engine.start(busy);
  const atWork = {
    long: 'running',
    ask: 'awaiting',
    pause: 'awaiting',
    'sub/x': 'running',
    'each[0]/x': 'running',
    'each[3]/x': 'running',
  };
  await expect.poll(() => engine.statuses(run.id), { timeout: 30_000 }).toMatchObject(atWork);
  const begun = ['long', 'sub/x', 'each[0]/x', 'each[1]/x', 'each[2]/x', 'each[3]/x'];
  await expect
    .poll(() => Object.keys(executions.of(run.id)), { timeout: 30_000 })
    .toEqual(expect.arrayContaining(begun));
  return run;
}
const childrenOf = (runId: string) => [`run/${runId}/each/`];
async function openExecutions(runId: string): Promise<string[]> {
  const open: string[] = [];
  for await (const { workflowId } of engine.client.workflow.list({ query: 'ExecutionStatus = "Running"' })) {
    if (workflowId === `run/${runId}` || childrenOf(runId).some((prefix) => workflowId.startsWith(prefix)))
      open.push(workflowId);
  }
  return open;
}

describe('cancel', () => {
  it.each([
    { by: 'the server', cancel: (runId: string) => cancelRun(engine.services, runId) },
    { by: 'Temporal', cancel: (runId: string) => engine.client.workflow.getHandle(`run/${runId}`).cancel() },
  ])('by $by ends everything that is at work, and nothing starts any more', async ({ cancel }) => {
    const run = await startBusy();
    const before = executions.of(run.id);
    await cancel(run.id);
    const ended = await engine.settled(run.id);
    expect(ended).toMatchObject({ state: 'cancelled', failure: null });
    expect(ended.endedAt).not.toBeNull();
    const statuses = await engine.statuses(run.id);
    expect(statuses).toMatchObject({ a: 'succeeded', list: 'succeeded' });
    const { a, list, ...others } = statuses;
    expect([a, list]).toEqual(['succeeded', 'succeeded']);
    expect(new Set(Object.values(others))).toEqual(new Set(['cancelled']));
    expect(executions.of(run.id)).toEqual(before);
    await expect.poll(() => openExecutions(run.id), { timeout: 10_000 }).toEqual([]);
    const { raw } = await engine.client.workflow.getHandle(run.workflowId).describe();
    expect(raw.pendingActivities ?? []).toEqual([]);
    expect(raw.pendingChildren ?? []).toEqual([]);
  });

  it('of a run that waits for somebody to mend it closes it as cancelled', async () => {
    const run = await engine.run(documentOf([step('bad', { fail: 1 })], []), { mode: 'interactive' });
    expect(run.state).toBe('needs-attention');
    await cancelRun(engine.services, run.id);
    const ended = await engine.settled(run.id, ['cancelled', 'failed']);
    expect(ended.state).toBe('cancelled');
    await expect(cancelRun(engine.services, run.id)).rejects.toMatchObject({ code: 'run.state' });
  });

  it('can be taken back by a retry, which goes on from what had ended', async () => {
    const run = await engine.start(
      documentOf(
        [step('a'), step('b', { milliseconds: 5_000 }), step('c')],
        [
          ['a.value', 'b.value'],
          ['b.value', 'c.value'],
        ],
      ),
    );
    await expect.poll(async () => (await engine.statuses(run.id)).b, { timeout: 20_000 }).toBe('running');
    await cancelRun(engine.services, run.id);
    expect((await engine.settled(run.id)).state).toBe('cancelled');
    expect(executions.of(run.id)).toEqual({ a: 1, b: 1 });
    const after = await engine.retry(run.id, {});
    expect(after).toMatchObject({ state: 'succeeded', epoch: 2 });
    expect(executions.of(run.id)).toEqual({ a: 1, b: 2, c: 1 });
    expect(await engine.statuses(run.id)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded' });
  });
});
