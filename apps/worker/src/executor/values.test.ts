import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@cua-forge/store/open-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Values } from './values.ts';

let folder: string;
let store: Awaited<ReturnType<typeof openStore>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-values-'));
  store = await openStore({ folder });
});
afterEach(async () => {
  await store.meta.close();
  await rm(folder, { recursive: true, force: true });
});

describe('values', () => {
  it('are the own copy of whoever reads them: what one reader does to its own, no other sees', async () => {
    const values = new Values(store.artifacts);
    const list = { literal: [{ name: 'as written' }] };
    const slots = [
      list,
      { hash: (await values.refOf(list)).hash, size: 0 },
      { hash: (await values.refOf(list)).hash, size: 0, index: 0 },
    ];
    for (const slot of slots) {
      const before = JSON.stringify(await values.read(slot));
      const read = await values.read(slot);
      if (Array.isArray(read)) read.push('changed');
      else if (typeof read === 'object' && read !== null) read.name = 'changed';
      expect(JSON.stringify(await values.read(slot))).toBe(before);
    }
    expect(list.literal).toEqual([{ name: 'as written' }]);
  });
});
