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

/** Body of a subgraph: one text in, one text out. */
const graphOf = (nodes: unknown[], edges: [string, string][], value: string) => ({
  inputs: { value: { type: 'any' } },
  nodes: nodes.map((node) => ({ kind: 'test.step', version: 1, ...(node as object) })),
  edges: edges.map(([from, to]) => ({ from, to })),
  outputs: { value },
});

const awaiting = async (runId: string, key: string): Promise<void> => {
  await expect.poll(async () => (await engine.statuses(runId))[key], { timeout: 20_000 }).toBe('awaiting');
};

describe('branches', () => {
  const document = (amount: number) =>
    documentOf(
      [
        { id: 'amount', kind: 'data.transform', params: { expression: String(amount) } },
        { id: 'split', kind: 'flow.branch', params: { condition: '$ > 100' } },
        step('large'),
        step('larger'),
        step('small'),
        { id: 'join', kind: 'flow.merge', params: {} },
        step('end'),
      ],
      [
        ['amount.value', 'split.value'],
        ['split.yes', 'large.value'],
        ['large.value', 'larger.value'],
        ['split.no', 'small.value'],
        ['larger.value', 'join.a'],
        ['small.value', 'join.b'],
        ['join.value', 'end.value'],
      ],
      { outputs: { result: 'end.value' } },
    );

  it('takes one side, skips the whole other one and joins what is live', async () => {
    const large = await engine.run(document(250));
    expect(large.state).toBe('succeeded');
    expect(await engine.outputs(large.id, 'end')).toEqual({ value: '250>large>larger>end' });
    expect(executions.of(large.id)).toEqual({ large: 1, larger: 1, end: 1 });
    expect(await engine.statuses(large.id)).toMatchObject({ small: 'skipped', join: 'succeeded' });

    const small = await engine.run(document(5));
    expect(await engine.outputs(small.id, 'end')).toEqual({ value: '5>small>end' });
    expect(await engine.statuses(small.id)).toMatchObject({ large: 'skipped', larger: 'skipped', end: 'succeeded' });
  });

  it('succeeds with a dead output where nothing came through', async () => {
    const run = await engine.run(
      documentOf(
        [
          { id: 'amount', kind: 'data.transform', params: { expression: '5' } },
          { id: 'split', kind: 'flow.branch', params: { condition: '$ > 100' } },
          step('large'),
        ],
        [
          ['amount.value', 'split.value'],
          ['split.yes', 'large.value'],
        ],
        { outputs: { result: 'large.value' } },
      ),
    );
    expect(run.state).toBe('succeeded');
    expect(run.outputs).toEqual({});
    expect(await engine.statuses(run.id)).toMatchObject({ large: 'skipped' });
  });
});

describe('error edges', () => {
  it('hand the failure on, skip the ordinary branch and let the run succeed', async () => {
    const run = await engine.run(
      documentOf(
        [
          step('a'),
          step('bad', { fail: -1 }),
          step('after'),
          step('rescue'),
          { id: 'join', kind: 'flow.merge', params: {} },
        ],
        [
          ['a.value', 'bad.value'],
          ['bad.value', 'after.value'],
          ['bad.error', 'rescue.value'],
          ['after.value', 'join.a'],
          ['rescue.value', 'join.b'],
        ],
        { outputs: { result: 'join.value' } },
      ),
    );
    expect(run.state).toBe('succeeded');
    expect(run.failure).toBeNull();
    const { value } = await engine.outputs(run.id, 'rescue');
    expect(JSON.parse(String(value).replace('>rescue', ''))).toEqual({
      code: 'node.failed',
      message: 'planned failure 1',
      fix: 'None needed.',
      place: { node: 'bad' },
    });
    expect(executions.of(run.id)).toEqual({ a: 1, bad: 1, rescue: 1 });
    expect(await engine.statuses(run.id)).toMatchObject({ bad: 'failed', after: 'skipped', join: 'succeeded' });
  });

  it('handle the failure of a whole subgraph', async () => {
    const run = await engine.run(
      documentOf(
        [step('a'), { id: 'sub', kind: 'flow.subgraph', params: { graph: 'body' } }, step('rescue')],
        [
          ['a.value', 'sub.value'],
          ['sub.error', 'rescue.value'],
        ],
        { graphs: { body: graphOf([step('bad', { fail: -1 })], [['$inputs.value', 'bad.value']], 'bad.value') } },
      ),
    );
    expect(run.state).toBe('succeeded');
    expect(String((await engine.outputs(run.id, 'rescue')).value)).toContain('"node":"sub/bad"');
  });
});

