import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort, reservePort } from './ports.ts';

it('gives the preferred port when it is free, else the next free one', async () => {
  const preferred = await freePort(27_000);
  const server = createServer().listen(preferred, '127.0.0.1');
  await once(server, 'listening');
  const next = await freePort(preferred);
  expect(next).toBeGreaterThan(preferred);
  expect(next).toBeLessThan(preferred + 200);
  server.close();
});

it('gives no port twice to those who ask at the same moment and bind later', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ports-'));
  try {
    const all = await Promise.all(Array.from({ length: 8 }, () => reservePort(27_300, folder)));
    expect(new Set(all.map(({ port }) => port)).size).toBe(8);
    const locks = async () => (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.json'));
    expect(await locks()).toHaveLength(8);
    for (const one of all) await one.release();
    expect(await locks()).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
