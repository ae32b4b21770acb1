import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError } from '@cua-forge/spec/errors';

/** A way to an agent: bytes in both directions. */
export interface Transport {
  stream: Duplex;
}

export interface ConnectOptions {
  /** Milliseconds until the agent has to answer. */
  withinMs: number;
  /** Says why waiting is in vain, once that is known. */
  ended?: () => string | null;
  signal?: AbortSignal | undefined;
}

/** Connects to the socket of an agent, which may still be starting. */
export async function socketTransport(path: string, { withinMs, ended, signal }: ConnectOptions): Promise<Transport> {
  const start = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    const stream = await open(path);
    if (stream !== null) return { stream };
    const why = ended?.() ?? null;
    if (why !== null) throw new ForgeError('sandbox.lost', `The sandbox ended before it was ready: ${why}`);
    if (performance.now() - start > withinMs)
      throw new ForgeError('sandbox.lost', `The desktop was not ready within ${Math.round(withinMs / 1000)} s.`, {
        fix: 'The machine may be overloaded: run fewer sandboxes at once.',
      });
    await sleep(10, undefined, signal === undefined ? {} : { signal });
  }
}

function open(path: string): Promise<Duplex | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', () => resolve(null));
  });
}
