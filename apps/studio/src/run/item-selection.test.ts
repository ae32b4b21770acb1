import type { ItemView, NodeView } from '@cua-forge/spec/store-port';
import { describe, expect, it } from 'vitest';
import { codesOf, retryOf, tallyOf } from './item-selection.ts';

const counts = {
  total: 10,
  counts: [
    { status: 'failed' as const, failureCode: 'node.timeout', count: 1 },
    { status: 'failed' as const, failureCode: 'node.failed', count: 2 },
    { status: 'succeeded' as const, failureCode: null, count: 4 },
    { status: 'waiting' as const, failureCode: null, count: 1 },
  ],
};
const failedNode = (key: string): NodeView => ({
  runId: 'r',
  key,
  seq: 1,
  token: 1,
  status: 'failed',
  round: 1,
  attempt: 1,
  failure: { code: 'node.failed', message: 'no' },
  note: null,
  counts: null,
  at: 1,
});
const items: ItemView[] = [
  { index: 0, status: 'succeeded', failureCode: null, troubled: [] },
  {
    index: 3,
    status: 'failed',
    failureCode: 'node.failed',
    troubled: [failedNode('each[3]/x'), failedNode('each[3]/y')],
  },
  { index: 7, status: 'failed', failureCode: 'node.failed', troubled: [failedNode('each[7]/x')] },
];
const any = { status: null, failureCode: null };
const selection = { runKey: 'each', items, filter: any, failed: 3, matching: 10 };

describe('items of a map', () => {
  it('are counted by state; those that have not begun are waiting', () => {
    const tally = tallyOf(counts);
    expect([null, 'failed', 'succeeded', 'waiting', 'running'].map((each) => tally(each as null))).toEqual([
      10, 3, 4, 3, 0,
    ]);
    expect(tallyOf(null)(null)).toBe(0);
    expect([...codesOf(counts)]).toEqual([
      ['node.failed', 2],
      ['node.timeout', 1],
    ]);
  });

  it('are retried by the paths of what failed in those that are chosen', () => {
    expect(retryOf({ ...selection, chosen: new Set([0, 3]) })).toEqual({
      request: { targets: ['each[3]/x', 'each[3]/y'] },
      count: 1,
    });
    expect(retryOf({ ...selection, chosen: new Set([0]) })).toBeNull();
  });

  it('are retried by the path of the map when all are chosen, however few of them have been read', () => {
    expect(retryOf({ ...selection, chosen: 'all' })).toEqual({ request: { prefix: 'each[' }, count: 3 });
    const filter = { status: 'failed' as const, failureCode: 'node.timeout' };
    expect(retryOf({ ...selection, filter, matching: 1, chosen: 'all' })).toEqual({
      request: { prefix: 'each[', failureCode: 'node.timeout' },
      count: 1,
    });
    expect(retryOf({ ...selection, failed: 0, chosen: 'all' })).toBeNull();
  });
});
