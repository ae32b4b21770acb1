import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { Exit } from './managed-process.ts';
import type { Reporter } from './progress.ts';

/** A started part that is ready for use. */
export interface Part {
  readonly exited: Promise<Exit>;
  stop(): Promise<void>;
}

export interface Supervised<P extends Part> {
  /** The part as it runs now (the last one, between a crash and the restart). */
  current(): P;
  stop(): Promise<void>;
}

export interface SupervisionOptions<P extends Part> {
  name: string;
  /** Starts the part and resolves when it is ready; a rejection is a failed start. */
  start: () => Promise<P>;
  reporter: Reporter;
  /** Waits before the restarts: doubled from `first` to `longest` ms; back to `first` after `calmMs` without a crash. */
  backoff?: { first: number; longest: number; calmMs: number };
}

/** Starts a part and starts it again whenever it ends without being asked to. The first start must succeed; later failures are retried for ever. */
export async function supervise<P extends Part>(options: SupervisionOptions<P>): Promise<Supervised<P>> {
  const { name, start, reporter, backoff = { first: 500, longest: 30_000, calmMs: 60_000 } } = options;
  const stopping = new AbortController();
  let part = await start();

  const watch = async (): Promise<void> => {
    let wait = backoff.first;
    for (let readyAt = Date.now(); ; ) {
      const exit = await part.exited;
      if (stopping.signal.aborted) return;
      if (Date.now() - readyAt > backoff.calmMs) wait = backoff.first;
      reporter.line(`${name} ended (${exit.signal ?? `exit ${exit.code}`}); it is started again`);
      await part.stop();
      for (let ready = false; !ready; wait = Math.min(wait * 2, backoff.longest)) {
        await sleep(wait, undefined, { signal: stopping.signal });
        try {
          part = await start();
          ready = true;
        } catch (error) {
          reporter.line(`${name} did not start: ${toForgeError(error).message}`);
        }
        if (stopping.signal.aborted) return;
      }
      readyAt = Date.now();
      reporter.line(`${name} runs again`);
    }
  };
  const watching = watch().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });

  return {
    current: () => part,
    async stop() {
      stopping.abort();
      await part.stop();
      await watching;
      await part.stop();
    },
  };
}

/** Stops parts in the given order and reports all failures at once. */
export async function stopAll(parts: readonly { stop(): Promise<void> }[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) {
    try {
      await part.stop();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new ForgeError('internal', `Not everything could be stopped: ${failures.map(String).join('; ')}`, {
      cause: failures[0],
    });
}
