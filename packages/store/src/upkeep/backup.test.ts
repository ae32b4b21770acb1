import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Store } from '@cua-forge/spec/store-port';
import type { BackupReport } from '@cua-forge/spec/upkeep';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openParts, openStore } from '../open-store.ts';
import { type StoreSettings, storeSettings } from '../store-settings.ts';
import { type PostgresServer, startPostgres } from '../testing/postgres-server.ts';
import { type S3Server, startS3 } from '../testing/s3-server.ts';
import {
  artifactOf,
  refTo,
  sampleBatch,
  sampleBytes,
  sampleCall,
  sampleOutcome,
  samplePackage,
  sampleRun,
  sampleView,
} from '../testing/samples.ts';
import { writeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';
import { pageOf, storeTables } from './store-tables.ts';

let postgres: PostgresServer;
let s3: S3Server;
let folder = '';
let places = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-backup-'));
  [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  Object.assign(process.env, s3.credentials);
});
afterAll(async () => {
  await Promise.all([postgres.stop(), s3.stop()]);
  await rm(folder, { recursive: true, force: true });
});

const freshFolder = async (): Promise<StoreSettings> => ({ folder: join(folder, `store-${places++}`) });
const freshPostgres = async (): Promise<StoreSettings> => {
  const artifacts = s3.address.replace('/store', `/place-${places++}`);
  return storeSettings({ DATABASE_URL: await postgres.createDatabase(), FORGE_ARTIFACTS: artifacts }, 'unused');
};

async function backUp(settings: StoreSettings): Promise<{ tar: Buffer; report: BackupReport }> {
  const parts = await openParts(settings);
  const out = new PassThrough();
  const [tar, report] = await Promise.all([buffer(out), writeBackup(parts, out, { now: () => 1 })]);
  await parts.connection.close();
  return { tar, report };
}

/** Every row of every table, in order. */
async function everything(settings: StoreSettings): Promise<Record<string, unknown[]>> {
  const { connection } = await openParts(settings);
  const tables: Record<string, unknown[]> = {};
  for (const table of await storeTables()) {
    const { rows } = await connection.read(() => pageOf(table, null, 10_000));
    tables[table.name] = rows.map((row) => table.columns.map(({ name }) => row[name]));
  }
  await connection.close();
  return tables;
}

async function fill(settings: StoreSettings): Promise<{ hashes: string[]; runId: string }> {
  const store = await openStore(settings);
  const { meta, artifacts } = store;
  const [small, large] = [artifactOf(sampleBytes(300)), artifactOf(sampleBytes(900_000))];
  const odd = artifactOf(Buffer.from([0, 255, 10, 13, 34]));
  for (const { bytes } of [large, odd]) await artifacts.put(bytes);
  await meta.saveDocument('document', 'Ümlaut "quoted"', 'a: |\n  two\n  lines\n', odd.hash, null, 1);
  await meta.saveDocument('document', 'Second', 'b: 1', small.hash, 1, 2);
  const run = sampleRun({ state: 'succeeded' });
  const outcomes = [10, 10, 10].map((endedAt, index) =>
    sampleOutcome({
      runId: run.id,
      token: 3 - index,
      endedAt,
      memoKey: 'same',
      title: `T${index}\u0000\ud83d`,
      outputs: { text: refTo(small) },
    }),
  );
  await meta.createRun(run);
  for (const outcome of outcomes)
    await meta.commitOutcome(outcome, [small], [sampleCall({ runId: run.id, token: outcome.token })]);
  await meta.saveNodeViews([sampleView({ runId: run.id })]);
  await meta.addEvents([{ runId: run.id, type: 'log', data: { text: 'line\n"two"' }, at: 5, dedupe: 'x' }]);
  const made = samplePackage({ runId: run.id, value: refTo(large) });
  await meta.addPackage(made);
  const verdict = { packageId: made.id, verdict: 'rejected', reason: 'other', note: 'odd', by: 'ann', at: 7 } as const;
  await meta.reviewPackages([verdict]);
  await meta.createBatch(sampleBatch());
  await meta.setPin('document', 'draft', { text: refTo(small) });
  await meta.close();
  return { hashes: [small.hash, large.hash, odd.hash], runId: run.id };
}

async function expectToGoOn(settings: StoreSettings, runId: string, hashes: readonly string[]): Promise<void> {
  const store: Store = await openStore(settings);
  const [rejected] = await store.meta.listPackages({ verdicts: ['rejected'], limit: 5 });
  expect(await store.meta.reviewsOf([rejected?.id ?? ''])).toMatchObject([{ note: 'odd', by: 'ann' }]);
  for (const hash of hashes) expect(await store.artifacts.verify(hash)).toBe(true);
  const last = await store.meta.lastEventId();
  await store.meta.addEvents([{ runId, type: 'log', data: 'next', at: 6 }]);
  expect(await store.meta.lastEventId()).toBe(last + 1);
  expect(await store.meta.findMemo('same')).toMatchObject({ token: 1 });
  const newer = sampleOutcome({ memoKey: 'same', endedAt: 10 });
  await store.meta.commitOutcome(newer, []);
  expect(await store.meta.findMemo('same')).toEqual(newer);
  await store.meta.close();
}

