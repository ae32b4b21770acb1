import { toForgeError } from '@cua-forge/spec/errors';
import type { Sandbox, SandboxOptions, SandboxProvider } from '@cua-forge/spec/sandbox-port';

export interface WarmPoolOptions {
  /** Sandboxes that are kept ready. */
  size: number;
  options?: Partial<SandboxOptions>;
  /** Told when one could not be made ready. */
  onProblem?: (error: Error) => void;
}

/** Sandboxes that are ready before they are asked for. Each is used once: what somebody has touched is never given to another. */
export class WarmPool {
  readonly #provider: SandboxProvider;
  readonly #wanted: WarmPoolOptions;
  readonly #ready: Sandbox[] = [];
  readonly #starting = new Set<Promise<void>>();
  readonly #ending = new AbortController();

  constructor(provider: SandboxProvider, wanted: WarmPoolOptions) {
    this.#provider = provider;
    this.#wanted = wanted;
  }

  get ready(): number {
    return this.#ready.length;
  }

  /** Brings the pool to its size. Resolves when it has it, or when one could not be made. */
  async fill(): Promise<void> {
    while (!this.#ending.signal.aborted && this.#ready.length + this.#starting.size < this.#wanted.size) this.#add();
    await Promise.all(this.#starting);
  }

  /** A sandbox that nobody has used: a warm one where there is one. */
  async take(signal?: AbortSignal): Promise<Sandbox> {
    for (let warm = this.#ready.shift(); warm !== undefined; warm = this.#ready.shift()) {
      // It may have ended while it waited.
      const alive = await warm.windows().then(
        () => true,
        () => false,
      );
      if (!alive) {
        await warm.close();
        continue;
      }
      void this.fill();
      return warm;
    }
    const fresh = await this.#provider.start(this.#wanted.options, signal);
    void this.fill();
    return fresh;
  }

  /** Another sandbox for a used one, whose traces go with it. */
  async reset(used: Sandbox, signal?: AbortSignal): Promise<Sandbox> {
    // The old one ends first: its place may be the one that the new one needs.
    await used.close();
    return this.take(signal);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#starting);
    await Promise.all(this.#ready.splice(0).map((sandbox) => sandbox.close()));
  }

  #add(): void {
    const start = this.#provider
      .start(this.#wanted.options, this.#ending.signal)
      .then(
        (sandbox) => void this.#ready.push(sandbox),
        (error: unknown) => {
          if (!this.#ending.signal.aborted) this.#wanted.onProblem?.(toForgeError(error));
        },
      )
      .finally(() => this.#starting.delete(start));
    this.#starting.add(start);
  }
}
