/** Whom to wake after commits. */
export class Watchers {
  readonly #watchers = new Set<{ wake: () => void }>();
  #signalled = false;

  get size(): number {
    return this.#watchers.size;
  }

  /** Returns the function that removes it. */
  add(wake: () => void): () => void {
    const watcher = { wake };
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Wakes all soon; signals of one tick are one call. */
  signal(): void {
    if (this.#signalled || this.#watchers.size === 0) return;
    this.#signalled = true;
    setImmediate(() => {
      this.#signalled = false;
      for (const { wake } of [...this.#watchers]) wake();
    });
  }

  clear(): void {
    this.#watchers.clear();
  }
}
