import { costRow } from '@cua-forge/spec/costs';
import type { SkillCount } from '@cua-forge/spec/store-port';
import { expect, it } from 'vitest';
import { skillViews } from './skill-views.ts';

const count = (change: Partial<SkillCount>): SkillCount => ({
  skill: 'calc',
  documentId: 'sums',
  documentHash: 'old',
  state: 'succeeded',
  failureCode: null,
  rehearsed: false,
  count: 1,
  ...change,
});

it('says what part of the runs of a skill was accepted, by version too; rehearsals count for nothing', async () => {
  const cost = costRow({
    key: 'calc',
    calls: 3,
    failedCalls: 0,
    runs: 3,
    usage: { input: 30, cached: 0, output: 10 },
    usd: 1,
    unpricedCalls: 0,
    accepted: 2,
  });
  const saved = { id: 'sums', title: 'Sums', source: '' };
  const [calc, writer] = await skillViews({
    countSkillRuns: async () => [
      count({ count: 2 }),
      count({ state: 'failed', failureCode: 'gate.rejected' }),
      count({ documentHash: 'new', state: 'failed', failureCode: 'node.timeout' }),
      count({ documentHash: 'new', state: 'running' }),
      count({ rehearsed: true, count: 7 }),
      count({ skill: 'writer', documentHash: 'draft', rehearsed: true }),
    ],
    costs: async () => ({ by: 'skill', rows: [cost], total: cost, rehearsedCalls: 0 }),
    countReviews: async () => [
      { skill: 'calc', verdict: 'accepted', reason: null, count: 4 },
      { skill: 'calc', verdict: 'rejected', reason: 'unclear', count: 1 },
      { skill: 'calc', verdict: 'rejected', reason: 'wrong-rubric', count: 3 },
      { skill: 'other', verdict: 'rejected', reason: 'unclear', count: 9 },
    ],
    listBatches: async () => [],
    getDocumentVersion: async (hash) =>
      hash === 'draft'
        ? null
        : { ...saved, hash, revision: hash === 'new' ? 2 : 1, updatedAt: hash === 'new' ? 20 : 10 },
  });
  expect(calc).toMatchObject({
    skill: 'calc',
    tally: { accepted: 2, rejected: 1, failed: 1, open: 1, rehearsed: 7, acceptance: 0.5 },
    failures: { 'gate.rejected': 1, 'node.timeout': 1 },
    cost: { usdPerAccepted: 0.5, tokensPerAccepted: 20 },
    reviews: {
      accepted: 4,
      unreviewed: 0,
      rejected: [
        { reason: 'wrong-rubric', count: 3 },
        { reason: 'unclear', count: 1 },
      ],
    },
  });
  expect(calc?.versions.map(({ revision, tally }) => [revision, tally.acceptance])).toEqual([
    [2, 0],
    [1, 2 / 3],
  ]);
  expect(writer).toMatchObject({
    tally: { rehearsed: 1, acceptance: null },
    cost: null,
    versions: [{ revision: null }],
  });
});
