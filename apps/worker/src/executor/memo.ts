import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { Policy } from '@cua-forge/spec/kind';
import type { MetaStore, Outcome } from '@cua-forge/spec/store-port';
import { sha256 } from '@cua-forge/store/hash';
import type { Values } from './values.ts';

/** Everything that a cacheable result depends on. */
export interface MemoFacts {
  implementation: string;
  fingerprint: string;
  policy: Policy;
  seed: number;
  round: number;
  model: string;
  /** Tools outside the product that results depend on, for example the version of LibreOffice. */
  environment: string;
}

export function memoKeyOf(facts: MemoFacts): string {
  const { implementation, fingerprint, policy } = facts;
  return sha256(
    canonicalJson([
      implementation,
      fingerprint,
      policy.seeded ? facts.seed : null,
      policy.callsModel ? [facts.model, facts.round] : policy.seeded && facts.round > 1 ? facts.round : null,
      policy.queue === 'heavy' ? facts.environment : null,
    ]),
  );
}

/** Answers equal executions from the store; of several at once in this process one does the work and the others find what it made. */
export class Memo {
  /** The last one in line for each key; never rejects. */
  private readonly last = new Map<string, Promise<void>>();

  constructor(
    private readonly meta: MetaStore,
    private readonly values: Values,
  ) {}

  /** A succeeded outcome whose values are all still there, or null. */
  async find(key: string): Promise<Outcome | null> {
    const outcome = await this.meta.findMemo(key);
    if (!outcome) return null;
    for (const ref of Object.values(outcome.outputs)) if (!(await this.values.intact(ref))) return null;
    return outcome;
  }

  /** Does `work` when all that came before it with this key have ended, however they did. Throws the signal's reason when it is aborted while it waits. */
  async inTurn<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key);
    let leave = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const mine = before ? before.then(() => turn) : turn;
    this.last.set(key, mine);
    try {
      if (before) await unlessAborted(before, signal);
      return await work();
    } finally {
      leave();
      if (this.last.get(key) === mine) this.last.delete(key);
    }
  }
}

async function unlessAborted(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const ended = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: ended.signal });
  });
  await Promise.race([waiting, aborted]);
  ended.abort();
  signal.throwIfAborted();
}
