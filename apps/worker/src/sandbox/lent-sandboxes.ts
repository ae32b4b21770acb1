import { setTimeout as sleep } from 'node:timers/promises';
import { WarmPool } from '@cua-forge/sandbox/warm-pool';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { keptReady, type Sandbox, SandboxOptions, type SandboxProvider } from '@cua-forge/spec/sandbox-port';
import type { SandboxesPort } from '@cua-forge/spec/sandboxes-port';
import type { Logger } from 'pino';

const sweepEveryMs = 300_000;
/** Sandboxes that nobody has asked for so long are kept ready no more. */
const idleMs = 600_000;

interface Pool {
  warm: WarmPool;
  usedAt: number;
}

const none = (): ForgeError =>
  new ForgeError('sandbox.unavailable', 'This worker has no sandboxes.', {
    fix: 'Install Docker or bubblewrap and run `forge sandbox build`; `forge doctor` says what is there.',
  });

/** Sandboxes of a worker that has none. */
export const withoutSandboxes = (): SandboxesPort => ({
  missing: async () => none(),
  use: () => Promise.reject(none()),
});

/** Lends the sandboxes of this worker to its nodes, keeps some ready, and ends those that dead processes have left. */
export class LentSandboxes {
  readonly #providers: readonly SandboxProvider[];
  readonly #warm: number;
  readonly #log: Logger;
  readonly #pools = new Map<string, Pool>();
  #sweeping: NodeJS.Timeout | undefined;

  /** The first of `providers` that can start what is asked for does. */
  constructor(providers: readonly SandboxProvider[], { warm, log }: { warm: number; log: Logger }) {
    this.#providers = providers;
    this.#warm = warm;
    this.#log = log;
  }

  readonly portOf = (lease: string, signal: AbortSignal, waiting: () => void): SandboxesPort => {
    let cleared: Promise<void> | undefined;
    return {
      missing: async (given = {}) => (await this.#choose(SandboxOptions.parse(given))).problem,
      use: async (given, work) => {
        const options = SandboxOptions.parse({ ...given, lease });
        const { provider, problem } = await this.#choose(options);
        if (provider === null) throw problem;
        // What an earlier delivery of this execution has left is in an unknown state: it is replaced.
        cleared ??= this.#endLeftovers(lease);
        await cleared;
        const sandbox = await this.#take(provider, options, signal, waiting);
        try {
          return await work(sandbox);
        } finally {
          await sandbox.close().catch((error: unknown) => {
            this.#log.warn({ sandbox: sandbox.id, error: String(error) }, 'a sandbox could not be ended');
          });
        }
      },
    };
  };

  /** Ends abandoned sandboxes now and every 5 minutes, and those kept ready that nobody asks for. */
  sweepNowAndThen(): void {
    void this.sweep();
    this.#sweeping = setInterval(() => void this.sweep(), sweepEveryMs);
    this.#sweeping.unref();
  }

  async sweep(): Promise<void> {
    for (const [key, { usedAt, warm }] of this.#pools)
      if (Date.now() - usedAt > idleMs) {
        this.#pools.delete(key);
        await warm.close();
      }
    for (const provider of this.#providers) {
      try {
        const ended = await provider.sweep();
        if (ended.length > 0) this.#log.info({ ended }, 'abandoned sandboxes were ended');
      } catch (error) {
        // A machine without Docker has nothing to sweep there.
        this.#log.debug({ provider: provider.name, error: String(error) }, 'sandboxes could not be swept');
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map(({ warm }) => warm.close()));
  }

  async #choose({
    target,
  }: SandboxOptions): Promise<{ provider: SandboxProvider; problem: null } | { provider: null; problem: ForgeError }> {
    const problems: ForgeError[] = [];
    for (const provider of this.#providers) {
      const problem = await provider.missing(target).catch(toForgeError);
      if (problem === null) return { provider, problem };
      problems.push(problem);
    }
    const [first] = problems;
    if (first === undefined) return { provider: null, problem: none() };
    const fixes = [...new Set(problems.flatMap(({ fix }) => fix ?? []))];
    return {
      provider: null,
      problem: new ForgeError('sandbox.unavailable', problems.map(({ message }) => message).join(' '), {
        fix: `${fixes.join(' Or: ')} \`forge doctor\` says what is there.`,
        cause: first,
      }),
    };
  }

  async #endLeftovers(lease: string): Promise<void> {
    for (const provider of this.#providers) {
      const found = await provider.list().catch(() => []);
      for (const info of found) {
        if (info.lease !== lease) continue;
        const sandbox = await provider.attach(info.id).catch(() => null);
        await sandbox?.close();
        this.#log.info({ sandbox: info.id, lease }, 'a sandbox of an earlier attempt was ended');
      }
    }
  }

  async #take(
    provider: SandboxProvider,
    options: SandboxOptions,
    signal: AbortSignal,
    waiting: () => void,
  ): Promise<Sandbox> {
    const { lease, ...rest } = options;
    const key = JSON.stringify([provider.name, rest]);
    const keepsReady = this.#warm > 0 && options.snapshot === null;
    for (;;) {
      signal.throwIfAborted();
      try {
        if (!keepsReady) return await provider.start(options, signal);
        const pool = this.#pools.get(key) ?? {
          usedAt: 0,
          warm: new WarmPool(provider, {
            size: this.#warm,
            options: { ...rest, lease: keptReady },
            // All rooms may be taken; the next that is asked for is then started at once.
            onProblem: (error) => this.#log.debug({ error: error.message }, 'no sandbox could be made ready'),
          }),
        };
        pool.usedAt = Date.now();
        this.#pools.set(key, pool);
        const sandbox = await pool.warm.take(signal);
        await provider.lend(sandbox.id, lease);
        return sandbox;
      } catch (thrown) {
        const error = toForgeError(thrown);
        if (error.code !== 'sandbox.unavailable' || error.retryAfterMs === undefined) throw thrown;
        // Those kept ready for something else may be what is in the way.
        for (const [other, { warm }] of this.#pools)
          if (other !== key && warm.ready > 0) {
            this.#pools.delete(other);
            await warm.close();
          }
        waiting();
        await sleep(error.retryAfterMs, undefined, { signal });
      }
    }
  }
}
