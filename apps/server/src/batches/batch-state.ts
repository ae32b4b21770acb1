import type { BatchRecord, BatchState, MetaStore } from '@cua-forge/spec/store-port';

export const openBatchStates: readonly BatchState[] = ['queued', 'running', 'paused', 'budget'];
export const closedBatchStates: readonly BatchState[] = ['succeeded', 'failed', 'cancelled', 'terminated'];

/** Open: its workflow is there, though it may start nothing at present. */
export const isOpenBatch = (state: BatchState): boolean => openBatchStates.includes(state);

/** Tells those who follow the batch what the server itself changed about it; the workflow tells the rest. */
export async function announceBatch(
  meta: MetaStore,
  { id, count }: BatchRecord,
  state: BatchState,
  at: number,
): Promise<void> {
  await meta.addEvents([{ runId: id, type: 'batch', data: { state, count }, at }]);
}
