import type { MetaStore, RunRecord } from '@cua-forge/spec/store-port';

/** Tells those who follow the run what the server itself changed about it; the workflow tells the rest. */
export async function announceRun(
  meta: MetaStore,
  run: Pick<RunRecord, 'id' | 'state' | 'epoch' | 'batchId'>,
  at: number,
): Promise<void> {
  const { id, state, epoch, batchId } = run;
  await meta.addEvents([{ runId: id, type: 'run', data: { state, epoch, batchId }, at }]);
}