describe('subgraphs and repeats', () => {
  it('run a subgraph inside a subgraph, each node under its own path', async () => {
    const run = await engine.run(
      documentOf(
        [step('a'), { id: 'outer', kind: 'flow.subgraph', params: { graph: 'outer' } }, step('z')],
        [
          ['a.value', 'outer.value'],
          ['outer.value', 'z.value'],
        ],
        {
          graphs: {
            outer: graphOf(
              [step('b'), { id: 'inner', kind: 'flow.subgraph', params: { graph: 'inner' } }],
              [
                ['$inputs.value', 'b.value'],
                ['b.value', 'inner.value'],
              ],
              'inner.value',
            ),
            inner: graphOf([step('c')], [['$inputs.value', 'c.value']], 'c.value'),
          },
        },
      ),
    );
    expect(run.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'z')).toEqual({ value: 'a>b>c>z' });
    expect(executions.of(run.id)).toEqual({ a: 1, 'outer/b': 1, 'outer/inner/c': 1, z: 1 });
  });

  const looping = (params: Record<string, unknown>) =>
    documentOf(
      [step('a'), { id: 'loop', kind: 'flow.repeat', params: { graph: 'body', ...params } }, step('z')],
      [
        ['a.value', 'loop.value'],
        ['loop.value', 'z.value'],
      ],
      { graphs: { body: graphOf([step('x')], [['$inputs.value', 'x.value']], 'x.value') } },
    );

  it('repeat until the condition holds', async () => {
    const run = await engine.run(looping({ until: "$contains(value, 'x>x>x')", maxRounds: 5 }));
    expect(run.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'z')).toEqual({ value: 'a>x>x>x>z' });
    expect(executions.of(run.id)).toEqual({ a: 1, 'loop#1/x': 1, 'loop#2/x': 1, 'loop#3/x': 1, z: 1 });
  });

  it('fail at the limit', async () => {
    const run = await engine.run(looping({ until: 'false', maxRounds: 2 }));
    expect(run.failure).toMatchObject({ code: 'repeat.limit', place: { node: 'loop' } });
    expect(executions.of(run.id)).toEqual({ a: 1, 'loop#1/x': 1, 'loop#2/x': 1 });
  });

  it('accept the last value at the limit where that is asked for', async () => {
    const run = await engine.run(looping({ until: 'false', maxRounds: 2, onLimit: 'accept' }));
    expect(run.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'z')).toEqual({ value: 'a>x>x>z' });
  });
});

