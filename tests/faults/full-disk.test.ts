import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphDocument } from '@cua-forge/spec/document';
import { openStore } from '@cua-forge/store/open-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countByNode, outputsOf, runIn } from '../support/run-watch.ts';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { documentOf } from '../support/test-kinds.ts';

const megabyte = 1_048_576;
const disk = mkdtempSync(join(tmpdir(), 'forge-full-'));
const mounted = mount();
if (!mounted) console.warn('The full disk is not tested here: it needs the right to mount a tmpfs (root on Linux).');

describe.skipIf(!mounted)('a disk that is full', () => {
  const filler = join(disk, 'filler');
  let services: RunningServices;
  beforeAll(async () => {
    services = await startServices({ store: join(disk, 'store') });
  });
  afterAll(async () => {
    try {
      await services.stop();
    } finally {
      execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    }
  });

  /** Leaves this many bytes. */
  async function fill(left: number): Promise<void> {
    const { bavail, bsize } = await statfs(disk);
    await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    if (left > 0) return;
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(512));
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'ENOSPC' });
    }
  }
  const free = () => rm(filler);
  const unfinished = () => readdir(join(services.store, 'artifacts', 'tmp'));

  /** Starts a run whose first node waits, and resolves while it waits. */
  async function startWaiting(document: unknown, inputs: Record<string, string>): Promise<string> {
    const { id } = await services.api.startRun({ document: GraphDocument.parse(document), inputs, mode: 'batch' });
    await eventually('the delay runs', async () =>
      (await services.api.run(id)).nodes.some(({ key, status }) => key === 'pause' && status === 'awaiting'),
    );
    return id;
  }
  const pause = { id: 'pause', kind: 'flow.delay', params: { milliseconds: 3_000 } };

  it('fails the node whose value does not fit with store.full, keeps no half of it, and a retry completes the run', async () => {
    const document = documentOf(
      [
        pause,
        { id: 'big', kind: 'data.transform', params: { expression: 'text & "!"', inputs: { text: 'text' } } },
        { id: 'use', kind: 'data.transform', params: { expression: '$length(text)', inputs: { text: 'text' } } },
      ],
      [
        ['$inputs.text', 'pause.value'],
        ['pause.value', 'big.text'],
        ['big.value', 'use.text'],
      ],
      { inputs: { text: { type: 'text' } }, outputs: { length: 'use.value' } },
    );
    const id = await startWaiting(document, { text: 'x'.repeat(3 * megabyte) });
    await fill(1.5 * megabyte);
    const failed = await runIn(services.api, id);
    expect(failed).toMatchObject({
      state: 'failed',
      failure: { code: 'store.full', fix: expect.stringMatching(/free some space/i), place: { node: 'big' } },
    });
    expect(await unfinished()).toEqual([]);
    expect((await services.api.node(id, { key: 'big' })).outcomes).toMatchObject([{ status: 'failed', outputs: {} }]);

    await free();
    await services.api.retryRun(id, {});
    const run = await runIn(services.api, id);
    expect(run).toMatchObject({ state: 'succeeded' });
    expect(await outputsOf(services.api, run)).toEqual({ length: 3 * megabyte + 1 });
  });

  it('holds a run when nothing fits any more, says so, and the run completes when there is space', async () => {
    const item = { id: 'text', kind: 'data.transform', version: 1 };
    const expression = '$join([1..700].("line " & ($ + n)), ",")';
    const document = documentOf(
      [
        pause,
        { id: 'numbers', kind: 'data.transform', params: { expression: '[1..count]', inputs: { count: 'number' } } },
        { id: 'each', kind: 'flow.map', params: { graph: 'body', window: 20 } },
      ],
      [
        ['$inputs.count', 'pause.value'],
        ['pause.value', 'numbers.count'],
        ['numbers.value', 'each.items'],
      ],
      {
        inputs: { count: { type: 'number', default: 300 } },
        outputs: { results: 'each.results' },
        graphs: {
          body: {
            inputs: { item: { type: 'json' } },
            nodes: [{ ...item, params: { expression, inputs: { n: 'json' } } }],
            edges: [{ from: '$inputs.item', to: 'text.n' }],
            outputs: { value: 'text.value' },
          },
        },
      },
    );
    const id = await startWaiting(document, {});
    await fill(0);
    const upload = await eventually('the server says that it is full', async () => {
      const response = await fetch(`${services.url}/api/files?name=a.bin`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: Buffer.alloc(100_000, 'a'),
      });
      return response.status === 507 ? response : null;
    });
    expect(await upload.json()).toMatchObject({
      error: { code: 'store.full', fix: expect.stringMatching(/free some space/i) },
    });
    await sleep(8_000);
    const held = (await services.api.run(id)).run;
    expect(held.state).not.toBe('succeeded');
    const log = await readFile(join(services.folder, 'logs/worker.log'), 'utf8');
    expect(log).toContain('The disk that holds the store is full.');
    if (held.failure !== null) expect(JSON.stringify(held.failure)).toContain('store.full');
    expect(await unfinished()).toEqual([]);

    await free();
    const ended = await runIn(services.api, id);
    if (ended.state !== 'succeeded') await services.api.retryRun(id, {});
    const run = await runIn(services.api, id, ['succeeded']);
    const { results } = await outputsOf(services.api, run);
    expect(results).toHaveLength(300);

    const store = await openStore({ folder: services.store });
    try {
      const succeeded = (await store.meta.listOutcomes(id)).filter(({ status }) => status === 'succeeded');
      expect(Object.values(countByNode(succeeded)).every((count) => count === 1)).toBe(true);
      for (const { outputs } of succeeded) {
        for (const { hash, size } of Object.values(outputs)) expect(await store.artifacts.get(hash)).toHaveLength(size);
      }
    } finally {
      await store.meta.close();
    }
  });
});

function mount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    rmSync(disk, { recursive: true });
    return false;
  }
}
