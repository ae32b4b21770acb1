import { ForgeError, toForgeError } from '@cua-forge/spec/errors';

/** Bounds how long one transaction holds the event loop. */
const mostJobs = 200;

interface Job {
  /** Does the work inside the transaction; the function it returns hands the result to the caller. */
  attempt(): () => void;
  reject(error: ForgeError): void;
}

/**
 * Collects the writes of one tick into one transaction. A caller's promise settles only after its work is committed;
 * when a job throws, the others are committed without it.
 */
export class GroupCommit {
  readonly #transaction: (work: () => void) => void;
  readonly #committed: () => void;
  #jobs: Job[] = [];
  #scheduled = false;
  /** Runs while all that wait are patient. */
  #later: NodeJS.Timeout | null = null;
  /** A transaction was committed in this tick. */
  #busyTick = false;
  #closed = false;

  constructor(transaction: (work: () => void) => void, committed: () => void) {
    this.#transaction = transaction;
    this.#committed = committed;
  }

  /**
   * `work` is synchronous, does nothing but statements, and may run twice (the first time rolled back). It may wait `patience` milliseconds for
   * others to share its transaction, and goes with the first of them that may not.
   */
  run<T>(work: () => T, patience = 0): Promise<T> {
    if (this.#closed) return Promise.reject(new ForgeError('internal', 'The store is closed: nothing can be written.'));
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({
        attempt: () => {
          const value = work();
          return () => resolve(value);
        },
        reject,
      });
      if (patience > 0) this.#later ??= setTimeout(() => this.#flush(), patience);
      else this.#schedule();
    });
  }

  /** The first write of a tick does not wait for others; what comes after it in the same tick goes together. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    if (this.#busyTick) {
      setImmediate(() => this.#flush());
      return;
    }
    this.#busyTick = true;
    setImmediate(() => {
      this.#busyTick = false;
    });
    queueMicrotask(() => this.#flush());
  }

  /** Commits what waits and refuses what comes later. */
  close(): void {
    this.#closed = true;
    if (this.#later) clearTimeout(this.#later);
    while (this.#jobs.length > 0) this.#commit(this.#jobs.splice(0, mostJobs));
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#later) clearTimeout(this.#later);
    this.#later = null;
    if (this.#jobs.length === 0) return;
    this.#commit(this.#jobs.splice(0, mostJobs));
    if (this.#jobs.length > 0) this.#schedule();
  }

  #commit(jobs: Job[]): void {
    let settle: (() => void)[] = [];
    try {
      this.#transaction(() => {
        settle = jobs.map((job) => job.attempt());
      });
    } catch (thrown) {
      const error = toForgeError(thrown);
      const hitsAll = error.code === 'store.busy' || error.code === 'store.full';
      if (jobs.length === 1 || hitsAll) for (const job of jobs) job.reject(error);
      else for (const job of jobs) this.#commit([job]);
      return;
    }
    this.#committed();
    for (const done of settle) done();
  }
}
