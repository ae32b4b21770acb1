import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../support/engine-fixture.ts';
import { startEngine } from '../support/engine-fixture.ts';
import { documentOf, Executions, testKinds } from '../support/test-kinds.ts';

let engine: Engine;
const executions = new Executions();
beforeAll(async () => {
  engine = await startEngine({ kinds: testKinds(executions) });
});
afterAll(() => engine.stop());

const say = (word: string, more: Record<string, unknown> = {}) => ({ params: { say: word, ...more } });

describe('runGraph', () => {
  it('runs a diamond, values by reference, in the order of the edges', async () => {
    const run = await engine.run(
      documentOf(
        [
          { id: 'a', ...say('a') },
          { id: 'b', ...say('b') },
          { id: 'c', ...say('c') },
          { id: 'd', ...say('d') },
        ],
        [
          ['a.value', 'b.value'],
          ['a.value', 'c.value'],
          ['c.value', 'd.more'],
          ['b.value', 'd.more'],
        ],
        { outputs: { result: 'd.value' } },
      ),
    );
    expect(run.failure).toBeNull();
    expect(run.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'd')).toEqual({ value: 'a>c+a>b>d' });
    expect(await engine.statuses(run.id)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded', d: 'succeeded' });
    expect(run.outputs.result?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('runs cheap neighbours in one activity, each with its own outcome', async () => {
    const run = await engine.run(
      documentOf(
        [
          { id: 'a', kind: 'test.cheap', ...say('a') },
          { id: 'b', kind: 'test.cheap', ...say('b') },
          { id: 'c', kind: 'test.cheap', ...say('c') },
        ],
        [
          ['a.value', 'b.value'],
          ['b.value', 'c.value'],
        ],
      ),
    );
    expect(run.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'c')).toEqual({ value: 'a>b>c' });
    expect(await engine.executions(run.id)).toEqual({ a: 1, b: 1, c: 1 });
    const history = await engine.client.workflow.getHandle(run.workflowId).fetchHistory();
    const markers = history.events?.filter((event) => event.markerRecordedEventAttributes) ?? [];
    // region, report
    expect(markers.length).toBe(2);
  });

  it('maps over a list through child workflows and keeps the order', async () => {
    const run = await engine.run(
      documentOf(
        [
          { id: 'list', kind: 'data.transform', params: { expression: '[1..23]' } },
          { id: 'each', kind: 'flow.map', params: { graph: 'item', window: 7 } },
        ],
        [['list.value', 'each.items']],
        {
          graphs: {
            item: {
              inputs: { item: { type: 'any' } },
              nodes: [{ id: 'x', kind: 'test.step', version: 1, params: { say: 'x' } }],
              edges: [{ from: '$inputs.item', to: 'x.value' }],
              outputs: { text: 'x.value' },
            },
          },
          outputs: { all: 'each.results' },
        },
      ),
    );
    expect(run.failure).toBeNull();
    expect(run.state).toBe('succeeded');
    const { results, failures } = await engine.outputs(run.id, 'each');
    expect(results).toEqual(Array.from({ length: 23 }, (_, item) => ({ text: `${item + 1}>x` })));
    expect(failures).toEqual([]);
  });
});
