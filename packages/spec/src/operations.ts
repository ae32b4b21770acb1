import { z } from 'zod';

/** A worker process as Temporal saw it last at one queue. */
export const WorkerSeen = z.strictObject({
  identity: z.string(),
  /** Epoch milliseconds of its last poll. */
  lastSeen: z.number().int(),
  /** Build that it runs; null where builds are not told apart. */
  build: z.string().nullable(),
});
export type WorkerSeen = z.infer<typeof WorkerSeen>;

export const QueueSituation = z.strictObject({
  queue: z.string(),
  /** Tasks that wait for a worker, about. */
  backlog: z.number().int().nonnegative(),
  /** Milliseconds that the oldest of them has waited. */
  backlogAgeMs: z.number().int().nonnegative(),
  /** Tasks a second over the last half minute. */
  addedPerSecond: z.number().nonnegative(),
  takenPerSecond: z.number().nonnegative(),
  workers: z.array(WorkerSeen),
});
export type QueueSituation = z.infer<typeof QueueSituation>;

/** An activity that has failed and is tried again, or that no worker has taken up. */
export const PendingProblem = z.strictObject({
  workflowId: z.string(),
  /** Null for workflows that belong to no run. */
  runId: z.string().nullable(),
  queue: z.string(),
  activity: z.string(),
  attempt: z.number().int().nonnegative(),
  /** 0 where it is tried without end. */
  attempts: z.number().int().nonnegative(),
  /** Epoch milliseconds. */
  scheduledAt: z.number().int(),
  /** What the last try failed with; null when none did, and no worker took it up. */
  failure: z.string().nullable(),
  lastWorker: z.string().nullable(),
});
export type PendingProblem = z.infer<typeof PendingProblem>;

/** A build of the worker under worker versioning. */
export const WorkerBuild = z.strictObject({
  build: z.string(),
  /** New runs start on the current one; `draining`: open runs stay on it; `drained`: nothing is left on it, its workers may go. */
  status: z.enum(['current', 'ramping', 'inactive', 'draining', 'drained', 'unknown']),
  createdAt: z.number().int(),
});
export type WorkerBuild = z.infer<typeof WorkerBuild>;

/** GET /api/workers */
export const WorkersView = z.strictObject({
  queues: z.array(QueueSituation),
  /** Open workflows that were looked at for problems, and how many there are in all, about. */
  examined: z.number().int(),
  open: z.number().int(),
  problems: z.array(PendingProblem),
  builds: z.array(WorkerBuild),
});
export type WorkersView = z.infer<typeof WorkersView>;

/** POST /api/workers/current: new runs start on this build from now on. */
export const SetCurrentBuild = z.strictObject({ build: z.string().min(1).max(100) });
