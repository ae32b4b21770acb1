import { ForgeError } from '@cua-forge/spec/errors';
import type { Services } from '../services.ts';
import { announceRun } from './announce.ts';
import { findRun, isHosted, isOpen } from './find-run.ts';

/**
 * Asks a run to cancel; its workflow ends what is in progress and closes it. A run whose workflow never started is closed here.
 * @throws ForgeError `run.state` when it has ended
 */
export function cancelRun({ store, engine, locks, now }: Services, runId: string): Promise<void> {
  return locks.with(runId, async () => {
    const run = await findRun(store.meta, runId);
    if (!isOpen(run.state))
      throw new ForgeError('run.state', `Run "${runId}" has ended already (${run.state}).`, {
        fix: 'There is nothing to cancel.',
      });
    const situation = await engine.describe(run.workflowId);
    if (situation.status === 'not-found' && run.state === 'queued') {
      await store.meta.updateRun(runId, { state: 'cancelled', endedAt: now() });
      await announceRun(store.meta, { ...run, state: 'cancelled' }, now());
      return;
    }
    await (isHosted(run) ? engine.cancelHosted(run.workflowId, runId) : engine.cancel(run.workflowId));
  });
}
