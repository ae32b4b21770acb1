import { nothingSpent, type Spent } from '@cua-forge/spec/budget';
import type { BatchRecord, BudgetState, ModelCall, RunRecord } from '@cua-forge/spec/store-port';
import { build, named } from '../query-builder.ts';
import { PreparedQuery, type Steps } from '../steps.ts';
import type { SpendingRow } from '../tables.ts';

interface Neighbours {
  runs: { get(id: string): Steps<RunRecord | null> };
  batches: { get(id: string): Steps<BatchRecord | null> };
}

const ofRun = (id: string): string => `run/${id}`;
const ofBatch = (id: string): string => `batch/${id}`;

/** What each run and batch has spent so far, kept beside the calls so that a budget is checked without adding them up. */
export class SpendingRows {
  readonly #add;
  readonly #select;
  readonly #batchOf;

  constructor() {
    this.#add = new PreparedQuery<SpendingRow, unknown>(
      build
        .insertInto('spending')
        .values({
          owner: named('owner'),
          usd: named('usd'),
          tokens: named('tokens'),
          unpriced: named('unpriced'),
        })
        .onConflict((conflict) =>
          conflict.column('owner').doUpdateSet((row) => ({
            usd: row('spending.usd', '+', row.ref('excluded.usd')),
            tokens: row('spending.tokens', '+', row.ref('excluded.tokens')),
            unpriced: row('spending.unpriced', '+', row.ref('excluded.unpriced')),
          })),
        ),
    );
    this.#select = new PreparedQuery<{ owner: string }, Spent>(
      build.selectFrom('spending').select(['usd', 'tokens', 'unpriced']).where('owner', '=', named<string>('owner')),
    );
    this.#batchOf = new PreparedQuery<{ id: string }, { batch_id: string | null }>(
      build.selectFrom('runs').select('batch_id').where('id', '=', named<string>('id')),
    );
  }

  /** Inside the write that stores the call, once for each. */
  *add({ runId, usage, usd }: ModelCall): Steps<void> {
    const tokens = usage.input + usage.output;
    if (tokens === 0 && (usd ?? 0) === 0) return;
    const spent = { usd: usd ?? 0, tokens, unpriced: usd === null ? 1 : 0 };
    yield* this.#add.modify({ owner: ofRun(runId), ...spent });
    const batchId = (yield* this.#batchOf.first({ id: runId }))?.batch_id ?? null;
    if (batchId !== null) yield* this.#add.modify({ owner: ofBatch(batchId), ...spent });
  }

  *#of(owner: string): Steps<Spent> {
    const row = yield* this.#select.first({ owner });
    return row === undefined
      ? nothingSpent
      : { usd: Number(row.usd), tokens: Number(row.tokens), unpriced: Number(row.unpriced) };
  }

  *spent(owner: { runId: string } | { batchId: string }): Steps<Spent> {
    return yield* this.#of('runId' in owner ? ofRun(owner.runId) : ofBatch(owner.batchId));
  }

  *budgets(runId: string, { runs, batches }: Neighbours): Steps<BudgetState[]> {
    const run = yield* runs.get(runId);
    const batch = run?.batchId ? yield* batches.get(run.batchId) : null;
    const found: BudgetState[] = [];
    if (run?.budget && (run.budget.usd !== null || run.budget.tokens !== null))
      found.push({ of: 'run', id: run.id, budget: run.budget, spent: yield* this.#of(ofRun(run.id)) });
    if (batch && (batch.budget.usd !== null || batch.budget.tokens !== null))
      found.push({ of: 'batch', id: batch.id, budget: batch.budget, spent: yield* this.#of(ofBatch(batch.id)) });
    return found;
  }
}
