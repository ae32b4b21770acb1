import { exhaustion } from '@cua-forge/spec/budget';
import { ForgeError } from '@cua-forge/spec/errors';
import type { MetaStore } from '@cua-forge/spec/store-port';

/**
 * Asked before each model call. Calls that are under way at the same time are counted when they end, so that a budget may be passed by
 * as much as they use.
 * @throws ForgeError `budget.exhausted`
 */
export async function refuseWhenSpent(meta: Pick<MetaStore, 'budgetsOf'>, runId: string): Promise<void> {
  for (const { of, id, budget, spent } of await meta.budgetsOf(runId)) {
    const reason = exhaustion(budget, spent);
    if (reason === null) continue;
    const again = of === 'run' ? `forge retry ${id}` : `forge batch resume ${id}`;
    throw new ForgeError('budget.exhausted', `The budget of ${of} "${id}" is used up: ${reason}`, {
      fix: `Raise it and go on: ${again} ${budget.usd === null ? '--budget-tokens' : '--budget-usd'} …`,
    });
  }
}
