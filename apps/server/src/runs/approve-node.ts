import type { ApproveNode } from '@cua-forge/spec/api/runs';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Services } from '../services.ts';
import { findRun, isHosted, isOpen } from './find-run.ts';

/** @throws ForgeError `run.state` when the run has ended or the node waits for no approval */
export async function approveNode({ store, engine }: Services, runId: string, request: ApproveNode): Promise<void> {
  const run = await findRun(store.meta, runId);
  if (!isOpen(run.state)) {
    throw new ForgeError('run.state', `Run "${runId}" has ended (${run.state}); nothing in it waits for an approval.`, {
      fix: 'Retry the node to be asked again.',
    });
  }
  if (isHosted(run))
    throw new ForgeError('run.state', `Nothing in run "${runId}" waits for an approval.`, {
      fix: 'Its graph has no node that asks for one.',
    });
  await engine.approve(run.workflowId, request);
}
