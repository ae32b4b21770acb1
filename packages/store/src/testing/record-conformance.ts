import type { MetaStore } from '@cua-forge/spec/store-port';
import { expect, it } from 'vitest';
import { sha256 } from '../hash.ts';
import type { ConformanceContext } from './conformance-context.ts';
import { sampleBatch, samplePackage, sampleRun, uniqueId } from './samples.ts';

const idsOf = (records: { id: string }[]): string[] => records.map(({ id }) => id);

export function recordConformance({ pair }: ConformanceContext): void {
  it('saves documents by revision and keeps the old ones by hash', async () => {
    const { one, two } = pair();
    const id = uniqueId('document');
    const [first, second] = [sha256(`${id} 1`), sha256(`${id} 2`)];
    const created = await one.meta.saveDocument(id, 'Sales', 'nodes: []', first, null, 10);
    expect(created).toEqual({ id, title: 'Sales', revision: 1, hash: first, source: 'nodes: []', updatedAt: 10 });
    const saved = await two.meta.saveDocument(id, 'Sales of March', 'nodes: [a]', second, 1, 20);
    expect(await one.meta.getDocument(id)).toEqual(saved);
    expect(saved.revision).toBe(2);
    expect(await two.meta.getDocumentVersion(first)).toEqual(created);
    expect((await one.meta.listDocuments()).filter((document) => document.id === id)).toEqual([saved]);
    expect(await one.meta.getDocument(uniqueId('document'))).toBeNull();
    expect(await one.meta.getDocumentVersion(sha256(uniqueId('none')))).toBeNull();
  });

  it('lists the revisions of a document, newest first, page by page, and gives each as it was', async () => {
    const { one, two } = pair();
    const id = uniqueId('document');
    const saved = [];
    for (let at = 0; at < 3; at += 1)
      saved.push(await one.meta.saveDocument(id, `Title ${at}`, `# ${at}`, sha256(`${id} ${at}`), at || null, at));
    await one.meta.saveDocument(uniqueId('document'), 'Other', '', sha256('other'), null, 9);
    expect(await two.meta.listDocumentRevisions(id)).toEqual(saved.toReversed());
    expect(await two.meta.listDocumentRevisions(id, { limit: 2 })).toEqual([saved[2], saved[1]]);
    expect(await two.meta.listDocumentRevisions(id, { before: 2 })).toEqual([saved[0]]);
    expect(await two.meta.getDocumentRevision(id, 2)).toEqual(saved[1]);
    expect(await two.meta.getDocumentRevision(id, 4)).toBeNull();
    expect(await two.meta.listDocumentRevisions(uniqueId('none'))).toEqual([]);
  });

  it('refuses a save over another revision', async () => {
    const { one } = pair();
    const id = uniqueId('document');
    const save = (expected: number | null) => one.meta.saveDocument(id, 'Sales', '', sha256(id), expected, 10);
    await expect(save(1)).rejects.toMatchObject({ code: 'document.conflict', message: expect.stringContaining(id) });
    await save(null);
    await save(1);
    await expect(save(null)).rejects.toMatchObject({ code: 'document.conflict' });
    await expect(save(1)).rejects.toMatchObject({
      code: 'document.conflict',
      message: expect.stringContaining('revision 2'),
      fix: expect.any(String),
    });
  });

  it('lets one of two editors win', async () => {
    const { one, two } = pair();
    const id = uniqueId('document');
    await one.meta.saveDocument(id, 'Sales', '', sha256(id), null, 10);
    const saves = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : two).meta.saveDocument(id, `Editor ${index}`, '', sha256(id), 1, 20),
      ),
    );
    const won = saves.filter((save) => save.status === 'fulfilled');
    expect(won).toHaveLength(1);
    expect(await two.meta.getDocument(id)).toEqual(won[0]?.value);
  });

  it('creates a run once and changes it', async () => {
    const { one, two } = pair();
    const run = sampleRun({
      inputs: { workbook: { hash: sha256('workbook'), size: 8, media: 'text/csv' } },
      selection: { mode: 'from', node: 'draft' },
      edits: { draft: { params: sha256('edited') } },
    });
    await one.meta.createRun(run);
    await two.meta.createRun({ ...run, title: 'again' });
    expect(await two.meta.getRun(run.id)).toEqual(run);
    const failure = { code: 'gate.rejected' as const, message: 'no total', place: { node: 'check' } };
    await two.meta.updateRun(run.id, { state: 'failed', failure, epoch: 2, endedAt: 99 });
    expect(await one.meta.getRun(run.id)).toEqual({ ...run, state: 'failed', failure, epoch: 2, endedAt: 99 });
    await one.meta.updateRun(run.id, { state: 'running', failure: null, endedAt: null });
    expect(await two.meta.getRun(run.id)).toEqual({ ...run, state: 'running', epoch: 2 });
    expect(await one.meta.getRun(uniqueId('run'))).toBeNull();
    await expect(one.meta.updateRun('nobody', { state: 'failed' })).rejects.toMatchObject({ code: 'run.not-found' });
  });

  it('counts the runs of a batch by state and failure', async () => {
    const { one, two } = pair();
    const batchId = uniqueId('batch');
    const failure = { code: 'gate.rejected' as const, message: 'no total' };
    for (const state of ['succeeded', 'succeeded', 'running'] as const) {
      await one.meta.createRun(sampleRun({ batchId, state }));
    }
    await one.meta.createRun(sampleRun({ batchId, state: 'failed', failure }));
    await one.meta.createRun(sampleRun({ batchId: uniqueId('batch'), state: 'failed' }));
    const counts = await two.meta.countRuns({ batchId });
    expect(counts).toHaveLength(3);
    expect(counts).toEqual(
      expect.arrayContaining([
        { state: 'succeeded', failureCode: null, count: 2 },
        { state: 'running', failureCode: null, count: 1 },
        { state: 'failed', failureCode: 'gate.rejected', count: 1 },
      ]),
    );
    expect(await two.meta.countRuns({ batchId: uniqueId('batch') })).toEqual([]);
  });

  it('loses none of the changes that two connections make to one run at once', async () => {
    const { one, two } = pair();
    const run = sampleRun();
    await one.meta.createRun(run);
    await Promise.all([
      one.meta.updateRun(run.id, { state: 'running' }),
      two.meta.updateRun(run.id, { epoch: 3 }),
      one.meta.updateRun(run.id, { startedAt: 5 }),
    ]);
    expect(await two.meta.getRun(run.id)).toEqual({ ...run, state: 'running', epoch: 3, startedAt: 5 });
  });

  it('lists runs newest first, by filter and page by page', async () => {
    const { one } = pair();
    const [documentId, batchId] = [uniqueId('document'), uniqueId('batch')];
    const times = [10, 30, 20, 20, 40];
    const runs = times.map((createdAt, index) => sampleRun({ id: `${documentId}-${index}`, documentId, createdAt }));
    for (const [index, run] of runs.entries())
      await one.meta.createRun({ ...run, batchId: index < 2 ? batchId : null });
    const list = async (filter: Partial<Parameters<MetaStore['listRuns']>[0]>) =>
      idsOf(await one.meta.listRuns({ documentId, limit: 10, ...filter }))
        .map((id) => id.slice(-1))
        .join('');
    expect(await list({})).toBe('41320');
    expect(await list({ limit: 2 })).toBe('41');
    expect(await list({ limit: 1, before: { createdAt: 20, id: `${documentId}-3` } })).toBe('2');
    expect(await list({ before: { createdAt: 20, id: `${documentId}-2` } })).toBe('0');
    expect(await list({ batchId })).toBe('10');
    const fail = (index: number, code: 'gate.rejected' | 'model.timeout') =>
      one.meta.updateRun(`${documentId}-${index}`, { state: 'failed', failure: { code, message: 'it failed' } });
    await fail(1, 'gate.rejected');
    await fail(3, 'model.timeout');
    expect(await list({ state: 'failed' })).toBe('13');
    expect(await list({ failureCode: 'model.timeout' })).toBe('3');
    expect(await list({ failureCode: 'gate.rejected', batchId, state: 'failed' })).toBe('1');
  });

  it('keeps packages, the newest of an id', async () => {
    const { one, two } = pair();
    const [runId, batchId, skill] = [uniqueId('run'), uniqueId('batch'), uniqueId('skill')];
    const old = samplePackage({ runId, skill, createdAt: 1 });
    const recent = samplePackage({ batchId, skill, createdAt: 2 });
    for (const record of [old, recent, recent]) await one.meta.addPackage(record);
    await two.meta.addPackage({ ...old, title: 'Made again' });
    expect(await one.meta.getPackage(old.id)).toEqual({ ...old, title: 'Made again' });
    expect(await one.meta.getPackage(uniqueId('package'))).toBeNull();
    expect(idsOf(await two.meta.listPackages({ skill, limit: 5 }))).toEqual([recent.id, old.id]);
    expect(idsOf(await two.meta.listPackages({ skill, limit: 1 }))).toEqual([recent.id]);
    expect(idsOf(await two.meta.listPackages({ runId, limit: 5 }))).toEqual([old.id]);
    expect(idsOf(await two.meta.listPackages({ batchId, limit: 5 }))).toEqual([recent.id]);
  });

  it('keeps batches', async () => {
    const { one, two } = pair();
    const [older, newer] = [sampleBatch({ createdAt: 1e12 }), sampleBatch({ createdAt: 2e12 })];
    for (const batch of [newer, older, { ...older, count: 99 }]) await one.meta.createBatch(batch);
    expect(await two.meta.getBatch(older.id)).toEqual(older);
    await two.meta.updateBatch(older.id, { state: 'succeeded', endedAt: 7 });
    expect(await one.meta.getBatch(older.id)).toEqual({ ...older, state: 'succeeded', endedAt: 7 });
    expect(idsOf(await one.meta.listBatches(2))).toEqual([newer.id, older.id]);
    expect(await one.meta.getBatch(uniqueId('batch'))).toBeNull();
    await expect(one.meta.updateBatch('nobody', {})).rejects.toMatchObject({ code: 'not-found' });
  });

  it('pins, replaces and unpins outputs', async () => {
    const { one, two } = pair();
    const documentId = uniqueId('document');
    const [text, other] = [
      { hash: sha256('text'), size: 4 },
      { hash: sha256('other'), size: 5 },
    ];
    await one.meta.setPin(documentId, 'draft', { text });
    await one.meta.setPin(documentId, '__proto__', { text });
    await two.meta.setPin(documentId, 'draft', { text: other });
    expect(Object.entries(await one.meta.listPins(documentId))).toEqual([
      ['__proto__', { text }],
      ['draft', { text: other }],
    ]);
    await one.meta.setPin(documentId, 'draft', null);
    await one.meta.setPin(documentId, '__proto__', null);
    await one.meta.setPin(documentId, 'draft', null);
    expect(await two.meta.listPins(documentId)).toEqual({});
  });
}
