import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { takeLock } from './lock.ts';

/** Ports tried first; a taken one is replaced by the next free one above it. */
export const defaultPorts = { temporal: 7233, temporalUi: 8233, studio: 7400 } as const;

const ascending = function* (from: number): Iterable<number> {
  for (let port = from; port < Math.min(from + 200, 65_536); port += 1) yield port;
};

/** `preferred`, or the next free TCP port of 127.0.0.1 above it. The port is not held: bind it soon. */
export async function freePort(preferred: number): Promise<number> {
  return getPort({ port: ascending(preferred), host: '127.0.0.1' });
}

export interface ReservedPort {
  port: number;
  release(): Promise<void>;
}

/** Holds a lock for each port that an instance of this user has, or is about to bind. */
const reservations = join(tmpdir(), `cua-forge-ports-${userInfo().uid}`);

/**
 * `preferred`, or the next TCP port of 127.0.0.1 above it that is free and that no other instance means to bind, though both look
 * at the same moment. It stays reserved until it is released or this process ends.
 */
export async function reservePort(preferred: number, folder = reservations): Promise<ReservedPort> {
  for (let from = preferred; ; ) {
    const port = await freePort(from);
    const taken = await takeLock(join(folder, String(port)), 'command');
    if (taken.held) return { port, release: () => taken.lock.release() };
    from = port + 1;
  }
}
