import { batchWorkflowId, type EngineActivities, RunScheduledTurn, scheduledBatchId } from '@cua-forge/spec/engine';
import type { Store } from '@cua-forge/spec/store-port';
import { sha256 } from '@cua-forge/store/hash';

export const scheduleActivities = ({ meta }: Store): Pick<EngineActivities, 'beginScheduled'> => ({
  async beginScheduled(raw) {
    const { scheduleId, turn } = RunScheduledTurn.parse(raw);
    const id = scheduledBatchId(turn, sha256);
    const batch = await meta.fireSchedule(scheduleId, { id, workflowId: batchWorkflowId(id), at: Date.now() });
    return { batch: batch === null ? null : { id: batch.id, title: batch.title } };
  },
});
