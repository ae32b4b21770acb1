import type { NodeView, RunEvent } from '@cua-forge/spec/store-port';
import { describe, expect, it } from 'vitest';
import { mapItems, noProgress, withEvents, withViews } from './run-progress.ts';

const view = (key: string, seq: number, status: NodeView['status']): NodeView => ({
  runId: 'r',
  key,
  seq,
  token: 1,
  status,
  round: 1,
  attempt: 1,
  failure: null,
  note: null,
  counts: null,
  at: 0,
});
const event = (id: number, type: RunEvent['type'], data: unknown): RunEvent => ({ id, runId: 'r', type, data, at: 0 });

describe('progress of a run', () => {
  it('never lets an older report replace a newer one', () => {
    const progress = withViews(noProgress, [view('a', 5, 'succeeded'), view('a', 3, 'running')]);
    expect(progress.nodes.get('a')?.status).toBe('succeeded');
  });

  it('folds node and outcome events, and leaves unknown shapes out', () => {
    const outcome = {
      key: 'a',
      token: 2,
      origin: 'memo',
      madeBy: 'r0',
      usage: { input: 1, cached: 0, output: 2 },
      startedAt: 5,
      endedAt: 9,
      more: true,
    };
    const progress = withEvents(noProgress, [
      event(1, 'node', view('a', 1, 'running')),
      event(2, 'outcome', outcome),
      event(3, 'node', { key: 'b' }),
    ]);
    expect(progress.nodes.size).toBe(1);
    expect(progress.outcomes.get('a')).toMatchObject({ origin: 'memo', endedAt: 9 });
  });

  it('gathers the items of a map, nested maps left to theirs', () => {
    const views = [
      view('m[1]/a', 1, 'failed'),
      view('m[0]/a', 1, 'succeeded'),
      view('m[0]/b', 1, 'skipped'),
      view('m2[0]/a', 1, 'running'),
      view('m[2]/k[3]/a', 1, 'running'),
    ];
    expect(mapItems(views, 'm').map(({ index, status }) => [index, status])).toEqual([
      [0, 'succeeded'],
      [1, 'failed'],
      [2, 'running'],
    ]);
  });
});
