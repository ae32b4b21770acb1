import type { CostFilter } from '@cua-forge/spec/costs';
import { expect, it } from 'vitest';
import type { ConformanceContext } from './conformance-context.ts';
import { sampleBatch, sampleCall, samplePackage, sampleRun, uniqueId } from './samples.ts';

export function spendingConformance({ pair }: ConformanceContext): void {
  it('adds up what a run and its batch spend, each call once, whoever stores it', async () => {
    const { one, two } = pair();
    const batch = sampleBatch({ budget: { usd: 2, tokens: null } });
    const [first, second] = [sampleRun({ batchId: batch.id }), sampleRun({ batchId: batch.id })];
    await one.meta.createBatch(batch);
    for (const run of [first, second]) await one.meta.createRun(run);
    const calls = Array.from({ length: 20 }, (_, index) =>
      sampleCall({ runId: index % 2 === 0 ? first.id : second.id, index, usd: 0.25 }),
    );
    // Every call is stored twice, by both connections at once.
    await Promise.all(calls.flatMap((call) => [one.meta.addModelCall(call), two.meta.addModelCall(call)]));
    expect(await two.meta.spentOf({ batchId: batch.id })).toEqual({ usd: 5, tokens: 2_400, unpriced: 0 });
    expect(await one.meta.spentOf({ runId: first.id })).toEqual({ usd: 2.5, tokens: 1_200, unpriced: 0 });
    const nothing = { input: 0, cached: 0, output: 0 };
    await one.meta.addModelCall(sampleCall({ runId: first.id, token: 2, usd: null, usage: nothing, status: 'failed' }));
    await one.meta.addModelCall(sampleCall({ runId: first.id, token: 3, usd: null }));
    expect(await one.meta.spentOf({ batchId: batch.id })).toEqual({ usd: 5, tokens: 2_520, unpriced: 1 });
    expect(await one.meta.spentOf({ runId: uniqueId('run') })).toEqual({ usd: 0, tokens: 0, unpriced: 0 });
  });

  it('says which budgets hold for a run: its own and its batch’s, as they are now', async () => {
    const { one, two } = pair();
    const batch = sampleBatch();
    const run = sampleRun({ batchId: batch.id });
    await one.meta.createBatch(batch);
    await one.meta.createRun(run);
    expect(await two.meta.budgetsOf(run.id)).toEqual([]);
    await two.meta.updateBatch(batch.id, { budget: { usd: 1, tokens: null } });
    await two.meta.updateRun(run.id, { budget: { usd: null, tokens: 500 } });
    await one.meta.addModelCall(sampleCall({ runId: run.id, usd: 0.25 }));
    const spent = { usd: 0.25, tokens: 120, unpriced: 0 };
    expect(await one.meta.budgetsOf(run.id)).toEqual([
      { of: 'run', id: run.id, budget: { usd: null, tokens: 500 }, spent },
      { of: 'batch', id: batch.id, budget: { usd: 1, tokens: null }, spent },
    ]);
    expect(await one.meta.budgetsOf(uniqueId('run'))).toEqual([]);
  });

  it('changes a batch only from the states that are named', async () => {
    const { one, two } = pair();
    const batch = sampleBatch({ state: 'paused' });
    await one.meta.createBatch(batch);
    expect(await two.meta.updateBatch(batch.id, { state: 'budget' }, ['queued', 'running'])).toBe(false);
    const won = await Promise.all(
      [one, two].map((store) => store.meta.updateBatch(batch.id, { state: 'running', window: 3 }, ['paused'])),
    );
    expect(won.toSorted()).toEqual([false, true]);
    expect(await one.meta.getBatch(batch.id)).toMatchObject({ state: 'running', window: 3 });
  });

  it('knows the runs of a batch, and how many ended lately', async () => {
    const { one, two } = pair();
    const batchId = uniqueId('batch');
    const runs = [10, 20, null].map((endedAt) => sampleRun({ batchId, endedAt }));
    for (const run of [...runs, sampleRun()]) await one.meta.createRun(run);
    expect((await two.meta.listBatchRunIds(batchId)).sort()).toEqual(runs.map(({ id }) => id).sort());
    expect(await two.meta.countEnded({ batchId, since: 11 })).toBe(1);
    await one.meta.updateRun(runs[2]?.id ?? '', { endedAt: 30 });
    expect(await two.meta.countEnded({ batchId, since: 11 })).toBe(2);
  });

  it('adds up costs in stretches of time, of a batch and of a skill, without rehearsals', async () => {
    const { one, two } = pair();
    const [skill, batchId] = [uniqueId('skill'), uniqueId('batch')];
    const [inBatch, alone] = [sampleRun({ batchId, skill }), sampleRun({ skill })];
    for (const run of [inBatch, alone]) await one.meta.createRun(run);
    const call = (runId: string, token: number, at: number, change = {}) =>
      one.meta.addModelCall(sampleCall({ runId, token, at, provider: 'openai', model: 'small', ...change }));
    await call(inBatch.id, 1, 1_000);
    await call(inBatch.id, 2, 1_099);
    await call(inBatch.id, 3, 1_450, { usd: null });
    await call(inBatch.id, 4, 1_450, { provider: 'rehearsal' });
    await call(alone.id, 1, 1_990);
    await call(alone.id, 2, 2_000);
    const over = { from: 1_000, to: 2_000, points: 10 };
    expect(await two.meta.spendingOverTime({ ...over, batchId })).toEqual([
      { at: 1_100, calls: 2, tokens: 240, usd: 0.5, unpricedCalls: 0 },
      { at: 1_500, calls: 1, tokens: 120, usd: 0, unpricedCalls: 1 },
    ]);
    expect((await two.meta.spendingOverTime({ ...over, skill })).map(({ at, calls }) => [at, calls])).toEqual([
      [1_100, 2],
      [1_500, 1],
      [2_000, 1],
    ]);
    expect(await two.meta.spendingOverTime({ ...over, runId: uniqueId('run') })).toEqual([]);
  });

  it('counts runs by skill, version and fate, rehearsed ones apart', async () => {
    const { one, two } = pair();
    const skill = uniqueId('skill');
    const run = (change: Partial<Parameters<typeof sampleRun>[0]>) => sampleRun({ skill, ...change });
    const failed = { state: 'failed', failure: { code: 'gate.rejected', message: 'no' } } as const;
    const rehearsed = run({ state: 'succeeded' });
    const runs = [
      run({ state: 'succeeded' }),
      run({ state: 'succeeded' }),
      run(failed),
      rehearsed,
      run({ documentHash: 'new' }),
    ];
    for (const each of runs) await one.meta.createRun(each);
    await one.meta.addModelCall(sampleCall({ runId: rehearsed.id, provider: 'rehearsal' }));
    const counts = (await two.meta.countSkillRuns()).filter((each) => each.skill === skill);
    const version = { documentId: runs[0]?.documentId, documentHash: runs[0]?.documentHash };
    expect(counts).toHaveLength(4);
    expect(counts).toEqual(
      expect.arrayContaining([
        { skill, ...version, state: 'succeeded', failureCode: null, rehearsed: false, count: 2 },
        { skill, ...version, state: 'succeeded', failureCode: null, rehearsed: true, count: 1 },
        { skill, ...version, state: 'failed', failureCode: 'gate.rejected', rehearsed: false, count: 1 },
        { skill, ...version, documentHash: 'new', state: 'queued', failureCode: null, rehearsed: false, count: 1 },
      ]),
    );
  });

  it('adds up costs by node, run, skill, batch and model; rehearsals count nowhere', async () => {
    const { one, two } = pair();
    const batch = sampleBatch();
    const skills = [uniqueId('skill'), uniqueId('skill')] as const;
    const accepted = sampleRun({ batchId: batch.id, skill: skills[0], documentId: uniqueId('doc') });
    const rejected = sampleRun({ batchId: batch.id, skill: skills[0], documentId: accepted.documentId });
    const other = sampleRun({ batchId: batch.id, skill: skills[1], documentId: uniqueId('doc') });
    for (const run of [accepted, rejected, other]) await one.meta.createRun(run);
    const priced = { provider: 'openai', model: 'small', usd: 0.25, at: 100 };
    await one.meta.addModelCall(sampleCall({ ...priced, runId: accepted.id, key: 'files[3]/draft' }));
    await one.meta.addModelCall(sampleCall({ ...priced, runId: accepted.id, key: 'files[4]/draft#2/x' }));
    await one.meta.addModelCall(sampleCall({ ...priced, runId: rejected.id, key: 'judge', status: 'failed', at: 200 }));
    await one.meta.addModelCall(sampleCall({ ...priced, runId: other.id, usd: null, model: 'new' }));
    await one.meta.addModelCall(sampleCall({ runId: other.id, token: 2, provider: 'rehearsal', model: 'rehearsal' }));
    const made = { batchId: batch.id, createdAt: 150 };
    await one.meta.addPackage(samplePackage({ ...made, runId: accepted.id, skill: skills[0] }));
    await one.meta.addPackage(samplePackage({ ...made, runId: other.id, skill: skills[1], rehearsed: true }));

    const ask = async (filter: Partial<CostFilter>) => {
      const table = await two.meta.costs({ by: 'skill', limit: 10, batchId: batch.id, ...filter });
      const rows = table.rows.map((row) => [row.key, row.calls, row.usd, row.accepted, row.usdPerAccepted]);
      return { ...table, rows };
    };
    const bySkill = await ask({});
    expect(bySkill.rows).toEqual([
      [skills[0], 3, 0.75, 1, 0.75],
      [skills[1], 1, null, 0, null],
    ]);
    expect(bySkill).toMatchObject({
      by: 'skill',
      rehearsedCalls: 1,
      total: {
        ...{ calls: 4, failedCalls: 1, runs: 3, usd: null, unpricedCalls: 1, accepted: 1, tokensPerAccepted: 480 },
        usage: { input: 400, cached: 160, output: 80 },
      },
    });
    expect((await ask({ by: 'node' })).rows.sort()).toEqual(
      [
        [`${accepted.documentId}/files/draft`, 1, 0.25, 1, 0.25],
        [`${accepted.documentId}/files/draft/x`, 1, 0.25, 1, 0.25],
        [`${accepted.documentId}/judge`, 1, 0.25, 1, 0.25],
        [`${other.documentId}/draft`, 1, null, 0, null],
      ].sort(),
    );
    expect((await ask({ by: 'model' })).rows).toEqual([
      ['openai:small', 3, 0.75, 1, 0.75],
      ['openai:new', 1, null, 1, null],
    ]);
    expect((await ask({ by: 'run' })).rows).toHaveLength(3);
    expect((await ask({ by: 'batch' })).rows).toEqual([[batch.id, 4, null, 1, null]]);
    expect((await ask({ by: 'node', runId: rejected.id })).rows).toEqual([
      [`${accepted.documentId}/judge`, 1, 0.25, 0, null],
    ]);
    expect((await ask({ from: 150 })).rows).toEqual([[skills[0], 1, 0.25, 1, 0.25]]);
    expect((await ask({ to: 100 })).rows).toEqual([]);
    expect((await ask({ by: 'run', limit: 1 })).rows).toEqual([[accepted.id, 2, 0.5, 1, 0.5]]);
    const { total } = await two.meta.costs({ by: 'node', limit: 1, batchId: uniqueId('batch') });
    expect(total).toMatchObject({ calls: 0, usd: 0, accepted: 0, tokensPerAccepted: null });
  });
}
