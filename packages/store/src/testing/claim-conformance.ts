import type { NewClaim } from '@cua-forge/spec/store-port';
import { expect, it } from 'vitest';
import { sha256 } from '../hash.ts';
import type { ConformanceContext } from './conformance-context.ts';
import { sampleClaim, uniqueId } from './samples.ts';

const signature = (...numbers: number[]): string => Buffer.from(new Uint32Array(numbers).buffer).toString('base64');

export function claimConformance({ pair, open }: ConformanceContext): void {
  const claims = () => {
    const scope = uniqueId('batch');
    return (run: string, value: string, more: Partial<NewClaim> = {}): NewClaim =>
      sampleClaim({ scope, value: sha256(value), runId: run, ...more });
  };

  it('grants a value to the first, and to it again, however often it asks', async () => {
    const { one, two } = pair();
    const claim = claims();
    expect(await one.meta.claim(claim('a', 'x'))).toEqual({ granted: true });
    expect(await two.meta.claim(claim('a', 'x'))).toEqual({ granted: true });
    expect(await two.meta.claim(claim('b', 'x'))).toEqual({
      granted: false,
      alike: 1,
      holder: { runId: 'a', key: 'unique' },
    });
    expect(await two.meta.claim(claim('a', 'x', { key: 'items[1]/unique' }))).toMatchObject({ granted: false });
    expect(await two.meta.claim(claim('b', 'x', { name: 'city' }))).toEqual({ granted: true });
    expect(await two.meta.claim(claim('b', 'x', { scope: uniqueId('batch') }))).toEqual({ granted: true });
  });

  it('gives the old value back when its holder claims another', async () => {
    const { one, two } = pair();
    const claim = claims();
    await one.meta.claim(claim('a', 'x'));
    await one.meta.claim(claim('a', 'y'));
    expect(await two.meta.claim(claim('b', 'x'))).toEqual({ granted: true });
    expect(await two.meta.claim(claim('a', 'x'))).toMatchObject({ granted: false });
    // What was refused changes nothing.
    expect(await two.meta.claim(claim('c', 'y'))).toMatchObject({ granted: false, holder: { runId: 'a' } });
  });

  it('refuses values that are alike, from a share on', async () => {
    const { one, two } = pair();
    const claim = claims();
    const near = (numbers: number[], atLeast: number) => ({ near: { signature: signature(...numbers), atLeast } });
    expect(await one.meta.claim(claim('a', 'x', near([1, 2, 3, 4294967295], 0.75)))).toEqual({ granted: true });
    expect(await two.meta.claim(claim('b', 'y', near([1, 2, 3, 5], 0.75)))).toEqual({
      granted: false,
      alike: 0.75,
      holder: { runId: 'a', key: 'unique' },
    });
    expect(await two.meta.claim(claim('b', 'y', near([1, 2, 3, 5], 0.8)))).toEqual({ granted: true });
    expect(await two.meta.claim(claim('b', 'y', near([1, 2, 3, 5], 0.75)))).toEqual({ granted: true });
    expect(await two.meta.claim(claim('c', 'z', near([4294967295, 3, 2, 1], 0.5)))).toEqual({ granted: true });
    expect(await two.meta.claim(claim('d', 'w', near([1, 2], 0.1)))).toEqual({ granted: true });
  });

  it('lets one of many win, over all connections, also among alike ones', async () => {
    const { one, two } = pair();
    const [equal, alike] = [claims(), claims()];
    const third = await open();
    const stores = [one, two, third];
    const race = (make: (run: string, index: number) => NewClaim) =>
      Promise.all(
        Array.from({ length: 24 }, async (_, index) => stores[index % 3]?.meta.claim(make(`run-${index}`, index))),
      );
    const wins = (answers: Awaited<ReturnType<typeof race>>) =>
      answers.filter((answer) => answer?.granted === true).length;
    expect(wins(await race((run) => equal(run, 'x')))).toBe(1);
    const near = (index: number) => ({ near: { signature: signature(1, 2, 3, index), atLeast: 0.7 } });
    expect(wins(await race((run, index) => alike(run, `x${index}`, near(index))))).toBe(1);
    await third.meta.close();
  });

  it('lists what a run holds', async () => {
    const { one, two } = pair();
    const claim = claims();
    const run = uniqueId('run');
    const held = claim(run, 'x');
    await one.meta.claim(held);
    expect(await two.meta.listClaims(run)).toEqual([
      { scope: held.scope, name: 'customer', key: 'unique', value: held.value },
    ]);
    expect(await two.meta.listClaims(uniqueId('run'))).toEqual([]);
  });
}
