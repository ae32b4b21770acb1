import type { MetaStore } from '@cua-forge/spec/store-port';

/** Wakes many listeners when anything in the store changed, with a single watch on it. */
export class EventHub {
  readonly #listeners = new Set<() => void>();
  readonly #closers = new Set<() => void>();
  readonly #stop: () => void;

  constructor(meta: Pick<MetaStore, 'watch'>) {
    this.#stop = meta.watch(() => {
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /** Number of clients that listen. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Calls `wake` after each change and `close` when the hub ends; answers with the function that stops both. */
  listen(wake: () => void, close: () => void): () => void {
    this.#listeners.add(wake);
    this.#closers.add(close);
    return () => {
      this.#listeners.delete(wake);
      this.#closers.delete(close);
    };
  }

  close(): void {
    this.#stop();
    for (const close of [...this.#closers]) close();
  }
}
