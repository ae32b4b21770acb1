import { expect, it } from 'vitest';
import type { ConformanceContext } from './conformance-context.ts';
import { artifactOf, refTo, sampleBytes, sampleCall, sampleOutcome, uniqueId } from './samples.ts';

export function outcomeConformance({ pair }: ConformanceContext): void {
  it('commits outcome, artifacts, calls and event together', async () => {
    const { one, two } = pair();
    const [text, file] = [artifactOf(sampleBytes(300)), artifactOf(sampleBytes(50_000))];
    const outcome = sampleOutcome({
      outputs: { text: refTo(text), file: refTo(file) },
      verdict: { verdict: 'pass', evidence: [{ check: 'sheets', ok: true, detail: '2 of 2' }] },
    });
    const { runId, key, token } = outcome;
    expect(await one.meta.findOutcome(runId, key, token)).toBeNull();
    expect(await one.meta.commitOutcome(outcome, [text, file], [sampleCall({ runId })])).toEqual(outcome);
    expect(await two.meta.findOutcome(runId, key, token)).toEqual(outcome);
    expect(await two.artifacts.has(text.hash)).toBe(true);
    expect(Buffer.compare(await two.artifacts.get(file.hash), file.bytes)).toBe(0);
    expect((await two.meta.listModelCalls(runId)).map((call) => call.key)).toEqual([key]);
    expect(await two.meta.listEvents({ after: 0, runId, limit: 10 })).toMatchObject([
      {
        runId,
        type: 'outcome',
        at: outcome.endedAt,
        data: { key, token, status: 'succeeded', origin: 'executed', usage: outcome.usage, endedAt: outcome.endedAt },
      },
    ]);
  });

  it('lets the first of fifty commits win, over two connections', async () => {
    const { one, two } = pair();
    const runId = uniqueId('run');
    const candidates = Array.from({ length: 50 }, (_, index) => sampleOutcome({ runId, title: `candidate ${index}` }));
    const committed = await Promise.all(
      candidates.map((outcome, index) => (index % 2 === 0 ? one : two).meta.commitOutcome(outcome, [])),
    );
    const winner = await one.meta.findOutcome(runId, 'draft', 1);
    expect(candidates).toContainEqual(winner);
    for (const outcome of committed) expect(outcome).toEqual(winner);
    expect(await two.meta.listOutcomes(runId)).toEqual([winner]);
    expect(await two.meta.listEvents({ after: 0, runId, limit: 100 })).toHaveLength(1);
  });

  it('keeps the model calls of a commit that came second, and nothing else of it', async () => {
    const { one } = pair();
    const first = sampleOutcome();
    const { runId } = first;
    const late = artifactOf(sampleBytes(200));
    await one.meta.commitOutcome(first, [], [sampleCall({ runId })]);
    const repeated = sampleCall({ runId, activityAttempt: 2 });
    const second = { ...first, title: 'second', outputs: { text: refTo(late) } };
    expect(await one.meta.commitOutcome(second, [late], [repeated])).toEqual(first);
    expect((await one.meta.listModelCalls(runId)).map((call) => call.activityAttempt)).toEqual([1, 2]);
    expect(await one.artifacts.has(late.hash)).toBe(false);
  });

  it('fails a bad outcome without its neighbours', async () => {
    const { one } = pair();
    const runId = uniqueId('run');
    const good = (token: number) => one.meta.commitOutcome(sampleOutcome({ runId, token }), []);
    const results = await Promise.allSettled([
      good(1),
      one.meta.commitOutcome(sampleOutcome({ runId, token: -2 }), []),
      good(3),
      one.meta.commitOutcome(sampleOutcome({ runId, token: 4 }), [], [sampleCall({ runId, index: 0.5 })]),
      good(5),
      one.meta.commitOutcome(sampleOutcome({ runId, token: 6 }), [{ ...artifactOf(sampleBytes(10)), hash: 'wrong' }]),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    expect((await one.meta.listOutcomes(runId)).map(({ token }) => token)).toEqual([1, 3, 5]);
    expect(await one.meta.listModelCalls(runId)).toEqual([]);
    expect(await one.meta.listEvents({ after: 0, runId, limit: 10 })).toHaveLength(3);
  });

  it('commits hundreds at once, each with its own result', async () => {
    const { one, two } = pair();
    const runId = uniqueId('run');
    const outcomes = Array.from({ length: 700 }, (_, index) =>
      sampleOutcome({ runId, key: `item[${index}]`, token: index + 1 }),
    );
    const committed = await Promise.all(outcomes.map((outcome) => one.meta.commitOutcome(outcome, [])));
    expect(committed).toEqual(outcomes);
    expect(await two.meta.listOutcomes(runId)).toEqual(outcomes);
  });

  it('lists by token, by prefix and by key', async () => {
    const { one } = pair();
    const runId = uniqueId('run');
    const keys = [
      'files[1]/draft',
      'files[10]/draft',
      'files[1]/check',
      'files_1',
      'draft',
      'files[1]/draft',
      'Files[1]/x',
    ];
    for (const [index, key] of keys.entries())
      await one.meta.commitOutcome(sampleOutcome({ runId, key, token: keys.length - index }), []);
    const listed = async (filter?: { prefix?: string; key?: string }) =>
      (await one.meta.listOutcomes(runId, filter)).map(({ key, token }) => `${token} ${key}`);
    expect(await listed()).toEqual(keys.map((key, index) => `${keys.length - index} ${key}`).reverse());
    expect(await listed({ prefix: 'files[1]/' })).toEqual(['2 files[1]/draft', '5 files[1]/check', '7 files[1]/draft']);
    expect(await listed({ prefix: '' })).toHaveLength(keys.length);
    expect(await listed({ key: 'files[1]/draft' })).toEqual(['2 files[1]/draft', '7 files[1]/draft']);
    expect(await listed({ prefix: 'files%' })).toEqual([]);
  });

  it('finds the newest succeeded outcome of a memo key, over all runs', async () => {
    const { one, two } = pair();
    const memoKey = uniqueId('memo');
    expect(await one.meta.findMemo(memoKey)).toBeNull();
    const failure = { code: 'node.failed' as const, message: 'no rows' };
    const old = sampleOutcome({ memoKey, endedAt: 10 });
    const newest = sampleOutcome({ memoKey, endedAt: 30 });
    await one.meta.commitOutcome(newest, []);
    await one.meta.commitOutcome(old, []);
    await one.meta.commitOutcome(sampleOutcome({ memoKey, endedAt: 40, status: 'failed', failure }), []);
    expect(await two.meta.findMemo(memoKey)).toEqual(newest);
    const sameTime = sampleOutcome({ memoKey, endedAt: 30 });
    await two.meta.commitOutcome(sameTime, []);
    expect(await one.meta.findMemo(memoKey)).toEqual(sameTime);
  });
}
