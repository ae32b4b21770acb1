import type { Ended } from '@cua-forge/spec/api/runs';
import type { NodeView, RunEvent } from '@cua-forge/spec/store-port';
import { describe, expect, it } from 'vitest';
import { noProgress, withEnded, withEvents, withViews } from './run-progress.ts';

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

  it('keeps the newest execution of a node, whether an event or a list told of it', () => {
    const ended = (token: number): Ended => ({
      key: 'a',
      token,
      origin: 'executed',
      madeBy: null,
      usage: { input: token, cached: 0, output: 0 },
      startedAt: 1,
      endedAt: 2,
    });
    const progress = withEnded(withEvents(noProgress, [event(1, 'outcome', ended(3))]), [ended(2)]);
    expect(progress.outcomes.get('a')?.token).toBe(3);
    expect(withEnded(progress, [ended(4)]).outcomes.get('a')?.usage.input).toBe(4);
  });
});
