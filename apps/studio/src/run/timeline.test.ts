import type { NodeView, Outcome } from '@cua-forge/spec/store-port';
import { describe, expect, it } from 'vitest';
import { ticksOf, timelineOf, waited, worked } from './timeline.ts';

const outcome = (key: string, from: number, to: number, change: Partial<Outcome> = {}): Outcome => ({
  runId: 'r',
  key,
  token: from + 1,
  round: 1,
  attempt: 1,
  status: 'succeeded',
  kind: 'k',
  title: key,
  fingerprint: '',
  params: '',
  inputs: {},
  outputs: {},
  verdict: null,
  failure: null,
  origin: 'executed',
  madeBy: null,
  memoKey: null,
  providers: [],
  usage: { input: 0, cached: 0, output: 0 },
  usd: 0,
  startedAt: from,
  endedAt: to,
  ...change,
});
const view = (key: string, status: NodeView['status'], at: number): NodeView => ({
  runId: 'r',
  key,
  seq: 1,
  token: 9,
  status,
  round: 1,
  attempt: 2,
  failure: null,
  note: null,
  counts: null,
  at,
});
const nodes = ['a', 'b', 'c', 'd'].map((id) => ({ id, key: id, title: id.toUpperCase() }));
/** a → b → d, a → c → d */
const edges = [
  ['a', 'b'],
  ['a', 'c'],
  ['b', 'd'],
  ['c', 'd'],
] as const;
const base = { nodes, edges, views: new Map<string, NodeView>(), startedAt: 100, now: 1_000 };

describe('the timeline of a run', () => {
  it('tells waiting from working, and finds the chain that took longest', () => {
    const timeline = timelineOf({
      ...base,
      outcomes: [outcome('d', 420, 500), outcome('a', 110, 200), outcome('b', 200, 250), outcome('c', 260, 400)],
    });
    expect(timeline.rows.map(({ id, critical }) => [id, critical])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
      ['d', true],
    ]);
    expect(timeline.rows.map((row) => [waited(row), worked(row)])).toEqual([
      [10, 90],
      [0, 50],
      [60, 140],
      [20, 80],
    ]);
    expect(timeline.critical).toEqual({ keys: ['a', 'c', 'd'], running: 310, waiting: 90 });
    expect([timeline.from, timeline.to]).toEqual([100, 500]);
  });

  it('keeps every execution of a node, marks failed and cached ones, and ends what runs at the present', () => {
    const timeline = timelineOf({
      ...base,
      outcomes: [
        outcome('a', 100, 150, { status: 'failed' }),
        outcome('a', 300, 350, { attempt: 2 }),
        outcome('b', 350, 351, { origin: 'memo' }),
      ],
      views: new Map([['c', view('c', 'running', 400)]]),
    });
    expect(timeline.rows[0]?.spans.map(({ state, attempt }) => [state, attempt])).toEqual([
      ['failed', 1],
      ['succeeded', 2],
    ]);
    expect(timeline.rows.find(({ id }) => id === 'b')?.spans[0]?.state).toBe('cached');
    expect(timeline.rows.find(({ id }) => id === 'c')?.spans).toMatchObject([
      { from: 400, to: 1_000, state: 'running' },
    ]);
    expect(timeline.rows.some(({ id }) => id === 'd')).toBe(false);
    expect(timeline.critical.keys).toEqual(['a', 'c']);
  });

  it('gives a composite the time from its being ready to its report', () => {
    const timeline = timelineOf({
      ...base,
      outcomes: [outcome('a', 100, 200)],
      views: new Map([['b', view('b', 'failed', 700)]]),
    });
    expect(timeline.rows.find(({ id }) => id === 'b')?.spans).toMatchObject([{ from: 200, to: 700, state: 'failed' }]);
  });

  it('has nothing to show of a run that has not begun, and ends with a cycle', () => {
    expect(timelineOf({ ...base, outcomes: [] })).toMatchObject({ rows: [], critical: { keys: [] } });
    const around = timelineOf({
      ...base,
      edges: [
        ['a', 'b'],
        ['b', 'a'],
      ],
      outcomes: [outcome('a', 100, 200), outcome('b', 200, 300)],
    });
    expect(around.critical.keys).toEqual(['a', 'b']);
  });

  it('puts round ticks on the axis', () => {
    expect(ticksOf(4_200, 10)).toEqual([0, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000]);
    expect(ticksOf(7_200_000, 6)).toHaveLength(5);
    expect(ticksOf(30 * 86_400_000, 10)).toHaveLength(11);
  });
});
