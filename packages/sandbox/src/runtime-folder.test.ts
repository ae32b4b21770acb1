import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptReady } from '@cua-forge/spec/sandbox-port';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { RuntimeFolder } from './runtime-folder.ts';

let base: string;
let folder: RuntimeFolder;
let stop: () => void;
const id = 'abc';
const holder = () => join(folder.folder(id), 'holder.json');
const written = async () => z.looseObject({ pid: z.number() }).parse(JSON.parse(await readFile(holder(), 'utf8')));

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'fr-'));
  folder = new RuntimeFolder(join(base, 'r'));
  await folder.add(id, process.getuid?.());
  stop = folder.keepAlive(id);
  await vi.waitFor(written);
});
afterAll(async () => {
  stop();
  await rm(base, { recursive: true, force: true });
});

const abandoned = async () => ({
  unused: await folder.isAbandoned(id, keptReady),
  used: await folder.isAbandoned(id, 'run 1'),
});

it('is held while its holder lives', async () => {
  expect(await written()).toMatchObject({ pid: process.pid });
  expect(await abandoned()).toEqual({ unused: false, used: false });
});

it('is abandoned at once when nobody has used it and its holder has ended', async () => {
  const facts = await written();
  await writeFile(holder(), JSON.stringify({ ...facts, start: '1' }));
  // What somebody has used is waited for: whoever used it may come back.
  expect(await abandoned()).toEqual({ unused: true, used: false });
  await writeFile(holder(), JSON.stringify({ ...facts, start: '1', processes: 'of another container' }));
  expect(await abandoned()).toEqual({ unused: false, used: false });
});

it('is abandoned after some time without a sign of life', async () => {
  const silent = async (seconds: number) => {
    const then = new Date(Date.now() - seconds * 1000);
    await utimes(join(folder.folder(id), 'alive'), then, then);
  };
  await silent(60);
  expect(await abandoned()).toEqual({ unused: true, used: false });
  await silent(400);
  expect(await abandoned()).toEqual({ unused: true, used: true });
  expect(await folder.isAbandoned('never-there', 'run 1')).toBe(true);
});
