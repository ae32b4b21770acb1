import type { NodeStatus, NodeView } from '@cua-forge/spec/store-port';
import { expect, it } from 'vitest';
import type { ConformanceContext } from './conformance-context.ts';
import { sampleOutcome, sampleView, uniqueId } from './samples.ts';

/** What the maps of a run are seen by. */
export function itemConformance({ pair }: ConformanceContext): void {
  const failure = (code: string): NodeView['failure'] => ({ code: 'node.failed', message: code });

  async function sampleMap(): Promise<string> {
    const { one } = pair();
    const runId = uniqueId('run');
    let seq = 0;
    const view = (key: string, status: NodeStatus, failed: NodeView['failure'] = null) =>
      sampleView({ runId, key, seq: ++seq, status, failure: failed });
    await one.meta.saveNodeViews([
      view('list', 'succeeded'),
      view('each', 'running'),
      view('each[0]/draft', 'succeeded'),
      view('each[0]/check', 'succeeded'),
      view('each[1]/draft', 'succeeded'),
      view('each[1]/check', 'failed', { code: 'params.invalid', message: 'below zero' }),
      view('each[2]/draft', 'failed', { code: 'node.timeout', message: 'too long' }),
      view('each[2]/check', 'waiting'),
      view('each[3]/draft', 'running'),
      view('each[3]/check', 'waiting'),
      view('each[4]/draft', 'succeeded'),
      view('each[4]/check', 'waiting'),
      view('each[5]/inner', 'failed', { code: 'map.items-failed', message: 'one of two' }),
      view('each[5]/inner[0]/check', 'succeeded'),
      view('each[5]/inner[1]/check', 'failed', failure('deep')),
      view('each[10]/draft', 'waiting'),
      view('each[11]/ask', 'awaiting'),
      view('each[12]/draft', 'skipped'),
      view('each2[0]/draft', 'failed', failure('another map')),
    ]);
    return runId;
  }

  it('counts the items of a map by state and failure code', async () => {
    const { two } = pair();
    const runId = await sampleMap();
    const counts = await two.meta.countItems(runId, { map: 'each' });
    expect(counts).toEqual([
      { status: 'awaiting', failureCode: null, count: 1 },
      { status: 'failed', failureCode: 'map.items-failed', count: 1 },
      { status: 'failed', failureCode: 'node.timeout', count: 1 },
      { status: 'failed', failureCode: 'params.invalid', count: 1 },
      { status: 'running', failureCode: null, count: 2 },
      { status: 'skipped', failureCode: null, count: 1 },
      { status: 'succeeded', failureCode: null, count: 1 },
      { status: 'waiting', failureCode: null, count: 1 },
    ]);
    expect(await two.meta.countItems(runId, { map: 'each[5]/inner' })).toEqual([
      { status: 'failed', failureCode: 'node.failed', count: 1 },
      { status: 'succeeded', failureCode: null, count: 1 },
    ]);
    expect(await two.meta.countItems(runId, { map: 'none' })).toEqual([]);
  });

  it('takes a failure that is handled for no failure of the item', async () => {
    const { one } = pair();
    const runId = await sampleMap();
    const counts = await one.meta.countItems(runId, { map: 'each', handled: ['check'] });
    expect(counts.find(({ status }) => status === 'succeeded')?.count).toBe(2);
    expect(counts.some(({ failureCode }) => failureCode === 'params.invalid')).toBe(false);
    const failed = await one.meta.listItems(runId, { map: 'each', handled: ['check'], status: 'failed', limit: 9 });
    expect(failed.map(({ index }) => index)).toEqual([2, 5]);
  });

  it('pages the items of a map in order, by state and failure code', async () => {
    const { one } = pair();
    const runId = await sampleMap();
    const listed = async (filter: { status?: NodeStatus; failureCode?: string; after?: number; limit?: number }) =>
      (await one.meta.listItems(runId, { map: 'each', limit: 100, ...filter })).map(({ index }) => index);
    expect(await listed({})).toEqual([0, 1, 2, 3, 4, 5, 10, 11, 12]);
    expect(await listed({ limit: 2, after: 2 })).toEqual([3, 4]);
    expect(await listed({ status: 'failed' })).toEqual([1, 2, 5]);
    expect(await listed({ status: 'running' })).toEqual([3, 4]);
    expect(await listed({ status: 'failed', failureCode: 'node.timeout' })).toEqual([2]);
    const [second] = await one.meta.listItems(runId, { map: 'each', after: 0, limit: 1 });
    expect(second).toMatchObject({
      index: 1,
      status: 'failed',
      failureCode: 'params.invalid',
      troubled: [{ key: 'each[1]/check', failure: { message: 'below zero' } }],
    });
  });

  it('follows an item that goes on after a retry', async () => {
    const { one } = pair();
    const runId = await sampleMap();
    await one.meta.saveNodeViews([sampleView({ runId, key: 'each[1]/check', seq: 99, status: 'succeeded' })]);
    expect(await one.meta.listItems(runId, { map: 'each', after: 0, limit: 1 })).toEqual([
      { index: 1, status: 'succeeded', failureCode: null, troubled: [] },
    ]);
  });

  it('lists states and outcomes without those inside items', async () => {
    const { one } = pair();
    const runId = await sampleMap();
    const views = async (prefix: string) =>
      (await one.meta.listNodeViews(runId, { prefix, outsideItems: true })).map(({ key }) => key);
    expect(await views('')).toEqual(['each', 'list']);
    expect(await views('each[5]/')).toEqual(['each[5]/inner']);
    for (const [index, key] of ['list', 'each[5]', 'each[5]/inner', 'each[5]/inner[0]/check', 'each'].entries())
      await one.meta.commitOutcome(sampleOutcome({ runId, key, token: index + 1, inputs: {} }), []);
    const outcomes = async (prefix: string) =>
      (await one.meta.listOutcomes(runId, { prefix, outsideItems: true })).map(({ key }) => key);
    expect(await outcomes('')).toEqual(['list', 'each']);
    expect(await outcomes('each[5]/')).toEqual(['each[5]/inner']);
  });
}