describe('delays and approvals', () => {
  const asking = (params: Record<string, unknown> = {}) =>
    documentOf(
      [
        step('a'),
        { id: 'ask', kind: 'flow.approval', params: { message: 'Well?', ...params } },
        step('yes'),
        step('no'),
      ],
      [
        ['a.value', 'ask.value'],
        ['ask.approved', 'yes.value'],
        ['ask.rejected', 'no.value'],
      ],
    );

  it('wait at least as long as they say', async () => {
    const run = await engine.run(
      documentOf(
        [step('a'), { id: 'pause', kind: 'flow.delay', params: { milliseconds: 700 } }, step('b')],
        [
          ['a.value', 'pause.value'],
          ['pause.value', 'b.value'],
        ],
      ),
    );
    expect(await engine.outputs(run.id, 'b')).toEqual({ value: 'a>b' });
    const [a] = await engine.store.meta.listOutcomes(run.id, { key: 'a' });
    const [b] = await engine.store.meta.listOutcomes(run.id, { key: 'b' });
    expect((b?.startedAt ?? 0) - (a?.endedAt ?? 0)).toBeGreaterThanOrEqual(690);
  });

  it('pass the value on by what was decided, and only one side', async () => {
    const [approved, rejected] = await Promise.all([engine.start(asking()), engine.start(asking())]);
    await Promise.all([awaiting(approved.id, 'ask'), awaiting(rejected.id, 'ask')]);
    await approveNode(engine.services, approved.id, { key: 'ask', decision: 'approve', by: 'Ann', note: 'fine' });
    await approveNode(engine.services, rejected.id, { key: 'ask', decision: 'reject', by: 'Bob', note: '' });
    expect((await engine.settled(approved.id)).state).toBe('succeeded');
    expect((await engine.settled(rejected.id)).state).toBe('succeeded');
    expect(executions.of(approved.id)).toEqual({ a: 1, yes: 1 });
    expect(executions.of(rejected.id)).toEqual({ a: 1, no: 1 });
    expect(await engine.statuses(approved.id)).toMatchObject({ ask: 'succeeded', no: 'skipped' });
    const [decision] = await engine.store.meta.listOutcomes(approved.id, { key: 'ask' });
    expect(decision).toMatchObject({ origin: 'decision', status: 'succeeded' });
  });

  it('refuse a decision that nobody waits for', async () => {
    const run = await engine.start(asking());
    await awaiting(run.id, 'ask');
    const decide = (key: string) =>
      approveNode(engine.services, run.id, { key, decision: 'approve', by: 'Ann', note: '' });
    await expect(decide('a')).rejects.toMatchObject({
      code: 'run.state',
      message: expect.stringContaining("'a' does not wait"),
    });
    await decide('ask');
    await engine.settled(run.id);
    await expect(decide('ask')).rejects.toMatchObject({ code: 'run.state' });
  });

  it('are decided inside map items too', async () => {
    const run = await engine.start(
      documentOf(
        [
          { id: 'list', kind: 'data.transform', params: { expression: '[1..3]' } },
          { id: 'each', kind: 'flow.map', params: { graph: 'item' } },
        ],
        [['list.value', 'each.items']],
        {
          graphs: {
            item: {
              inputs: { item: { type: 'any' } },
              nodes: [
                { id: 'ask', kind: 'flow.approval', version: 1, params: { message: 'Keep it?' } },
                { id: 'keep', kind: 'test.step', version: 1, params: { say: 'kept' } },
              ],
              edges: [
                { from: '$inputs.item', to: 'ask.value' },
                { from: 'ask.approved', to: 'keep.value' },
              ],
              outputs: { text: 'keep.value' },
            },
          },
        },
      ),
    );
    const keys = ['each[0]/ask', 'each[1]/ask', 'each[2]/ask'];
    for (const key of keys) await awaiting(run.id, key);
    for (const [index, key] of keys.entries()) {
      const decision = index === 1 ? 'reject' : 'approve';
      await approveNode(engine.services, run.id, { key, decision, by: 'Ann', note: '' });
    }
    expect((await engine.settled(run.id)).state).toBe('succeeded');
    const { results } = await engine.outputs(run.id, 'each');
    expect(results).toEqual([{ text: '1>kept' }, {}, { text: '3>kept' }]);
  });

  it('decide by themselves when time is up', async () => {
    const [fails, approves] = await Promise.all([
      engine.run(asking({ timeoutMs: 300 })),
      engine.run(asking({ timeoutMs: 300, onTimeout: 'approve' })),
    ]);
    expect(fails.failure).toMatchObject({ code: 'approval.timeout', place: { node: 'ask' } });
    expect(approves.state).toBe('succeeded');
    expect(executions.of(approves.id)).toEqual({ a: 1, yes: 1 });
  });

  it('survive a restart of the worker', async () => {
    const run = await engine.start(asking());
    await awaiting(run.id, 'ask');
    await engine.restartWorker();
    await approveNode(engine.services, run.id, { key: 'ask', decision: 'approve', by: 'Ann', note: '' });
    expect((await engine.settled(run.id)).state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'yes')).toEqual({ value: 'a>yes' });
    expect(executions.of(run.id)).toEqual({ a: 1, yes: 1 });
  });
});
