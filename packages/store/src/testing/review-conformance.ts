import type { NewPackageReview } from '@cua-forge/spec/review';
import { expect, it } from 'vitest';
import type { ConformanceContext } from './conformance-context.ts';
import { samplePackage, uniqueId } from './samples.ts';

const review = (packageId: string, change: Partial<NewPackageReview> = {}): NewPackageReview => ({
  packageId,
  verdict: 'accepted',
  reason: null,
  note: '',
  by: 'ann',
  at: 5,
  ...change,
});
const rejected = { verdict: 'rejected', reason: 'unclear', note: 'which column?' } as const;

export function reviewConformance({ pair }: ConformanceContext): void {
  const three = async (skill: string): Promise<string[]> => {
    const records = [1, 2, 3].map((createdAt) => samplePackage({ skill, createdAt }));
    for (const record of records) await pair().one.meta.addPackage(record);
    return records.map(({ id }) => id);
  };

  it('keeps the newest verdict of each package, and all before it as history', async () => {
    const { one, two } = pair();
    const skill = uniqueId('skill');
    const [first = '', second = '', third = ''] = await three(skill);
    const kept = await one.meta.reviewPackages([review(first), review(second, rejected)]);
    expect(kept).toMatchObject([review(first), review(second, rejected)]);
    const changed = await two.meta.reviewPackages([review(first, { ...rejected, by: 'ben', at: 9 })]);
    expect(changed[0]?.id).toBeGreaterThan(kept[1]?.id ?? 0);
    expect(await one.meta.listReviews(first)).toEqual([changed[0], kept[0]]);
    expect(await one.meta.listReviews(third)).toEqual([]);
    const holding = await two.meta.reviewsOf([first, second, third]);
    expect(holding.toSorted((a, b) => a.id - b.id)).toEqual([kept[1], changed[0]]);
  });

  it('adds nothing when the same person says the same again', async () => {
    const { one, two } = pair();
    const [first = '', second = ''] = await three(uniqueId('skill'));
    const kept = await one.meta.reviewPackages([review(first), review(second)]);
    expect(await two.meta.reviewPackages([review(first, { at: 99 }), review(second, { at: 99 })])).toEqual(kept);
    expect(await one.meta.listReviews(first)).toHaveLength(1);
    await one.meta.reviewPackages([review(first, { by: 'ben' })]);
    expect(await one.meta.listReviews(first)).toHaveLength(2);
  });

  it('keeps all verdicts of one call or none, and names the packages that are not there', async () => {
    const { one } = pair();
    const [first = ''] = await three(uniqueId('skill'));
    const none = uniqueId('none');
    await expect(one.meta.reviewPackages([review(first), review(none)])).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining(none),
    });
    expect(await one.meta.listReviews(first)).toEqual([]);
  });

  it('lists packages by verdict, newest first, and counts them by reason', async () => {
    const { one, two } = pair();
    const skill = uniqueId('skill');
    const [first = '', second = '', third = ''] = await three(skill);
    await one.meta.reviewPackages([review(first), review(second, rejected)]);
    const list = async (verdicts: NewPackageReview['verdict'][], limit = 9) =>
      (await two.meta.listPackages({ skill, verdicts, limit })).map(({ id }) => id);
    expect(await list(['unreviewed'])).toEqual([third]);
    expect(await list(['accepted', 'unreviewed'])).toEqual([third, first]);
    expect(await list(['rejected'])).toEqual([second]);
    expect(await two.meta.countReviews({ skill })).toEqual([
      { skill, verdict: 'accepted', reason: null, count: 1 },
      { skill, verdict: 'rejected', reason: 'unclear', count: 1 },
      { skill, verdict: 'unreviewed', reason: null, count: 1 },
    ]);
    await one.meta.reviewPackages([review(second, { verdict: 'unreviewed' })]);
    expect(await list(['rejected'])).toEqual([]);
    expect(await list(['unreviewed'])).toEqual([third, second]);
    expect(await two.meta.countReviews({ skill })).toEqual([
      { skill, verdict: 'accepted', reason: null, count: 1 },
      { skill, verdict: 'unreviewed', reason: null, count: 2 },
    ]);
  });

  it('keeps the verdict of a package that is made again', async () => {
    const { one } = pair();
    const record = samplePackage();
    await one.meta.addPackage(record);
    await one.meta.reviewPackages([review(record.id, rejected)]);
    await one.meta.addPackage({ ...record, title: 'Made again' });
    expect(await one.meta.reviewsOf([record.id])).toMatchObject([rejected]);
    expect(await one.meta.listPackages({ skill: record.skill, verdicts: ['rejected'], limit: 500 })).toContainEqual({
      ...record,
      title: 'Made again',
    });
  });

  it('counts the verdicts of one batch', async () => {
    const { one } = pair();
    const [skill, batchId] = [uniqueId('skill'), uniqueId('batch')];
    const [inBatch, alone] = [samplePackage({ skill, batchId }), samplePackage({ skill })];
    for (const record of [inBatch, alone]) await one.meta.addPackage(record);
    await one.meta.reviewPackages([inBatch, alone].map(({ id }) => review(id)));
    expect(await one.meta.countReviews({ batchId })).toEqual([{ skill, verdict: 'accepted', reason: null, count: 1 }]);
  });
}
