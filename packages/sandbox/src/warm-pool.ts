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
  readonly #endingNow = new Set<Promise<void>>();
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

  /** Another sandbox for a used one, whose traces go with it. The old one ends meanwhile. */
  async reset(used: Sandbox, signal?: AbortSignal): Promise<Sandbox> {
    const ended = used.close();
    const ending: Promise<void> = ended
      .catch((error: unknown) => this.#wanted.onProblem?.(toForgeError(error)))
      .finally(() => this.#endingNow.delete(ending));
    this.#endingNow.add(ending);
    try {
      return await this.take(signal);
    } catch (thrown) {
      const { code, retryAfterMs } = toForgeError(thrown);
      if (code !== 'sandbox.unavailable' || retryAfterMs === undefined) throw thrown;
      // There is no room for both: the old one's place is the one that the new one needs.
      await ended;
      return this.take(signal);
    }
  }

  /** Waits until those that are being made and ended are. */
  async settled(): Promise<void> {
    await Promise.all([...this.#starting, ...this.#endingNow]);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.settled();
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
