import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GraphDocument } from '@cua-forge/spec/document';
import { openStore } from '@cua-forge/store/open-store';
import { type StoreSettings, storeSettings } from '@cua-forge/store/store-settings';
import { type PostgresServer, startPostgres } from '@cua-forge/store/testing/postgres-server';
import { type S3Server, startS3 } from '@cua-forge/store/testing/s3-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { faultDocument, faultDocumentKeys } from '../support/fault-document.ts';
import { countByNode, runIn } from '../support/run-watch.ts';
import { eventually, startServices } from '../support/services.ts';
import { modelAt, slowModel } from '../support/slow-model.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const Made = z.object({ packages: z.array(z.strictObject({ id: z.string(), path: z.string() })) });

let postgres: PostgresServer;
let s3: S3Server;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-postgres-s3-'));
  [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  Object.assign(process.env, s3.credentials);
});
afterAll(async () => {
  await Promise.all([postgres.stop(), s3.stop()]);
  await rm(folder, { recursive: true, force: true });
});

async function freshStore(): Promise<{ env: Record<string, string>; settings: StoreSettings }> {
  const env = { ...s3.credentials, DATABASE_URL: await postgres.createDatabase(), FORGE_ARTIFACTS: s3.address };
  return { env, settings: storeSettings(env, 'unused') };
}

it('makes a task package from a fresh start, with all that is kept in Postgres and the bucket', async () => {
  const { env, settings } = await freshStore();
  const data = join(folder, 'data');
  const out = join(folder, 'packages');
  const args = ['generate', 'calc-monthly-summary', '--count', '1', '--seed', '5', '--out', out, '--json'];
  const { stdout } = await run(process.execPath, [join(root, 'apps/cli/bin/forge.mjs'), ...args], {
    cwd: root,
    env: { ...process.env, ...env, FORGE_DATA: data, FORGE_MODEL_PROVIDER: 'rehearsal' },
    maxBuffer: 10_000_000,
  });
  const { packages } = Made.parse(JSON.parse(stdout));
  expect(packages).toHaveLength(1);
  expect(await readdir(packages[0]?.path ?? '')).toContain('task.json');

  const store = await openStore(settings);
  const [record] = await store.meta.listPackages({ limit: 5 });
  expect(record).toMatchObject({ id: packages[0]?.id, skill: 'calc-monthly-summary' });
  expect((await store.meta.getRun(record?.runId ?? ''))?.state).toBe('succeeded');
  expect((await store.artifacts.get(record?.value.hash ?? '')).byteLength).toBe(record?.value.size);
  await store.meta.close();
  for (const name of ['forge.sqlite', 'artifacts']) {
    await expect(access(join(data, 'store', name))).rejects.toMatchObject({ code: 'ENOENT' });
  }
});

it('goes on after the worker and then the database were killed', async () => {
  const { env, settings } = await freshStore();
  const model = await slowModel(400);
  const services = await startServices({ env: { ...modelAt(model.baseUrl), ...env } });
  const store = await openStore(settings);
  try {
    const { api } = services;
    const document = GraphDocument.parse(faultDocument);
    const { id } = await api.startRun({ document, inputs: { nonce: 'killed' }, seed: 3, mode: 'batch' });
    await eventually('some map items are done', async () =>
      (await store.meta.listOutcomes(id)).some(({ key }) => key.startsWith('each[')),
    );
    await services.kill('worker');
    const finished = await store.meta.listOutcomes(id);
    expect(finished.length).toBeLessThan(faultDocumentKeys.length);
    await services.restart('worker');
    await eventually('one more is done', async () => (await store.meta.listOutcomes(id)).length > finished.length);
    await postgres.kill();
    await postgres.restart();

    expect(await runIn(api, id)).toMatchObject({ state: 'succeeded', epoch: 1 });
    const outcomes = await store.meta.listOutcomes(id);
    // A cheap node that was committed when its worker died, before Temporal knew of it, is answered again from that commit.
    expect(countByNode(outcomes.filter(({ origin }) => origin !== 'memo'))).toEqual(
      Object.fromEntries(faultDocumentKeys.map((key) => [key, 1])),
    );
    expect(outcomes).toEqual(expect.arrayContaining(finished));
  } finally {
    await store.meta.close();
    await services.stop();
    await model.close();
  }
});
