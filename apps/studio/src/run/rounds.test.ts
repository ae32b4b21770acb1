import type { Outcome } from '@cua-forge/spec/store-port';
import { expect, it } from 'vitest';
import { checksOf, roundsOf } from './rounds.ts';

const judged = (round: number, token: number, evidence: [string, boolean, string][]): Outcome => ({
  runId: 'r',
  key: 'gate',
  token,
  round,
  attempt: 1,
  status: 'succeeded',
  kind: 'gate.x',
  title: 'Gate',
  fingerprint: '',
  params: '',
  inputs: {},
  outputs: {},
  verdict: {
    verdict: 'repair',
    evidence: evidence.map(([check, ok, detail]) => ({ check, ok, detail })),
  },
  failure: null,
  origin: 'executed',
  madeBy: null,
  memoKey: null,
  providers: [],
  usage: { input: 0, cached: 0, output: 0 },
  usd: 0,
  startedAt: 0,
  endedAt: 1,
});

it('sets the rounds of a gate beside each other, what ever failed first', () => {
  const rounds = roundsOf([
    judged(2, 9, [
      ['length', true, '120 words'],
      ['names', true, 'all there'],
      ['new', true, 'fine'],
    ]),
    judged(1, 2, [['length', true, 'from an earlier attempt']]),
    judged(1, 4, [
      ['length', true, '90 words'],
      ['names', false, 'Ada is missing'],
      ['names', false, 'Bob is missing'],
    ]),
  ]);
  expect(rounds.map(({ round, token }) => [round, token])).toEqual([
    [1, 4],
    [2, 9],
  ]);
  expect(checksOf(rounds)).toEqual([
    {
      check: 'names',
      rounds: [
        { ok: false, detail: 'Ada is missing\nBob is missing' },
        { ok: true, detail: 'all there' },
      ],
    },
    {
      check: 'length',
      rounds: [
        { ok: true, detail: '90 words' },
        { ok: true, detail: '120 words' },
      ],
    },
    { check: 'new', rounds: [null, { ok: true, detail: 'fine' }] },
  ]);
});