describe('backup and restore', { timeout: 60_000 }, () => {
  it('carries everything from SQLite and files to Postgres and a bucket, and back', async () => {
    const [start, middle, end] = [await freshFolder(), await freshPostgres(), await freshFolder()];
    const { hashes, runId } = await fill(start);
    const first = await backUp(start);
    expect(first.report).toMatchObject({ artifacts: 1, damaged: [] });
    expect(await restoreBackup(Readable.from([first.tar]), middle)).toEqual(first.report);
    expect(await everything(middle)).toEqual(await everything(start));
    const second = await backUp(middle);
    expect(second.tar.equals(first.tar)).toBe(true);
    await restoreBackup(Readable.from([second.tar]), end);
    expect(await everything(end)).toEqual(await everything(start));
    await expectToGoOn(middle, runId, hashes);
    await expectToGoOn(end, runId, hashes);
  });

  it.each([
    ['a folder', freshFolder],
    ['Postgres', freshPostgres],
  ])('is consistent while others write (%s)', async (_, fresh) => {
    const settings = await fresh();
    const store = await openStore(settings);
    let writing = true;
    let written = 0;
    const runId = 'written';
    const write = async (): Promise<void> => {
      for (let token = 1; writing; token += 1) {
        const large = artifactOf(sampleBytes(20_000));
        const outcome = sampleOutcome({ runId, token, outputs: { file: refTo(large) } });
        await store.meta.commitOutcome(outcome, [large], [sampleCall({ runId, token })]);
        written = token;
      }
    };
    const writer = write();
    const backups: Buffer[] = [];
    while (backups.length < 3) {
      const enough = written + 5;
      await vi.waitFor(() => expect(written).toBeGreaterThan(enough), { timeout: 20_000, interval: 5 });
      backups.push((await backUp(settings)).tar);
    }
    writing = false;
    await writer;
    await store.meta.close();
    let before = 0;
    for (const tar of backups) {
      const copy = await freshFolder();
      await restoreBackup(Readable.from([tar]), copy);
      const restored = await openStore(copy);
      const outcomes = await restored.meta.listOutcomes(runId);
      expect(await restored.meta.listEvents({ after: 0, runId, limit: 10_000 })).toHaveLength(outcomes.length);
      expect(await restored.meta.listModelCalls(runId)).toHaveLength(outcomes.length);
      for (const { outputs } of outcomes) expect(await restored.artifacts.verify(outputs.file?.hash ?? '')).toBe(true);
      expect(outcomes.length).toBeGreaterThan(before);
      before = outcomes.length;
      await restored.meta.close();
    }
  });

  it('refuses a store that is not empty, and leaves it as it is', async () => {
    const [source, target] = [await freshFolder(), await freshPostgres()];
    await fill(source);
    const { runId } = await fill(target);
    const { tar } = await backUp(source);
    await expect(restoreBackup(Readable.from([tar]), target)).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining('not empty'),
    });
    const store = await openStore(target);
    expect((await store.meta.listRuns({ limit: 5 })).map(({ id }) => id)).toEqual([runId]);
    await store.meta.close();
  });

  it('restores nothing from a backup that is damaged, cut off, newer or none, and can be tried again', async () => {
    const source = await freshFolder();
    const { hashes, runId } = await fill(source);
    const { tar } = await backUp(source);
    const changed = (find: string, by: string): Buffer => {
      const copy = Buffer.from(tar);
      const at = copy.indexOf(find);
      expect(at).toBeGreaterThan(0);
      copy.write(by, at);
      return copy;
    };
    const cases: [Buffer, RegExp][] = [
      [changed('"Second"', '"Sekond"'), /no longer has its hash/],
      [changed('bytes-', 'bytez-'), /no longer has its hash/],
      [tar.subarray(0, tar.byteLength / 2), /cut off|end of data/i],
      [tar.subarray(0, 512), /manifest|end of data/i],
      [Buffer.from('this is no tar'.repeat(100)), /whole backup/],
      [changed('0003-collection', '9999-collection'), /newer version/],
    ];
    for (const fresh of [freshFolder, freshPostgres]) {
      const target = await fresh();
      for (const [bytes, message] of cases) {
        await expect(restoreBackup(Readable.from([bytes]), target)).rejects.toMatchObject({
          code: 'input.invalid',
          message: expect.stringMatching(message),
        });
      }
      await restoreBackup(Readable.from([tar]), target);
      await expectToGoOn(target, runId, hashes);
    }
  });

  it('says which artifacts are damaged and leaves them out', async () => {
    const settings = await freshFolder();
    const { hashes } = await fill(settings);
    const [, large = ''] = hashes;
    const { connection, blobs } = await openParts(settings);
    await blobs.delete([large]);
    await blobs.put(large, sampleBytes(50_000));
    await connection.close();
    expect((await backUp(settings)).report).toMatchObject({ artifacts: 0, damaged: [large] });
  });
});

it('every table has a key, and columns that every database has', async () => {
  for (const table of await storeTables()) expect(table.key.length, table.name).toBeGreaterThan(0);
});
