import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveOfRun, runOfArchive } from '@cua-forge/server/interchange/run-archive';
import { openStore } from '@cua-forge/store/open-store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, startEngine } from '../support/engine-fixture.ts';
import { documentOf } from '../support/test-kinds.ts';

let here: Engine;
let there: Engine;
beforeAll(async () => {
  [here, there] = await Promise.all([startEngine(), startEngine()]);
});
afterAll(() => Promise.all([here?.stop(), there?.stop()]));

const document = documentOf(
  [
    { id: 'good', kind: 'data.transform', params: { expression: '{"list": [1, 2]}', inputs: {} } },
    { id: 'bad', kind: 'data.transform', params: { expression: '$error("no")', inputs: { value: 'json' } } },
  ],
  [['good.value', 'bad.value']],
);

it('takes a run to another store, where it looks the same and can be retried', async () => {
  const run = await here.run(document);
  expect(run.state).toBe('failed');
  const archive = await archiveOfRun(here.store, run.id);
  const taken = await runOfArchive(there.store, archive, 5);
  expect(taken).toEqual({ ...run, batchId: null });
  expect(await there.store.meta.listOutcomes(run.id)).toEqual(await here.store.meta.listOutcomes(run.id));
  expect(await there.store.meta.listNodeViews(run.id)).toEqual(await here.store.meta.listNodeViews(run.id));
  expect(await there.outputs(run.id, 'good')).toEqual({ value: { list: [1, 2] } });
  expect((await runOfArchive(there.store, archive, 6)).id).toBe(run.id);

  const retried = await there.retry(run.id, {
    targets: ['bad'],
    edits: { bad: { params: { expression: '$sum(value.list)', inputs: { value: 'json' } } } },
  });
  expect(retried.state).toBe('succeeded');
  expect(await there.outputs(run.id, 'bad')).toEqual({ value: 3 });
  expect(await there.executions(run.id)).toEqual({ good: 1, bad: 2 });
  // Where it came from, nothing has changed.
  expect((await here.store.meta.getRun(run.id))?.state).toBe('failed');
});

it('keeps nothing of an archive that was changed', async () => {
  const run = await here.run(document, { seed: 2 });
  const archive = Buffer.from(await archiveOfRun(here.store, run.id));
  const at = archive.indexOf('{"list":[1,2]}');
  expect(at).toBeGreaterThan(0);
  archive.write('{"list":[1,3]}', at);
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  const store = await openStore({ folder });
  try {
    await expect(runOfArchive(store, archive, 1)).rejects.toThrow(/damaged/);
    await expect(runOfArchive(store, new Uint8Array(1_024), 1)).rejects.toThrow(/run\.json/);
    expect(await store.meta.getRun(run.id)).toBeNull();
  } finally {
    await store.meta.close();
    await rm(folder, { recursive: true, force: true });
  }
});
