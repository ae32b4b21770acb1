import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runningInstance, takeLock } from './lock.ts';
import { processIdentity } from './process-identity.ts';

const addresses = {
  studio: 'http://127.0.0.1:7400',
  temporal: '127.0.0.1:7233',
  namespace: 'default',
  temporalUi: null,
};
let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'forge-lock-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

async function deadPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

const write = (instance: object): Promise<void> => writeFile(join(data, 'instance.json'), JSON.stringify(instance));

describe('takeLock', () => {
  it('tells a second taker who holds the folder and where it is reached, and lets go on release', async () => {
    const first = await takeLock(data, 'start');
    if (!first.held) throw new Error('not held');
    await first.lock.publish(addresses);
    const second = await takeLock(data, 'start');
    expect(second).toMatchObject({ held: false, by: { pid: process.pid, addresses } });
    expect(await runningInstance(data)).toMatchObject({ addresses });
    await first.lock.release();
    expect(await runningInstance(data)).toBeNull();
    expect((await takeLock(data, 'start')).held).toBe(true);
  });

  it('replaces the lock of a process that is gone', async () => {
    await write({
      pid: await deadPid(),
      identity: 'x',
      startedAt: new Date().toISOString(),
      purpose: 'start',
      addresses,
    });
    expect(await runningInstance(data)).toBeNull();
    expect((await takeLock(data, 'start')).held).toBe(true);
  });

  it('replaces a lock whose pid belongs to another process by now', async () => {
    await write({
      pid: process.ppid,
      identity: 'an earlier start',
      startedAt: new Date().toISOString(),
      purpose: 'start',
      addresses,
    });
    expect((await takeLock(data, 'start')).held).toBe(true);
  });

  it('keeps the lock of a live foreign process', async () => {
    const child = spawn('sleep', ['30']);
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    await write({
      pid,
      identity: await processIdentity(pid),
      startedAt: new Date().toISOString(),
      purpose: 'start',
      addresses: null,
    });
    expect(await takeLock(data, 'start')).toMatchObject({ held: false, by: { pid, addresses: null } });
    child.kill();
    await once(child, 'exit');
    expect((await takeLock(data, 'start')).held).toBe(true);
  });

  it('replaces a torn lock file', async () => {
    await writeFile(join(data, 'instance.json'), '{"pid": 1');
    expect((await takeLock(data, 'start')).held).toBe(true);
  });

  it('gives the folder to exactly one of many, and leaves no scraps', async () => {
    await write({
      pid: await deadPid(),
      identity: 'x',
      startedAt: new Date().toISOString(),
      purpose: 'start',
      addresses,
    });
    const results = await Promise.all(Array.from({ length: 12 }, () => takeLock(data, 'start')));
    expect(results.filter((result) => result.held)).toHaveLength(1);
    expect(await readdir(data)).toEqual(['instance.json']);
    expect(JSON.parse(await readFile(join(data, 'instance.json'), 'utf8'))).toMatchObject({ pid: process.pid });
  });
});
