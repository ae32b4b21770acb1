import { fateOf } from '@cua-forge/spec/run-fate';
import type { RunRecord } from '@cua-forge/spec/store-port';
import { describe, expect, it } from 'vitest';
import { endsOverTime } from './use-runs.ts';

type Part = Pick<RunRecord, 'state' | 'failure' | 'endedAt'>;
const run = ({ state, failure, endedAt }: Part): RunRecord => ({
  id: `b-${endedAt}`,
  documentId: 'd',
  documentHash: '',
  planHash: '',
  title: 'd',
  skill: '',
  seed: 1,
  mode: 'batch',
  batchId: 'b',
  baseRun: null,
  selection: { mode: 'all' },
  inputs: {},
  edits: {},
  state,
  failure,
  outputs: {},
  epoch: 1,
  workflowId: 'w',
  createdAt: 0,
  startedAt: 0,
  endedAt,
});
const accepted = (endedAt: number) => run({ state: 'succeeded', failure: null, endedAt });
const rejected = (endedAt: number) =>
  run({ state: 'failed', failure: { code: 'gate.rejected', message: 'no' }, endedAt });

describe('runs of a batch', () => {
  it('that a gate turned down are rejected, those that the budget stopped wait', () => {
    expect(fateOf(rejected(1).state, rejected(1).failure?.code ?? null)).toBe('rejected');
    expect(fateOf('failed', 'node.failed')).toBe('failed');
    expect(fateOf('failed', 'budget.exhausted')).toBe('waiting');
    expect(fateOf('needs-attention', null)).toBe('running');
  });

  it('add up in the order in which they ended', () => {
    const open = run({ state: 'running', failure: null, endedAt: null });
    expect(endsOverTime([accepted(3000), open, rejected(2000), accepted(1000)], 0)).toEqual({
      times: [0, 1, 2, 3],
      accepted: [0, 1, 1, 2],
      rejected: [0, 0, 1, 1],
      failed: [0, 0, 0, 0],
    });
  });

  it('are thinned out, with the last sums kept', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => accepted(index * 1000));
    const series = endsOverTime(many, 0, 100);
    expect(series.times.length).toBeLessThanOrEqual(102);
    expect(series.accepted.at(-1)).toBe(1_000);
  });
});
