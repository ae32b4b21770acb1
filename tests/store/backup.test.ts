import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GraphDocument } from '@cua-forge/spec/document';
import { BackupReport, CollectReport } from '@cua-forge/spec/upkeep';
import { openStore } from '@cua-forge/store/open-store';
import { storeSettings } from '@cua-forge/store/store-settings';
import { type PostgresServer, startPostgres } from '@cua-forge/store/testing/postgres-server';
import { type S3Server, startS3 } from '@cua-forge/store/testing/s3-server';
import { fakeChatServer, streams } from '@cua-forge/testing/fake-chat-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultDocument, faultDocumentKeys } from '../support/fault-document.ts';
import { countByNode, runIn } from '../support/run-watch.ts';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { modelAt, promptOf } from '../support/slow-model.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

let postgres: PostgresServer;
let s3: S3Server;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-backup-'));
  [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  Object.assign(process.env, s3.credentials);
});
afterAll(async () => {
  await Promise.all([postgres.stop(), s3.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** A model that answers at once, or after `hold(n)` so many requests, and the others when it is released. */
async function heldModel() {
  let left = Number.POSITIVE_INFINITY;
  let waiting: (() => void)[] = [];
  const server = await fakeChatServer([
    (response, request) => {
      const answer = (): void => void streams(`About ${promptOf(request).toLowerCase()}`)(response, request);
      left -= 1;
      if (left >= 0) answer();
      else waiting.push(answer);
    },
  ]);
  return {
    ...server,
    hold(answers: number) {
      left = answers;
    },
    release() {
      left = Number.POSITIVE_INFINITY;
      for (const answer of waiting) answer();
      waiting = [];
    },
  };
}

/** Runs `forge … --json` on a data folder; answers with what it printed. */
async function forge(data: string, env: Record<string, string>, ...args: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [join(root, 'apps/cli/bin/forge.mjs'), ...args, '--json'], {
    cwd: root,
    env: { ...process.env, ...env, FORGE_DATA: data },
    maxBuffer: 10_000_000,
  });
  return JSON.parse(stdout);
}

it('backs up while a run is going on; elsewhere, on another database, everything reads and the run is retried', async () => {
  const model = await heldModel();
  const file = join(folder, 'copy.tar.gz');
  const elsewhere = { DATABASE_URL: await postgres.createDatabase(), FORGE_ARTIFACTS: s3.address };
  let services: RunningServices = await startServices({ env: modelAt(model.baseUrl) });
  let finished: Awaited<ReturnType<typeof runIn>>;
  let halfDone: number;
  let id: string;
  try {
    const { api } = services;
    const start = (nonce: string) =>
      api.startRun({ document: GraphDocument.parse(faultDocument), inputs: { nonce }, seed: 5, mode: 'batch' });
    finished = await runIn(api, (await start('finished')).id);
    model.hold(3);
    ({ id } = await start('going-on'));
    await eventually('some map items are done', async () =>
      (await api.run(id)).nodes.some(({ key, status }) => key.startsWith('each') && status === 'running'),
    );
    const report = BackupReport.parse(await forge(services.folder, {}, 'backup', file));
    expect(report).toMatchObject({ damaged: [] });
    expect(report.rows).toBeGreaterThan(faultDocumentKeys.length);
    expect((await stat(file)).size).toBeGreaterThan(1_000);
    model.release();
    // The store of the running instance is not touched by it.
    expect(await runIn(api, id)).toMatchObject({ state: 'succeeded' });
    await expect(forge(services.folder, {}, 'restore', file)).rejects.toMatchObject({
      stdout: expect.stringContaining('not empty'),
    });
  } finally {
    await services.stop();
  }

  const data = join(folder, 'elsewhere');
  const restored = BackupReport.parse(await forge(data, elsewhere, 'restore', file));
  expect(restored.rows).toBeGreaterThan(faultDocumentKeys.length);
  const store = await openStore(storeSettings(elsewhere, 'unused'));
  try {
    const outcomes = await store.meta.listOutcomes(finished.id);
    expect(countByNode(outcomes)).toEqual(Object.fromEntries(faultDocumentKeys.map((key) => [key, 1])));
    for (const { inputs, outputs } of outcomes) {
      for (const { hash } of [...Object.values(inputs).flat(), ...Object.values(outputs)])
        expect(await store.artifacts.verify(hash)).toBe(true);
    }
    halfDone = (await store.meta.listOutcomes(id)).length;
    expect(halfDone).toBeLessThan(faultDocumentKeys.length);
  } finally {
    await store.meta.close();
  }

  services = await startServices({ env: { ...modelAt(model.baseUrl), ...s3.credentials, ...elsewhere } });
  try {
    const { api } = services;
    // Temporal knows nothing of the run here: the reconciler says so, and it is retried from the store.
    const lost = await runIn(api, id, ['failed', 'terminated', 'needs-attention', 'succeeded']);
    if (lost.state !== 'succeeded') await api.retryRun(id, {});
    expect(await runIn(api, id, ['succeeded', 'failed'])).toMatchObject({ state: 'succeeded' });
    const gc = CollectReport.parse(await forge(services.folder, { ...s3.credentials, ...elsewhere }, 'gc'));
    expect(gc).toMatchObject({ dryRun: false, deleted: 0 });
    expect(gc.reachable).toBeGreaterThan(0);
    expect(await api.startCollection({ dryRun: true })).toMatchObject({ state: 'running' });
    await eventually('it is collected', async () => (await api.collection()).state === 'succeeded');
    expect((await api.collection()).report).toMatchObject({ dryRun: true, deleted: 0, condemned: 0 });
    await expect(api.startCollection({ dryRun: true, graceHours: 1 })).rejects.toMatchObject({ code: 'input.invalid' });
  } finally {
    await services.stop();
    await model.close();
  }
});
