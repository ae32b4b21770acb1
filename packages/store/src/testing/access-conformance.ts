import { expect, it } from 'vitest';
import { sha256 } from '../hash.ts';
import type { ConformanceContext } from './conformance-context.ts';
import { sampleBatch, samplePackage, uniqueId } from './samples.ts';

export function accessConformance({ pair }: ConformanceContext): void {
  it('keeps the audit trail in order and answers by user, action and target', async () => {
    const { one, two } = pair();
    const [ann, ben, run] = [uniqueId('ann'), uniqueId('ben'), uniqueId('run')];
    await one.meta.addAudit({ at: 5, user: ann, action: 'run.start', target: run, detail: 'seed=3' });
    await two.meta.addAudit({ at: 6, user: ben, action: 'run.approve', target: run, detail: '' });
    await one.meta.addAudit({ at: 7, user: ann, action: 'document.save', target: 'sales', detail: '' });
    const entries = await two.meta.listAudit({ target: run, limit: 10 });
    expect(entries.map(({ id: _, ...entry }) => entry)).toEqual([
      { at: 6, user: ben, action: 'run.approve', target: run, detail: '' },
      { at: 5, user: ann, action: 'run.start', target: run, detail: 'seed=3' },
    ]);
    expect(await one.meta.listAudit({ target: run, before: entries[0]?.id ?? 0, limit: 10 })).toEqual([entries[1]]);
    expect((await one.meta.listAudit({ user: ann, limit: 1 })).map(({ target }) => target)).toEqual(['sales']);
    expect(await one.meta.listAudit({ user: ann, action: 'run.start', limit: 10 })).toEqual([entries[1]]);
  });

  it('keeps the first answer of a key', async () => {
    const { one, two } = pair();
    const key = uniqueId('key');
    expect(await one.meta.keptAnswer(key)).toBeNull();
    const kept = await Promise.all([
      one.meta.keepAnswer(key, { bodyHash: 'a', answer: '{"id":"r1"}' }, 1),
      two.meta.keepAnswer(key, { bodyHash: 'b', answer: '{"id":"r2"}' }, 1),
    ]);
    expect(kept[0]).toEqual(kept[1]);
    expect(await two.meta.keptAnswer(key)).toEqual(kept[0]);
  });

  it('lists documents, batches and packages page by page', async () => {
    const { one, two } = pair();
    const title = uniqueId('Paged');
    const ids = [uniqueId('paged'), uniqueId('paged'), uniqueId('paged')].sort();
    for (const id of ids) await one.meta.saveDocument(id, title, '', sha256(id), null, 1);
    const second = await two.meta.listDocuments({ after: { title, id: ids[0] ?? '' }, limit: 2 });
    expect(second.map(({ id }) => id)).toEqual(ids.slice(1));

    const at = 9_000_000_000_000;
    const batches = [at + 2, at + 1, at].map((createdAt) => sampleBatch({ createdAt }));
    for (const batch of batches) await one.meta.createBatch(batch);
    const [newest] = batches;
    const older = await two.meta.listBatches(2, { createdAt: at + 2, id: newest?.id ?? '' });
    expect(older.map(({ id }) => id)).toEqual(batches.slice(1).map(({ id }) => id));

    const skill = uniqueId('skill');
    const packages = [at, at, at].map((createdAt) => samplePackage({ createdAt, skill }));
    for (const record of packages) await one.meta.addPackage(record);
    const all = await two.meta.listPackages({ skill, limit: 3 });
    const rest = await two.meta.listPackages({ skill, limit: 3, before: { createdAt: at, id: all[0]?.id ?? '' } });
    expect(rest).toEqual(all.slice(1));
  });
}
