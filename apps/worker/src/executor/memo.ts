import { canonicalJson } from '@cua-forge/spec/json';
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
      policy.callsModel ? [facts.model, facts.round] : null,
      policy.queue === 'heavy' ? facts.environment : null,
    ]),
  );
}

/** Answers equal executions from the store; lets one of several at once do the work. */
export class Memo {
  private readonly inFlight = new Map<string, Promise<unknown>>();

  constructor(
    private readonly meta: MetaStore,
    private readonly values: Values,
  ) {}

  /** A succeeded outcome whose values are all still there, or null. */
  async find(key: string): Promise<Outcome | null> {
    await this.inFlight.get(key)?.catch(() => undefined);
    const outcome = await this.meta.findMemo(key);
    if (!outcome) return null;
    for (const ref of Object.values(outcome.outputs)) if (!(await this.values.intact(ref))) return null;
    return outcome;
  }

  /** Runs `work` as the one execution of this key; others that ask `find` meanwhile wait for it. */
  async alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = work();
    this.inFlight.set(key, running);
    try {
      return await running;
    } finally {
      if (this.inFlight.get(key) === running) this.inFlight.delete(key);
    }
  }
}
