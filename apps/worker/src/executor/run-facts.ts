import { ForgeError } from '@cua-forge/spec/errors';
import { Plan } from '@cua-forge/spec/plan';
import type { RunRecord, Store } from '@cua-forge/spec/store-port';

const KEPT = 500;

/** The parts of a run that never change while it is open, kept in memory for the executor. */
export class RunFacts {
  private readonly runs = new Map<string, Promise<RunRecord>>();
  private readonly plans = new Map<string, Promise<Plan>>();

  constructor(private readonly store: Store) {}

  /** Seed, skill, document: what never changes. Read the store for state and edits. */
  run(id: string): Promise<RunRecord> {
    return kept(this.runs, id, async () => {
      const run = await this.store.meta.getRun(id);
      if (!run)
        throw new ForgeError('run.not-found', `The store has no run '${id}'.`, {
          fix: 'Server and worker must use the same store.',
        });
      return run;
    });
  }

  plan(hash: string): Promise<Plan> {
    return kept(this.plans, hash, async () =>
      Plan.parse(JSON.parse(Buffer.from(await this.store.artifacts.get(hash)).toString('utf8'))),
    );
  }
}

function kept<T>(map: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const known = map.get(key);
  if (known) return known;
  const loading = load();
  map.set(key, loading);
  loading.catch(() => map.delete(key));
  const oldest = map.keys().next();
  if (map.size > KEPT && !oldest.done) map.delete(oldest.value);
  return loading;
}
