import type { ScheduleRecord } from './schedule.ts';
import type { BatchRecord } from './store-port.ts';

/** The batch of a schedule's next turn. */
export function batchOfSchedule(
  { title, part, window, budget, advance, fired }: ScheduleRecord,
  { id, workflowId, at }: { id: string; workflowId: string; at: number },
): BatchRecord {
  const seed = advance ? part.seed + fired * part.count : part.seed;
  return {
    ...{ id, title, parts: [{ ...part, seed }], count: part.count, window, budget, workflowId },
    ...{ state: 'queued', createdAt: at, endedAt: null },
  };
}
