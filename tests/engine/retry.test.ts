import type { StartRun } from '@cua-forge/spec/api/runs';
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

/** a → b → c → d, and a sibling of b. */
const chain = (b: Record<string, unknown>, side: Record<string, unknown> = {}) =>
  documentOf(
    [step('a'), step('b', b), step('c'), step('d'), step('side', side)],
    [
      ['a.value', 'b.value'],
      ['b.value', 'c.value'],
      ['c.value', 'd.value'],
      ['a.value', 'side.value'],
    ],
  );

/** How a run comes to be waiting for a retry. */
const situations: { name: string; mode: StartRun['mode']; epoch: number }[] = [
  { name: 'of an open run', mode: 'interactive', epoch: 1 },
  { name: 'of a closed run', mode: 'batch', epoch: 2 },
];

describe.each(situations)('a retry $name', ({ mode, epoch }) => {
  const failed = async (document: unknown) => {
    const run = await engine.run(document, { mode });
    expect(run.state).toBe(mode === 'interactive' ? 'needs-attention' : 'failed');
    return run;
  };

  it('as it is: the node and what follows run, the others do not', async () => {
    const run = await failed(chain({ fail: 1 }));
    expect(executions.of(run.id)).toEqual({ a: 1, b: 1, side: 1 });
    const after = await engine.retry(run.id, { targets: ['b'] });
    expect(after).toMatchObject({ state: 'succeeded', failure: null, epoch });
    expect(executions.of(run.id)).toEqual({ a: 1, b: 2, c: 1, d: 1, side: 1 });
    expect(await engine.outputs(run.id, 'd')).toEqual({ value: 'a>b>c>d' });
    const outcomes = await engine.store.meta.listOutcomes(run.id, { key: 'b' });
    expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(outcomes[1]?.token).toBeGreaterThan(outcomes[0]?.token ?? 0);
    expect(outcomes.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('with other params, which stay with the run', async () => {
    const run = await failed(chain({ fail: -1 }));
    const after = await engine.retry(run.id, { targets: ['b'], edits: { b: { params: { say: 'mended' } } } });
    expect(after.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'd')).toEqual({ value: 'a>mended>c>d' });
    expect(executions.of(run.id)).toEqual({ a: 1, b: 2, c: 1, d: 1, side: 1 });
    const { params } = after.edits.b ?? {};
    expect(JSON.parse(Buffer.from(await engine.store.artifacts.get(params ?? '')).toString())).toEqual({
      say: 'mended',
    });
  });

  it('with other inputs', async () => {
    const run = await failed(chain({ fail: 1 }));
    const after = await engine.retry(run.id, { targets: ['b'], edits: { b: { inputs: { value: ['mine'] } } } });
    expect(after.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'd')).toEqual({ value: 'mine>b>c>d' });
    expect(executions.of(run.id)).toEqual({ a: 1, b: 2, c: 1, d: 1, side: 1 });
    expect(after.edits.b?.inputs?.value).toHaveLength(1);
  });

  it('with pinned outputs instead of another execution', async () => {
    const run = await failed(chain({ fail: -1 }));
    const after = await engine.retry(run.id, { edits: { b: { pinned: { value: 'given' } } } });
    expect(after.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'd')).toEqual({ value: 'given>c>d' });
    expect(executions.of(run.id)).toEqual({ a: 1, b: 1, c: 1, d: 1, side: 1 });
    expect((await engine.store.meta.listOutcomes(run.id, { key: 'b' })).at(-1)?.origin).toBe('pinned');
  });

  it('of a node that succeeded runs its descendants again and nothing else', async () => {
    const run = await failed(chain({}, { fail: -1 }));
    expect(executions.of(run.id)).toEqual({ a: 1, b: 1, c: 1, d: 1, side: 1 });
    const after = await engine.retry(run.id, { targets: ['c'], edits: { c: { params: { say: 'C' } } } });
    expect(after.state).toBe(run.state);
    expect(await engine.outputs(run.id, 'd')).toEqual({ value: 'a>b>C>d' });
    expect(executions.of(run.id)).toEqual({ a: 1, b: 1, c: 2, d: 2, side: 1 });
  });

  it('in bulk, by the code of the failure', async () => {
    const run = await failed(
      documentOf(
        [
          step('a', { fail: 1 }),
          step('b', { fail: 1 }),
          step('c', { fail: 3, code: 'model.unavailable' }),
          step('d', { fail: 3, code: 'model.unavailable' }),
        ],
        [],
      ),
    );
    const half = await engine.retry(run.id, { failureCode: 'model.unavailable' });
    expect(half.state).toBe(run.state);
    expect(executions.of(run.id)).toEqual({ a: 1, b: 1, c: 4, d: 4 });
    const whole = await engine.retry(run.id, {});
    expect(whole.state).toBe('succeeded');
    expect(executions.of(run.id)).toEqual({ a: 2, b: 2, c: 4, d: 4 });
  });

  it('inside a subgraph: only what failed in there, and what follows it', async () => {
    const run = await failed(
      documentOf(
        [step('a'), { id: 'sub', kind: 'flow.subgraph', params: { graph: 'body' } }, step('z')],
        [
          ['a.value', 'sub.value'],
          ['sub.value', 'z.value'],
        ],
        {
          graphs: {
            body: {
              inputs: { value: { type: 'any' } },
              nodes: [step('x'), step('y', { fail: 2 })].map((node) => ({ version: 1, ...node })),
              edges: [
                { from: '$inputs.value', to: 'x.value' },
                { from: 'x.value', to: 'y.value' },
              ],
              outputs: { value: 'y.value' },
            },
          },
        },
      ),
    );
    expect(run.failure).toMatchObject({ code: 'node.failed', place: { node: 'sub/y' } });
    const again = await engine.retry(run.id, { targets: ['sub/y', 'sub'] });
    expect(again.state).toBe(run.state);
    expect(executions.of(run.id)).toEqual({ a: 1, 'sub/x': 1, 'sub/y': 2 });
    const after = await engine.retry(run.id, { targets: ['sub'] });
    expect(after.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'z')).toEqual({ value: 'a>x>y>z' });
    expect(executions.of(run.id)).toEqual({ a: 1, 'sub/x': 1, 'sub/y': 3, z: 1 });
  });

  it('inside an iteration of a repeat: the later iterations follow, the earlier ones stay', async () => {
    const run = await failed(
      documentOf(
        [
          step('a'),
          {
            id: 'loop',
            kind: 'flow.repeat',
            params: { graph: 'body', maxRounds: 3, until: "$contains(value, 'x!x>x')" },
          },
          step('z'),
        ],
        [
          ['a.value', 'loop.value'],
          ['loop.value', 'z.value'],
        ],
        {
          graphs: {
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
    expect(run.failure?.code).toBe('repeat.limit');
    const after = await engine.retry(run.id, {
      targets: ['loop#2/x'],
      edits: { 'loop#2/x': { params: { say: 'x!x' } } },
    });
    expect(after.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'z')).toEqual({ value: 'a>x>x!x>x>z' });
    expect(executions.of(run.id)).toEqual({ a: 1, 'loop#1/x': 1, 'loop#2/x': 2, 'loop#3/x': 2, z: 1 });
  });
});

describe('retry', () => {
  it('says which paths it brought back', async () => {
    const run = await engine.run(chain({}, { fail: 1 }), { mode: 'interactive' });
    const { retryRun } = await import('@cua-forge/server/runs/retry-run');
    const { reset, reopened } = await retryRun(engine.services, run.id, { targets: ['c'], edits: {} });
    expect(reopened).toBe(false);
    expect(reset.sort()).toEqual(['c', 'd']);
    await engine.settled(run.id);
  });

  it('refuses nodes that are not there or running, in words', async () => {
    const run = await engine.start(chain({}, { milliseconds: 4_000 }), { mode: 'interactive' });
    await expect.poll(async () => (await engine.statuses(run.id)).side, { timeout: 20_000 }).toBe('running');
    await expect(engine.retry(run.id, { targets: ['nowhere'] })).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining('"nowhere"'),
    });
    await expect(engine.retry(run.id, { targets: ['side'] })).rejects.toMatchObject({
      code: 'run.state',
      message: "'side' is running; cancel the run or wait for it to end.",
    });
    expect((await engine.settled(run.id)).state).toBe('succeeded');
    expect(executions.of(run.id)).toMatchObject({ side: 1 });
  });

  it('takes up a run that was terminated in Temporal: what was in flight is executed again, what ended is not', async () => {
    const run = await engine.start(chain({}, { milliseconds: 2_000 }));
    await expect.poll(async () => (await engine.statuses(run.id)).d, { timeout: 20_000 }).toBe('succeeded');
    await engine.client.workflow.getHandle(run.workflowId).terminate('by a test');
    await engine.store.meta.updateRun(run.id, { state: 'terminated', endedAt: Date.now() });
    const after = await engine.retry(run.id, {});
    expect(after).toMatchObject({ state: 'succeeded', epoch: 2 });
    expect(executions.of(run.id)).toEqual({ a: 1, b: 1, c: 1, d: 1, side: 2 });
    expect(await engine.outputs(run.id, 'side')).toEqual({ value: 'a>side' });
  });

  it('needs the store alone: Temporal has forgotten the run', async () => {
    const run = await engine.run(chain({ fail: 1 }));
    const { namespace } = engine.temporal;
    const forgotten = { namespace, workflowExecution: { workflowId: run.workflowId } };
    await engine.client.workflowService.deleteWorkflowExecution(forgotten);
    const situation = async () => (await engine.services.engine.describe(run.workflowId)).status;
    await expect.poll(situation, { timeout: 90_000, interval: 500 }).toBe('not-found');
    const after = await engine.retry(run.id, { targets: ['b'] });
    expect(after).toMatchObject({ state: 'succeeded', epoch: 2 });
    expect(executions.of(run.id)).toEqual({ a: 1, b: 2, c: 1, d: 1, side: 1 });
    expect(await engine.outputs(run.id, 'd')).toEqual({ value: 'a>b>c>d' });
  });

  it('does not ask again what a person has decided', async () => {
    const { approveNode } = await import('@cua-forge/server/runs/approve-node');
    const run = await engine.start(
      documentOf(
        [step('a'), { id: 'ask', kind: 'flow.approval', params: { message: 'Well?' } }, step('b', { fail: 1 })],
        [
          ['a.value', 'ask.value'],
          ['ask.approved', 'b.value'],
        ],
      ),
    );
    await expect.poll(async () => (await engine.statuses(run.id)).ask, { timeout: 20_000 }).toBe('awaiting');
    await approveNode(engine.services, run.id, { key: 'ask', decision: 'approve', by: 'Ann', note: '' });
    expect((await engine.settled(run.id)).state).toBe('failed');
    const after = await engine.retry(run.id, { targets: ['b'] });
    expect(after.state).toBe('succeeded');
    expect(executions.of(run.id)).toEqual({ a: 1, b: 2 });
  });
});
