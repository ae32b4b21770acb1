import { Watchers } from '../watchers.ts';

const pollMilliseconds = 25;

/** Wakes watchers after commits: own ones by `signal`, those of other connections by polling a version number. */
export class ChangeWatch {
  readonly #version: () => number;
  readonly #watchers = new Watchers();
  #timer: NodeJS.Timeout | null = null;
  #seen = 0;

  /** `version` changes whenever another connection committed. */
  constructor(version: () => number) {
    this.#version = version;
  }

  watch(wake: () => void): () => void {
    const remove = this.#watchers.add(wake);
    if (this.#timer === null) {
      this.#seen = this.#versionIfKnown();
      this.#timer = setInterval(() => this.#poll(), pollMilliseconds).unref();
    }
    return () => {
      remove();
      if (this.#watchers.size === 0) this.#stop();
    };
  }

  /** Wakes all watchers soon; signals of one tick are one call. */
  signal(): void {
    this.#watchers.signal();
  }

  close(): void {
    this.#watchers.clear();
    this.#stop();
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #poll(): void {
    const version = this.#versionIfKnown();
    if (version === this.#seen) return;
    this.#seen = version;
    this.signal();
  }

  /** A database that is locked just now is asked again at the next poll. */
  #versionIfKnown(): number {
    try {
      return this.#version();
    } catch {
      return this.#seen;
    }
  }
}
