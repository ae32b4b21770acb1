import { expect, it } from 'vitest';
import { sha256 } from '../hash.ts';
import type { ConformanceContext } from './conformance-context.ts';
import { uniqueId } from './samples.ts';

export function publicationConformance({ pair }: ConformanceContext): void {
  it('publishes revisions, and an older one again; the newest publication of a document holds', async () => {
    const { one, two } = pair();
    const [id, other] = [uniqueId('document'), uniqueId('document')];
    for (const [expected, text] of [
      [null, 'a'],
      [1, 'b'],
    ] as const)
      await one.meta.saveDocument(id, 'Sum', text, sha256(text), expected, 5);
    await one.meta.saveDocument(other, 'Other', 'c', sha256('c'), null, 5);
    const wanted = (revision: number) => ({ documentId: id, revision, note: 'first', by: 'ann', at: 9 });
    expect(await two.meta.publicationsOf([id, other])).toEqual([]);
    const first = await one.meta.publish(wanted(2));
    expect(first).toMatchObject(wanted(2));
    expect(await two.meta.publish({ ...wanted(2), by: 'ben' })).toEqual(first);
    const back = await two.meta.publish(wanted(1));
    expect(back.id).toBeGreaterThan(first.id);
    expect(await one.meta.publicationsOf([other, id])).toEqual([back]);
    expect(await one.meta.listPublications(id, 5)).toEqual([back, first]);
    expect(await one.meta.listPublications(id, 1)).toEqual([back]);
    await expect(one.meta.publish(wanted(3))).rejects.toMatchObject({ code: 'not-found' });
  });
}
