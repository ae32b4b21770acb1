import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** list → each (x → y for every item) → end. */
const mapping = (
  count: number,
  options: Record<string, unknown> = {},
  body: NodeOf[] = [step('x'), step('y')],
  end = {},
) =>
  documentOf(
    [
      { id: 'list', kind: 'data.transform', params: { expression: `[1..${count}]` } },
      { id: 'each', kind: 'flow.map', params: { graph: 'item', window: 4, slice: 4, ...options } },
      step('end', end),
    ],
    [
      ['list.value', 'each.items'],
      ['each.results', 'end.value'],
    ],
    {
      graphs: {
        item: {
          inputs: { item: { type: 'any' } },
          nodes: body.map((node) => ({ version: 1, ...node })),
          edges: [
            { from: '$inputs.item', to: 'x.value' },
            { from: 'x.value', to: 'y.value' },
          ],
          outputs: { text: 'y.value' },
        },
      },
    },
  );
const results = (count: number, change: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, item) => ({ text: change[item] ?? `${item + 1}>x>y` }));
const times = (count: number, node: string, runs: Record<number, number> = {}): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, item) => [`each[${item}]/${node}`, runs[item] ?? 1]));
const eventsOf = async (workflowId: string): Promise<number> => {
  const { events } = await engine.client.workflow.getHandle(workflowId).fetchHistory();
  return events?.length ?? 0;
};

describe('map', () => {
  it('runs 2,000 items in bounded histories and keeps their order', async () => {
    const before = performance.now();
    const run = await engine.run(
      mapping(2_000, { window: 200, slice: 200 }, [step('x', {}, 'test.cheap'), step('y', {}, 'test.cheap')]),
    );
    const seconds = (performance.now() - before) / 1_000;
    console.info(`map of 2,000 items with two nodes each: ${seconds.toFixed(1)} s`);
    expect(run.failure).toBeNull();
    expect((await engine.outputs(run.id, 'each')).results).toEqual(results(2_000));
    expect(executions.of(run.id)).toEqual({ ...times(2_000, 'x'), ...times(2_000, 'y'), end: 1 });
    expect(await eventsOf(run.workflowId)).toBeLessThan(3_000);
    const each = (await engine.store.meta.listNodeViews(run.id)).find(({ key }) => key === 'each');
    expect(each?.counts).toMatchObject({ total: 2_000, succeeded: 2_000, failed: 0, running: 0, waiting: 0 });
  });

  it('is content with an empty list', async () => {
    const run = await engine.run(
      documentOf(
        [
          { id: 'list', kind: 'data.transform', params: { expression: '[]' } },
          { id: 'each', kind: 'flow.map', params: { graph: 'item' } },
        ],
        [['list.value', 'each.items']],
        {
          graphs: {
            item: {
              inputs: { item: { type: 'any' } },
              nodes: [{ version: 1, ...step('x') }],
              edges: [{ from: '$inputs.item', to: 'x.value' }],
              outputs: { text: 'x.value' },
            },
          },
        },
      ),
    );
    expect(run.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'each')).toEqual({ results: [], failures: [] });
  });

  it('refuses more items than it was allowed', async () => {
    const run = await engine.run(mapping(11, { maxItems: 10 }));
    expect(run.failure).toMatchObject({ code: 'map.too-many-items', place: { node: 'each' } });
    expect(executions.of(run.id)).toEqual({});
  });

  it('leaves out failed items within what is tolerated, and lists them', async () => {
    const document = (tolerated: number) =>
      mapping(6, { onItemFailure: 'tolerate', tolerated }, [
        {
          id: 'x',
          kind: 'data.transform',
          params: { expression: "value = 3 ? $error('no threes') : $string(value)", inputs: { value: 'any' } },
        },
        step('y'),
      ]);
    const fine = await engine.run(document(1));
    expect(fine.failure).toBeNull();
    const { results: given, failures } = await engine.outputs(fine.id, 'each');
    expect(given).toEqual([1, 2, 4, 5, 6].map((item) => ({ text: `${item}>y` })));
    expect(failures).toEqual([{ item: 2, code: expect.any(String), message: expect.stringContaining('no threes') }]);
    const over = await engine.run(document(0));
    expect(over.failure).toMatchObject({
      code: 'map.items-failed',
      message: expect.stringContaining('1 of 6 items failed (each[2])'),
    });
    expect(executions.of(over.id)).toEqual({ ...times(6, 'y'), 'each[2]/y': undefined });
  });
});

