import { dockerProvider } from '@cua-forge/sandbox/docker/docker-provider';
import { LentSandboxes, withoutSandboxes } from '@cua-forge/worker/sandbox/lent-sandboxes';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desks, prepareDesks } from './prepare.ts';

let desks: Desks;
beforeAll(async () => {
  desks = await prepareDesks();
}, 1_500_000);
afterAll(() => desks?.stop(), 120_000);

const small = { width: 800, height: 600, memoryMb: 512, diskMb: 64 };
const log = pino({ level: 'silent' });
const signal = new AbortController().signal;

describe('sandboxes that a worker lends', () => {
  it('carry the lease of the node, end with the work, and replace what a dead worker has left', async () => {
    const lender = new LentSandboxes([desks.docker], { warm: 1, log });
    const lease = 'run-1#7 prove';
    const left = await desks.docker.start({ ...small, lease });
    left.detach();
    const other = await desks.docker.start({ ...small, lease: 'run-2#7 prove' });
    const port = lender.portOf(lease, signal, () => undefined);
    expect(await port.missing()).toBeNull();
    const seen = await port.use(small, async (sandbox) => {
      const listed = await desks.docker.list();
      expect(listed.find(({ id }) => id === sandbox.id)?.lease).toBe(lease);
      expect(listed.some(({ id }) => id === left.id)).toBe(false);
      expect(listed.some(({ id }) => id === other.id)).toBe(true);
      return sandbox.id;
    });
    const failing = port.use(small, async (sandbox) => {
      expect(sandbox.id).not.toBe(seen);
      throw new Error('the work failed');
    });
    await expect(failing).rejects.toThrow('the work failed');
    const now = await desks.docker.list();
    expect(now.filter(({ lease: one }) => one === lease)).toEqual([]);
    await other.close();
    await lender.close();
    expect((await desks.docker.list()).filter(({ lease: one }) => one === 'kept ready')).toEqual([]);
  });

  it('are waited for while all rooms are taken, until the node is cancelled', async () => {
    const one = dockerProvider({ ...desks.settings, hosts: [{ url: 'unix:///var/run/docker.sock', limit: 1 }] });
    const held = await desks.docker.start(small);
    const stop = new AbortController();
    const waited = new Promise<void>((resolve) => {
      const port = new LentSandboxes([one], { warm: 0, log }).portOf('run-3#1 x', stop.signal, resolve);
      void port.use(small, async () => undefined).catch(() => undefined);
    });
    await waited;
    stop.abort();
    await held.close();
  });

  it('are named with what to install where there are none', async () => {
    const port = new LentSandboxes([], { warm: 0, log }).portOf('x', signal, () => undefined);
    for (const none of [port, withoutSandboxes()]) {
      expect(await none.missing()).toMatchObject({ code: 'sandbox.unavailable' });
      await expect(none.use({}, async () => undefined)).rejects.toMatchObject({
        code: 'sandbox.unavailable',
        fix: expect.stringContaining('forge doctor'),
      });
    }
    const empty = dockerProvider({ ...desks.settings, hosts: [{ url: 'unix:///var/run/no-such.sock', limit: 1 }] });
    const away = new LentSandboxes([empty], { warm: 0, log }).portOf('x', signal, () => undefined);
    expect(await away.missing()).toMatchObject({ code: 'sandbox.unavailable', fix: expect.stringContaining('doctor') });
  });
});
