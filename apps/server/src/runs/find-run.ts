import { isHostWorkflow } from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import { listedAt } from '@cua-forge/spec/listed-at';
import type { MetaStore, RunRecord, RunState } from '@cua-forge/spec/store-port';

const open: ReadonlySet<RunState> = new Set(['queued', 'running', 'needs-attention']);
/** Shares its workflow with other runs. */
export const isHosted = ({ workflowId }: RunRecord): boolean => isHostWorkflow(workflowId);
export const isOpen = (state: RunState): boolean => open.has(state);

/** @throws ForgeError `run.not-found` */
export async function findRun(meta: MetaStore, id: string): Promise<RunRecord> {
  const run = await meta.getRun(id);
  if (run === null) throw new ForgeError('run.not-found', `There is no run "${id}".`, { fix: listedAt('runs') });
  return run;
}