describe.each([
  { name: 'an open run', mode: 'interactive', stopped: 'needs-attention' },
  { name: 'a closed run', mode: 'batch', stopped: 'failed' },
] as const)('a retry in a map of $name', ({ mode, stopped }) => {
  const failing = [step('x', { fail: 1 }), step('y')];

  it('of the map runs the failed items only, from where they failed', async () => {
    const run = await engine.run(mapping(9, {}, [step('x'), step('y', { fail: 1 })]), { mode });
    expect(run).toMatchObject({ state: stopped, failure: { code: 'map.items-failed' } });
    const after = await engine.retry(run.id, { targets: ['each'] });
    expect(after.failure).toBeNull();
    expect((await engine.outputs(run.id, 'each')).results).toEqual(results(9));
    expect(executions.of(run.id)).toEqual({
      ...times(9, 'x'),
      ...Object.fromEntries(Object.keys(times(9, 'y')).map((key) => [key, 2])),
      end: 1,
    });
  });

  it('of one node in an item that succeeded, with params for that item alone', async () => {
    const run = await engine.run(mapping(6, {}, undefined, { fail: 1 }), { mode });
    expect(run).toMatchObject({ state: stopped, failure: { place: { node: 'end' } } });
    const after = await engine.retry(run.id, {
      targets: ['each[4]/y'],
      edits: { 'each[4]/y': { params: { say: 'Y' } } },
    });
    expect(after.failure).toBeNull();
    expect((await engine.outputs(run.id, 'each')).results).toEqual(results(6, { 4: '5>x>Y' }));
    expect(executions.of(run.id)).toEqual({ ...times(6, 'x'), ...times(6, 'y', { 4: 2 }), end: 2 });
    expect(Object.keys(after.edits)).toEqual(['each[4]/y']);
  });

  it('of one failed item leaves the other items as they are', async () => {
    const run = await engine.run(mapping(6, {}, failing), { mode });
    expect(run.state).toBe(stopped);
    const half = await engine.retry(run.id, {
      targets: ['each[4]/x'],
      edits: { 'each[4]/x': { params: { say: 'X' } } },
    });
    expect(half).toMatchObject({
      state: stopped,
      failure: { message: expect.stringContaining('5 of 6 items failed') },
    });
    expect(executions.of(run.id)).toEqual({ ...times(6, 'x', { 4: 2 }), 'each[4]/y': 1 });
    const whole = await engine.retry(run.id, {});
    expect(whole.state).toBe('succeeded');
    expect((await engine.outputs(run.id, 'each')).results).toEqual(results(6, { 4: '5>X>y' }));
    expect(executions.of(run.id)).toEqual({
      ...Object.fromEntries(Object.keys(times(6, 'x')).map((key) => [key, 2])),
      ...times(6, 'y'),
      end: 1,
    });
  });

  it('by the code of the failure keeps what succeeded', async () => {
    const run = await engine.run(mapping(5, {}, [step('x', { fail: 3, code: 'model.unavailable' }), step('y')]), {
      mode,
    });
    expect(run.state).toBe(stopped);
    expect(executions.of(run.id)).toEqual(times(5, 'x', { 0: 3, 1: 3, 2: 3, 3: 3, 4: 3 }));
    const after = await engine.retry(run.id, { failureCode: 'model.unavailable' });
    expect(after.failure).toBeNull();
    expect((await engine.outputs(run.id, 'each')).results).toEqual(results(5));
    expect(executions.of(run.id)).toEqual({
      ...times(5, 'x', { 0: 4, 1: 4, 2: 4, 3: 4, 4: 4 }),
      ...times(5, 'y'),
      end: 1,
    });
  });

  it('refuses items that the list does not have', async () => {
    const run = await engine.run(mapping(2, {}, failing), { mode });
    if (mode === 'interactive') {
      await expect(engine.retry(run.id, { targets: ['each[2]/x'] })).rejects.toMatchObject({
        code: 'run.state',
        message: "'each' has 2 items; there is no item 2.",
      });
    } else {
      const after = await engine.retry(run.id, { targets: ['each[2]/x'] });
      expect(after).toMatchObject({
        state: 'failed',
        failure: { code: 'run.state', message: "'each' has 2 items; there is no item 2." },
      });
    }
    expect(executions.of(run.id)).toEqual(times(2, 'x'));
  });
});
