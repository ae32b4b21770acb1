import type { NewEvent } from '@cua-forge/spec/store-port';
import { expect, it, vi } from 'vitest';
import type { ConformanceContext } from './conformance-context.ts';
import { sampleBatch, sampleCall, sampleRun, sampleView, uniqueId } from './samples.ts';

export function progressConformance({ pair, open }: ConformanceContext): void {
  it('drops states older than the stored one, and adds an event for each that changed', async () => {
    const { one, two } = pair();
    const runId = uniqueId('run');
    const running = sampleView({ runId, seq: 5 });
    const done = sampleView({ runId, seq: 7, status: 'succeeded', counts: { done: 40 } });
    await one.meta.saveNodeViews([running, sampleView({ runId, key: 'check', seq: 6 })]);
    await two.meta.saveNodeViews([done]);
    await one.meta.saveNodeViews([running, sampleView({ runId, seq: 6, status: 'failed' }), done]);
    expect(await two.meta.listNodeViews(runId)).toEqual([sampleView({ runId, key: 'check', seq: 6 }), done]);
    const events = await one.meta.listEvents({ after: 0, runId, limit: 10 });
    expect(events.map(({ type }) => type)).toEqual(['node', 'node', 'node']);
    expect(events.at(-1)).toMatchObject({ data: done, at: done.at });
  });

  it('keeps the newest state whatever the order of concurrent reports', async () => {
    const { one, two } = pair();
    const runId = uniqueId('run');
    const seqs = Array.from({ length: 40 }, (_, index) => ((index * 17) % 40) + 1);
    await Promise.all(
      seqs.map((seq, index) => (index % 2 === 0 ? one : two).meta.saveNodeViews([sampleView({ runId, seq })])),
    );
    expect((await one.meta.listNodeViews(runId)).map(({ seq }) => seq)).toEqual([40]);
  });

  it('takes none of a batch of states with a bad one', async () => {
    const { one } = pair();
    const runId = uniqueId('run');
    const saved = one.meta.saveNodeViews([sampleView({ runId }), sampleView({ runId, key: 'check', seq: 0.5 })]);
    await expect(saved).rejects.toMatchObject({ code: 'internal' });
    expect(await one.meta.listNodeViews(runId)).toEqual([]);
  });

  it('pages states by key, by prefix and by status', async () => {
    const { one } = pair();
    const runId = uniqueId('run');
    const keys = ['a', 'b[1]/x', 'b[2]/x', 'b[10]/x', 'c'];
    await one.meta.saveNodeViews(
      keys.map((key, index) => sampleView({ runId, key, seq: index, status: key === 'c' ? 'failed' : 'waiting' })),
    );
    const listed = async (filter: Parameters<typeof one.meta.listNodeViews>[1]) =>
      (await one.meta.listNodeViews(runId, filter)).map(({ key }) => key);
    expect(await listed({})).toEqual(['a', 'b[10]/x', 'b[1]/x', 'b[2]/x', 'c']);
    expect(await listed({ limit: 2 })).toEqual(['a', 'b[10]/x']);
    expect(await listed({ limit: 2, after: 'b[10]/x' })).toEqual(['b[1]/x', 'b[2]/x']);
    expect(await listed({ prefix: 'b[', after: 'b[1]/x' })).toEqual(['b[2]/x']);
    expect(await listed({ status: 'failed' })).toEqual(['c']);
  });

  it('stores events with the same key of a run once', async () => {
    const { one, two } = pair();
    const [runId, otherRun] = [uniqueId('run'), uniqueId('run')];
    const event: NewEvent = { runId, type: 'log', data: { line: 'hello' }, at: 5, dedupe: '1/log' };
    await Promise.all([one.meta.addEvents([event, event]), two.meta.addEvents([{ ...event, at: 6 }])]);
    await one.meta.addEvents([
      { ...event, runId: otherRun },
      { ...event, dedupe: '2/log' },
    ]);
    await one.meta.addEvents([1, 2].map(() => ({ runId, type: 'progress', data: null, at: 7 })));
    const types = (await two.meta.listEvents({ after: 0, runId, limit: 10 })).map(({ type }) => type);
    expect(types).toEqual(['log', 'log', 'progress', 'progress']);
    expect(await two.meta.listEvents({ after: 0, runId: otherRun, limit: 10 })).toHaveLength(1);
  });

  it('lists events after an id, of one run and of a batch', async () => {
    const { one, two } = pair();
    const batch = sampleBatch();
    const runs = [sampleRun({ batchId: batch.id }), sampleRun({ batchId: batch.id }), sampleRun()];
    await one.meta.createBatch(batch);
    for (const run of runs) await one.meta.createRun(run);
    const start = await one.meta.lastEventId();
    const owners = [...runs.map(({ id }) => id), batch.id];
    await one.meta.addEvents(owners.map((runId, index) => ({ runId, type: 'run', data: { index }, at: index })));
    const indexes = (events: { data: unknown }[]) => events.map(({ data }) => data);
    const all = await two.meta.listEvents({ after: start, limit: 10 });
    expect(indexes(all)).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }, { index: 3 }]);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => a - b));
    expect(await two.meta.lastEventId()).toBe(all.at(-1)?.id);
    const ofBatch = await two.meta.listEvents({ after: start, batchId: batch.id, limit: 10 });
    expect(indexes(ofBatch)).toEqual([{ index: 0 }, { index: 1 }, { index: 3 }]);
    expect(indexes(await two.meta.listEvents({ after: start, batchId: batch.id, limit: 1 }))).toEqual([{ index: 0 }]);
    expect(indexes(await two.meta.listEvents({ after: ofBatch[0]?.id ?? 0, batchId: batch.id, limit: 1 }))).toEqual([
      { index: 1 },
    ]);
  });

  it('wakes watchers after commits of its own and of others, until they stop', async () => {
    const [watching, { two }] = [await open(), pair()];
    const [wake, stopped] = [vi.fn(), vi.fn()];
    const stop = watching.meta.watch(wake);
    watching.meta.watch(stopped)();
    await two.meta.addEvents([{ runId: 'watched', type: 'log', data: 1, at: 1 }]);
    await vi.waitFor(() => expect(wake).toHaveBeenCalled(), { timeout: 1_000, interval: 5 });
    const before = wake.mock.calls.length;
    await watching.meta.addEvents([{ runId: 'watched', type: 'log', data: 2, at: 2 }]);
    await vi.waitFor(() => expect(wake.mock.calls.length).toBeGreaterThan(before), { timeout: 1_000, interval: 5 });
    stop();
    const after = wake.mock.calls.length;
    await watching.meta.addEvents([{ runId: 'watched', type: 'log', data: 3, at: 3 }]);
    await two.meta.addEvents([{ runId: 'watched', type: 'log', data: 4, at: 4 }]);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(wake.mock.calls.length).toBe(after);
    expect(stopped).not.toHaveBeenCalled();
    await watching.meta.close();
  });

  it('lists model calls as they were made, and counts one call once', async () => {
    const { one, two } = pair();
    const runId = uniqueId('run');
    const calls = [
      sampleCall({ runId, index: 0 }),
      sampleCall({ runId, index: 1 }),
      sampleCall({ runId, index: 0, activityAttempt: 2 }),
      sampleCall({ runId, key: 'judge', token: 2 }),
    ];
    for (const call of [...calls].reverse()) await one.meta.addModelCall(call);
    await two.meta.addModelCall(sampleCall({ runId, index: 0 }));
    expect(await two.meta.listModelCalls(runId)).toEqual(calls);
    expect(await two.meta.listModelCalls(runId, 'judge')).toEqual(calls.slice(3));
  });

  it('sums usage of a run and of all runs of a batch', async () => {
    const { one } = pair();
    const batchId = uniqueId('batch');
    const runs = [sampleRun({ batchId }), sampleRun({ batchId }), sampleRun()];
    for (const run of runs) {
      await one.meta.createRun(run);
      await one.meta.addModelCall(sampleCall({ runId: run.id }));
      await one.meta.addModelCall(
        sampleCall({ runId: run.id, token: 2, provider: 'openai:small', status: 'failed', error: 'cut' }),
      );
    }
    const [runId, unpricedRun] = runs.map(({ id }) => id);
    if (runId === undefined || unpricedRun === undefined) throw new Error('three runs were made');
    expect(await one.meta.usageOf({ runId })).toEqual({
      calls: 2,
      usage: { input: 200, cached: 80, output: 40 },
      usd: 0.5,
      providers: ['openai:small', 'rehearsal'],
    });
    expect(await one.meta.usageOf({ batchId })).toMatchObject({ calls: 4, usage: { input: 400 }, usd: 1 });
    expect(await one.meta.usageOf({ runId: uniqueId('run') })).toMatchObject({ calls: 0, usd: 0, providers: [] });
    const nothing = { input: 0, cached: 0, output: 0 };
    await one.meta.addModelCall(
      sampleCall({ runId, token: 3, usage: nothing, usd: null, status: 'failed', error: '429' }),
    );
    expect(await one.meta.usageOf({ runId })).toMatchObject({ calls: 3, usd: 0.5 });
    await one.meta.addModelCall(sampleCall({ runId: unpricedRun, token: 4, usd: null }));
    expect(await one.meta.usageOf({ runId: unpricedRun })).toMatchObject({ calls: 3, usd: null });
  });
}
