import type { Store } from '@cua-forge/spec/store-port';
import type { CollectOptions, CollectReport, Retention } from '@cua-forge/spec/upkeep';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BlobStore } from '../blob-store.ts';
import { sha256 } from '../hash.ts';
import {
  artifactOf,
  refTo,
  sampleBatch,
  sampleBytes,
  sampleCall,
  sampleClaim,
  sampleOutcome,
  samplePackage,
  sampleRun,
  sampleView,
  uniqueId,
} from './samples.ts';

/** Opens a store; `wrap` stands between it and its blobs. */
export type Opener = (wrap?: (blobs: BlobStore) => BlobStore) => Promise<Store>;

const hour = 3_600_000;
const grace = 72 * hour;
const sizes = [300, 40_000];

/** `fresh` makes an empty store and returns what opens connections to it. */
export function collectConformance(name: string, fresh: () => Promise<Opener>): void {
  describe(name, () => {
    let open: Opener;
    let opened: Store[] = [];
    let one: Store;
    let two: Store;
    const connect = async (...args: Parameters<Opener>): Promise<Store> => {
      const store = await open(...args);
      opened.push(store);
      return store;
    };
    beforeEach(async () => {
      open = await fresh();
      [one, two] = [await connect(), await connect()];
    });
    afterEach(async () => {
      vi.useRealTimers();
      await Promise.all(opened.map((store) => store.meta.close()));
      opened = [];
    });

    const collectAt = (store: Store, at: number, more: Partial<CollectOptions> = {}): Promise<CollectReport> =>
      store.upkeep.collect({ retention: {}, graceMs: grace, dryRun: false, now: () => at, ...more });
    /** Stores bytes to which nothing refers and condemns them at time 0. Connections made later have them not in memory. */
    const condemned = async (size: number): Promise<{ hash: string; bytes: Uint8Array }> => {
      const artifact = artifactOf(sampleBytes(size));
      await one.artifacts.put(artifact.bytes);
      expect(await collectAt(one, 0)).toMatchObject({ deleted: 0 });
      return artifact;
    };
    /** Does something once, while a collection is looking for what can be reached. */
    const whileMarking = (work: () => Promise<unknown>) => {
      let going: Promise<unknown> | null = null;
      return {
        onProgress: () => {
          going ??= work();
        },
        done: () => going ?? Promise.reject(new Error('nothing was marked')),
      };
    };
    const isThere = async (hash: string): Promise<boolean> => (await connect()).artifacts.verify(hash);

    it.each(sizes)('deletes %i bytes without a reference after the grace period, and not before', async (size) => {
      const { hash } = await condemned(size);
      expect(await collectAt(one, grace - 1)).toMatchObject({ deleted: 0, waiting: 1, condemned: 0 });
      expect(await collectAt(one, grace)).toMatchObject({ deleted: 1, deletedBytes: size, waiting: 0 });
      expect(await isThere(hash)).toBe(false);
      await one.artifacts.put(sampleBytes(size, 'again'));
      expect(await collectAt(two, 2 * grace)).toMatchObject({ condemned: 1, deleted: 0 });
    });

    it('keeps what a value names, however deep, over rows and blobs', async () => {
      const put = async (value: unknown) => (await one.artifacts.put(Buffer.from(JSON.stringify(value)))).hash;
      const [file, note] = [artifactOf(sampleBytes(90_000)), artifactOf(sampleBytes(100))];
      for (const { bytes } of [file, note]) await one.artifacts.put(bytes);
      const fileValue = { name: 'a.xlsx', mediaType: 'application/x', hash: file.hash, size: 90_000 };
      const inner = await put({ sheet: [{ deep: { file: fileValue } }], filler: 'x'.repeat(9_000) });
      const list = await put([
        { hash: inner, size: 1, index: 3 },
        { study: { value: { hash: note.hash, size: 100 } } },
      ]);
      const lost = await put({ nobody: 'names this', filler: 'y'.repeat(9_000) });
      await one.meta.createRun(sampleRun({ inputs: { list: { hash: list, size: 1 } } }));
      await collectAt(one, 0);
      expect(await collectAt(two, grace)).toMatchObject({ reachable: 4, deleted: 1 });
      for (const hash of [file.hash, note.hash, inner, list]) expect(await isThere(hash)).toBe(true);
      expect(await isThere(lost)).toBe(false);
    });

    it('keeps what documents in all versions, runs, outcomes, calls, packages, pins and batches name', async () => {
      const refs = await Promise.all(
        Array.from({ length: 9 }, async () => {
          const artifact = artifactOf(sampleBytes(200));
          await one.artifacts.put(artifact.bytes);
          return refTo(artifact);
        }),
      );
      const [first, second, plan, output, prompt, value, pin, input, params] = refs;
      if (!first || !second || !plan || !output || !prompt || !value || !pin || !input || !params)
        throw new Error('nine');
      await one.meta.saveDocument('document', 'Sales', `file: ${first.hash}`, second.hash, null, 1);
      await one.meta.saveDocument('document', 'Sales', 'no file', sha256('no artifact'), 1, 2);
      const run = sampleRun({ planHash: plan.hash });
      await one.meta.createRun(run);
      await one.meta.commitOutcome(
        sampleOutcome({ runId: run.id, params: params.hash, outputs: { text: output } }),
        [],
      );
      await one.meta.addModelCall(sampleCall({ runId: run.id, prompt }));
      await one.meta.addPackage(samplePackage({ value }));
      await one.meta.setPin('document', 'draft', { text: pin });
      const batch = sampleBatch();
      const parts = batch.parts.map((part) => ({ ...part, inputs: { list: input } }));
      await one.meta.createBatch({ ...batch, parts });
      await collectAt(one, 0);
      expect(await collectAt(one, grace)).toMatchObject({ reachable: 9, deleted: 0, condemned: 0 });
    });

    it.each(sizes)('rescues %i condemned bytes that are stored again while it marks', async (size) => {
      const { hash, bytes } = await condemned(size);
      const { onProgress, done } = whileMarking(() => two.artifacts.put(bytes));
      await one.meta.createRun(sampleRun());
      const report = await collectAt(one, grace, { onProgress });
      await done();
      await two.meta.createRun(sampleRun({ inputs: { text: { hash, size } } }));
      expect(await isThere(hash)).toBe(true);
      expect(report.deleted).toBeLessThanOrEqual(1);
      expect(await collectAt(one, 3 * grace)).toMatchObject({ deleted: 0 });
      expect(await isThere(hash)).toBe(true);
    });

    it.each(sizes)('rescues %i condemned bytes that are committed again with an outcome', async (size) => {
      const artifact = await condemned(size);
      const outcome = sampleOutcome({ outputs: { text: refTo(artifact) } });
      await two.meta.commitOutcome(outcome, [artifact]);
      expect(await collectAt(one, grace)).toMatchObject({ deleted: 0 });
      expect(await isThere(artifact.hash)).toBe(true);
    });

    it.each(sizes)('rescues %i condemned bytes that something refers to again', async (size) => {
      const { hash } = await condemned(size);
      await two.meta.createRun(sampleRun({ inputs: { text: { hash, size } } }));
      expect(await collectAt(one, grace)).toMatchObject({ deleted: 0, rescued: 1, reachable: 1 });
      expect(await collectAt(one, 2 * grace)).toMatchObject({ deleted: 0, waiting: 0 });
      expect(await isThere(hash)).toBe(true);
    });

    it.each(sizes)('spares %i condemned bytes that a reader with an old reference uses meanwhile', async (size) => {
      const { hash, bytes } = await condemned(size);
      const reader = await connect();
      expect(Buffer.compare(await reader.artifacts.get(hash), bytes)).toBe(0);
      expect(await collectAt(one, grace)).toMatchObject({ deleted: 0, condemned: 1 });
      await reader.meta.createRun(sampleRun({ inputs: { text: { hash, size } } }));
      expect(await collectAt(one, 2 * grace)).toMatchObject({ deleted: 0, rescued: 1 });
      expect(await isThere(hash)).toBe(true);
    });

    it.each(sizes)('spares %i condemned bytes that somebody asked for', async (size) => {
      const { hash } = await condemned(size);
      expect(await two.artifacts.has(hash)).toBe(true);
      expect(await collectAt(one, grace)).toMatchObject({ deleted: 0, condemned: 1 });
    });

    it('lets one of two collectors work', async () => {
      await condemned(300);
      await condemned(40_000);
      const results = await Promise.allSettled([collectAt(one, grace), collectAt(two, grace)]);
      const reports = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
      const refusals = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
      expect(reports.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(2);
      for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'store.busy' });
      expect(reports.length).toBeGreaterThanOrEqual(1);

      let meeting: Promise<unknown> = Promise.resolve();
      const { onProgress } = whileMarking(() => {
        meeting = collectAt(two, grace).catch((error: unknown) => error);
        return meeting;
      });
      await one.meta.createRun(sampleRun());
      let going = true;
      const slow = collectAt(one, grace, {
        onProgress: () => {
          if (going) onProgress();
          going = false;
        },
      });
      await slow;
      expect(await meeting).toMatchObject({ code: 'store.busy' });
    });

    it('goes on where a collector died that had begun to delete, and stores such bytes again', async () => {
      const [lost, wanted] = [await condemned(40_000), await condemned(40_000)];
      const dying = await connect((blobs) => faulty(blobs, { delete: () => Promise.reject(new Error('killed')) }));
      await expect(collectAt(dying, grace)).rejects.toMatchObject({ message: 'killed' });
      expect(await isThere(lost.hash)).toBe(false);
      expect(await collectAt(one, grace)).toMatchObject({ deleted: 0 });

      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
      await two.artifacts.put(wanted.bytes);
      expect(await collectAt(one, grace)).toMatchObject({ deleted: 1 });
      expect(await isThere(wanted.hash)).toBe(true);
      expect(await isThere(lost.hash)).toBe(false);
      const store = await connect((blobs) => faulty(blobs, { has: () => Promise.reject(new Error('was asked')) }));
      await expect(store.artifacts.has(lost.hash)).rejects.toMatchObject({ message: 'was asked' });
    });

    it('takes over the lease of a collector that died', async () => {
      let holds = false;
      const dying = await connect((blobs) =>
        faulty(blobs, {
          list: () => {
            holds = true;
            return hangs();
          },
        }),
      );
      const hanging = collectAt(dying, 0);
      hanging.catch(() => undefined);
      await vi.waitFor(() => expect(holds).toBe(true), { timeout: 5_000 });
      await expect(collectAt(one, 0)).rejects.toMatchObject({ code: 'store.busy' });
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
      expect(await collectAt(one, 0)).toMatchObject({ deleted: 0 });
    });

    it('stores bytes again only when their deletion is over', async () => {
      const { hash, bytes } = await condemned(40_000);
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let deleting = false;
      const slow = await connect((blobs) =>
        faulty(blobs, {
          delete: async (hashes) => {
            deleting = hashes.includes(hash);
            await held;
            await blobs.delete(hashes);
          },
        }),
      );
      const collecting = collectAt(slow, grace);
      await vi.waitFor(() => expect(deleting).toBe(true));
      let stored = false;
      const putting = two.artifacts.put(bytes).then(() => {
        stored = true;
      });
      expect(await one.artifacts.has(hash)).toBe(false);
      expect(stored).toBe(false);
      release();
      expect(await collecting).toMatchObject({ deleted: 1 });
      await putting;
      expect(await isThere(hash)).toBe(true);
    });

    it('keeps all that a run needs which is started from an old document meanwhile', async () => {
      const document = await condemned(300);
      const plan = await condemned(40_000);
      const id = uniqueId('document');
      await one.meta.saveDocument(id, 'Old', 'nodes: []', document.hash, null, 1);
      await one.meta.saveDocument(id, 'New', 'nodes: [a]', sha256('new'), 1, 2);
      const run = sampleRun({ documentId: id, documentHash: document.hash, planHash: plan.hash });
      const { onProgress, done } = whileMarking(async () => {
        const old = await two.meta.getDocumentVersion(document.hash);
        expect(old?.title).toBe('Old');
        await two.artifacts.put(plan.bytes);
        await two.meta.createRun(run);
      });
      const report = await collectAt(one, grace, { onProgress });
      await done();
      // The plan may be gone before it is stored again; the document, which a version names, never is.
      expect(report.deleted).toBeLessThanOrEqual(1);
      expect(await collectAt(one, 3 * grace)).toMatchObject({ deleted: 0 });
      for (const hash of [document.hash, plan.hash]) expect(await isThere(hash)).toBe(true);
    });

    describe('retention', () => {
      const day = 24 * hour;
      const now = 100 * day;
      const ago = (days: number) => now - days * day;
      const ended = (days: number, change: Parameters<typeof sampleRun>[0] = {}) =>
        sampleRun({ state: 'succeeded', createdAt: ago(days), endedAt: ago(days), ...change });
      const addRun = async (run: ReturnType<typeof sampleRun>): Promise<string> => {
        await one.meta.createRun(run);
        const { id: runId, createdAt: at } = run;
        const prompt = refTo(artifactOf(Buffer.from(`prompt of ${runId}`)));
        await one.artifacts.put(Buffer.from(`prompt of ${runId}`));
        await one.meta.commitOutcome(sampleOutcome({ runId, endedAt: at }), [], [sampleCall({ runId, prompt, at })]);
        await one.meta.saveNodeViews([sampleView({ runId, at })]);
        return runId;
      };
      const collectWith = (retention: Retention, dryRun = false) => collectAt(one, now, { retention, dryRun });
      const left = async () => (await one.meta.listRuns({ limit: 100 })).map(({ id }) => id);

      it('deletes ended runs by age and by number, with all that belongs to them, and says so before', async () => {
        const old = await addRun(ended(40));
        const recent = await addRun(ended(2));
        const open = await addRun(ended(50, { state: 'running', endedAt: null }));
        const record = samplePackage({ runId: old });
        await one.meta.addPackage(record);
        const accepted = {
          packageId: record.id,
          verdict: 'accepted',
          reason: null,
          note: '',
          by: 'ann',
          at: 1,
        } as const;
        const reviews = await one.meta.reviewPackages([accepted]);
        const expected = { runs: 1, events: 0, nodeViews: 0, modelTexts: 0 };
        expect((await collectWith({ runDays: 30 }, true)).pruned).toEqual(expected);
        expect(await left()).toHaveLength(3);
        expect(await collectWith({ runDays: 30 })).toMatchObject({ pruned: expected, condemned: 1 });
        expect((await left()).toSorted()).toEqual([recent, open].toSorted());
        expect(await one.meta.listOutcomes(old)).toEqual([]);
        expect(await one.meta.listNodeViews(old)).toEqual([]);
        expect(await one.meta.listModelCalls(old)).toEqual([]);
        expect(await one.meta.listEvents({ after: 0, runId: old, limit: 10 })).toEqual([]);
        expect(await one.meta.getPackage(record.id)).toEqual(record);
        expect(await one.meta.listReviews(record.id)).toEqual(reviews);

        const newest = await addRun(ended(1));
        await collectWith({ runsPerDocument: 1 });
        expect((await left()).toSorted()).toEqual([newest, open].toSorted());
      });

      it('gives back what deleted runs claimed, but not what a package stands for', async () => {
        const [failed, delivered] = [await addRun(ended(40)), await addRun(ended(41))];
        await one.meta.addPackage(samplePackage({ runId: delivered }));
        const claim = (runId: string, value: string) =>
          one.meta.claim(sampleClaim({ scope: 'skill:pruned', value: sha256(value), runId }));
        for (const [run, value] of [
          [failed, 'x'],
          [delivered, 'y'],
        ] as const)
          expect(await claim(run, value)).toEqual({ granted: true });
        await collectWith({ runDays: 30 });
        expect(await left()).not.toContain(delivered);
        expect(await claim('later', 'x')).toEqual({ granted: true });
        expect(await claim('latest', 'y')).toMatchObject({ granted: false });
      });

      it('keeps runs that others were started from, and those of an open batch', async () => {
        const base = await addRun(ended(60));
        const middle = await addRun(ended(50, { baseRun: base }));
        const top = await addRun(ended(1, { baseRun: middle }));
        const batch = sampleBatch();
        await one.meta.createBatch(batch);
        const item = await addRun(ended(45, { batchId: batch.id }));
        await collectWith({ runDays: 30 });
        expect((await left()).toSorted()).toEqual([base, middle, top, item].toSorted());
        await one.meta.updateBatch(batch.id, { state: 'succeeded' });
        await collectWith({ runDays: 30 });
        expect(await left()).not.toContain(item);
      });

      it('forgets old events, node states and texts of model calls of ended runs', async () => {
        const old = await addRun(ended(40));
        const open = await addRun(ended(50, { state: 'running', endedAt: null }));
        const recent = await addRun(ended(1));
        const last = await one.meta.lastEventId();
        const retention = { eventDays: 30, modelTextDays: 30 };
        const expected = { runs: 0, events: 2, nodeViews: 1, modelTexts: 1 };
        expect((await collectWith(retention, true)).pruned).toEqual(expected);
        const usage = await one.meta.usageOf({ runId: old });
        expect(await collectWith(retention)).toMatchObject({ pruned: expected, condemned: 1 });
        expect(await one.meta.listEvents({ after: 0, runId: old, limit: 10 })).toEqual([]);
        expect(await one.meta.listNodeViews(old)).toEqual([]);
        expect(await one.meta.listModelCalls(old)).toMatchObject([{ prompt: null, response: null }]);
        expect(await one.meta.usageOf({ runId: old })).toEqual(usage);
        for (const runId of [open, recent]) {
          expect(await one.meta.listEvents({ after: 0, runId, limit: 10 })).toHaveLength(2);
          expect(await one.meta.listNodeViews(runId)).toHaveLength(1);
          expect(await one.meta.listModelCalls(runId)).not.toMatchObject([{ prompt: null }]);
        }
        expect(await one.meta.lastEventId()).toBe(last);
        expect((await collectWith(retention)).pruned).toEqual({ runs: 0, events: 0, nodeViews: 0, modelTexts: 0 });
      });

      it('changes nothing in a dry run', async () => {
        const { hash } = await condemned(300);
        const lost = await condemned(40_000);
        const old = await addRun(ended(40));
        const dry = await collectWith({ runDays: 30 }, true);
        expect(dry).toMatchObject({ dryRun: true, deleted: 2, condemned: 1, pruned: { runs: 1 } });
        expect(await left()).toEqual([old]);
        expect(await collectWith({ runDays: 30 })).toEqual({ ...dry, dryRun: false });
        for (const gone of [hash, lost.hash]) expect(await isThere(gone)).toBe(false);
      });
    });
  });
}

const faulty = (blobs: BlobStore, faults: Partial<BlobStore>): BlobStore => ({
  prepare: () => blobs.prepare(),
  put: (hash, bytes) => blobs.put(hash, bytes),
  get: (hash) => blobs.get(hash),
  has: (hash) => blobs.has(hash),
  list: () => blobs.list(),
  delete: (hashes) => blobs.delete(hashes),
  ...faults,
});

async function* hangs(): AsyncGenerator<{ hash: string; size: number }> {
  await new Promise(() => undefined);
}
