import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Store } from '@cua-forge/spec/store-port';
import { openStore } from '@cua-forge/store/open-store';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeReports } from './node-reports.ts';

const log = pino({ level: 'silent' });
let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-reports-'));
  store = await openStore({ folder });
});
afterEach(async () => {
  await store.meta.close();
  await rm(folder, { recursive: true, force: true });
});

const node = (key: string, seq: number, status: string) => ({
  ...{ key, seq, status, token: 1, round: 1, attempt: 1, failure: null, note: null, counts: null },
});
const statuses = async (runId: string): Promise<string[]> =>
  (await store.meta.listNodeViews(runId)).map(({ key, status }) => `${key} ${status}`);

describe('NodeReports', () => {
  it('writes the last state of each node of a run when asked', async () => {
    const reports = new NodeReports(store, log);
    reports.report('one', [node('a', 1, 'running'), node('b', 2, 'running')]);
    reports.report('one', [node('a', 3, 'succeeded')]);
    reports.report('one', [node('b', 1, 'waiting')]);
    reports.report('two', [node('a', 1, 'running')]);
    await reports.flush('one');
    expect(await statuses('one')).toEqual(['a succeeded', 'b running']);
    expect(await statuses('two')).toEqual([]);
    await reports.flush();
    expect(await statuses('two')).toEqual(['a running']);
  });

  it('keeps what the store refused, behind anything newer', async () => {
    let refusing = true;
    const meta = new Proxy(store.meta, {
      get(target, name, receiver) {
        if (name === 'saveNodeViews' && refusing) return () => Promise.reject(new ForgeError('store.full', 'full'));
        return Reflect.get(target, name, receiver);
      },
    });
    const reports = new NodeReports({ ...store, meta }, log);
    reports.report('one', [node('a', 1, 'running'), node('b', 2, 'running')]);
    const refused = reports.flush();
    reports.report('one', [node('a', 3, 'succeeded')]);
    await refused;
    refusing = false;
    await reports.flush();
    expect(await statuses('one')).toEqual(['a succeeded', 'b running']);
  });
});
