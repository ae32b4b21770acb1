import { ForgeError } from '@cua-forge/spec/errors';
import type { CarryOut, Steps } from '../steps.ts';
import { toPostgresError } from './postgres-faults.ts';

/** Bounds how long one transaction keeps other writers waiting. */
const mostJobs = 200;

interface Job {
  /** Does the work inside the transaction; the function it returns hands the result to the caller. */
  attempt(carryOut: CarryOut): Promise<() => void>;
  reject(error: ForgeError): void;
}

/**
 * One transaction at a time, with all writes that came in while the last one was under way. A caller's promise settles
 * only after its work is committed; when a job throws, the others are committed without it.
 */
export class QueuedCommit {
  readonly #transaction: (work: (carryOut: CarryOut) => Promise<void>) => Promise<void>;
  readonly #committed: () => void;
  #jobs: Job[] = [];
  #busy: Promise<void> | null = null;
  #closed = false;

  constructor(transaction: (work: (carryOut: CarryOut) => Promise<void>) => Promise<void>, committed: () => void) {
    this.#transaction = transaction;
    this.#committed = committed;
  }

  run<T>(steps: () => Steps<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new ForgeError('internal', 'The store is closed: nothing can be written.'));
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({
        attempt: async (carryOut) => {
          const value = await carryOut(steps());
          return () => resolve(value);
        },
        reject,
      });
      this.#busy ??= this.#work();
    });
  }

  /** Commits what waits and refuses what comes later. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#busy;
  }

  /** Starts in the next microtask, so that the writes of one tick go together. */
  async #work(): Promise<void> {
    await Promise.resolve();
    while (this.#jobs.length > 0) await this.#commit(this.#jobs.splice(0, mostJobs));
    this.#busy = null;
  }

  async #commit(jobs: Job[]): Promise<void> {
    const settle: (() => void)[] = [];
    try {
      await this.#transaction(async (carryOut) => {
        for (const job of jobs) settle.push(await job.attempt(carryOut));
      });
    } catch (thrown) {
      const error = toPostgresError(thrown);
      const hitsAll = ['store.busy', 'store.full', 'store.unreachable'].includes(error.code);
      if (jobs.length === 1 || hitsAll) for (const job of jobs) job.reject(error);
      else for (const job of jobs) await this.#commit([job]);
      return;
    }
    this.#committed();
    for (const done of settle) done();
  }
}
