import type { HookRecord } from '@cua-forge/spec/hook';
import { expect, it } from 'vitest';
import { sha256 } from '../hash.ts';
import type { ConformanceContext } from './conformance-context.ts';
import { uniqueId } from './samples.ts';

const sample = (createdAt: number): HookRecord => ({
  ...{
    id: uniqueId('hook'),
    title: 'From the tracker',
    documentId: 'sum',
    revision: 'published',
    inputs: { rows: 4 },
    open: ['rows'],
  },
  ...{ count: 2, window: 8, budget: { usd: null, tokens: 100 }, perMinute: 30, by: 'ann', createdAt },
});

export function hookConformance({ pair }: ConformanceContext): void {
  it('finds a hook by its id and by the hash of its newest token', async () => {
    const { one, two } = pair();
    const [old, recent] = [sample(8e12), sample(9e12)];
    const [first, second] = [sha256(uniqueId('token')), sha256(uniqueId('token'))];
    await one.meta.saveHook(old, sha256(uniqueId('token')));
    await one.meta.saveHook(recent, first);
    expect(await two.meta.findHook({ tokenHash: first })).toEqual(recent);
    await two.meta.saveHook(recent, second);
    expect(await one.meta.findHook({ tokenHash: first })).toBeNull();
    expect(await one.meta.findHook({ tokenHash: second })).toEqual(recent);
    expect(await one.meta.listHooks(2)).toEqual([recent, old]);
    await one.meta.deleteHook(recent.id);
    expect(await two.meta.findHook({ id: recent.id })).toBeNull();
    expect(await two.meta.findHook({ id: old.id })).toEqual(old);
  });
}
