import { z } from 'zod';
import { Failure } from './errors.ts';
import { Hash } from './value.ts';

/** How long what is made is kept; what is not set is kept for ever. */
export const Retention = z.strictObject({
  runDays: z.number().positive().optional().describe('ended runs, with all that belongs to them'),
  runsPerDocument: z.number().int().positive().optional().describe('newest ended runs of each document'),
  eventDays: z.number().positive().optional().describe('events and node states of ended runs'),
  modelTextDays: z.number().positive().optional().describe('prompts and answers of model calls of ended runs'),
});
export type Retention = z.infer<typeof Retention>;

const count = z.number().int().nonnegative();

export const CollectPhase = z.enum(['prune', 'mark', 'condemn', 'delete']);
export type CollectPhase = z.infer<typeof CollectPhase>;
export const CollectProgress = z.strictObject({
  phase: CollectPhase,
  done: count,
  /** Null where it is not known before the end. */
  total: count.nullable(),
});
export type CollectProgress = z.infer<typeof CollectProgress>;

export const CollectReport = z.strictObject({
  dryRun: z.boolean(),
  startedAt: z.number().int(),
  endedAt: z.number().int(),
  pruned: z.strictObject({ runs: count, events: count, nodeViews: count, modelTexts: count }),
  /** Artifacts that something refers to. */
  reachable: count,
  /** Found without a reference now; they go when they still have none after the grace period. */
  condemned: count,
  /** Condemned earlier and still in the grace period. */
  waiting: count,
  /** Condemned earlier and referred to again. */
  rescued: count,
  deleted: count,
  deletedBytes: count,
});
export type CollectReport = z.infer<typeof CollectReport>;

export interface CollectOptions {
  retention: Retention;
  /** Milliseconds between condemning an artifact and deleting it: longer than any work that holds a reference. */
  graceMs: number;
  /** Counts what would be done and changes nothing. */
  dryRun: boolean;
  now(): number;
  onProgress?(progress: CollectProgress): void;
  signal?: AbortSignal;
}

/** Shortest grace period in hours that people may ask for: activities, with their repetitions, end far earlier. */
export const shortestGraceHours = 24;
export const usualGraceHours = 72;

export const BackupProgress = z.strictObject({
  phase: z.enum(['rows', 'artifacts']),
  done: count,
  /** As counted before; artifacts may have come since. */
  total: count,
  bytes: count,
});
export type BackupProgress = z.infer<typeof BackupProgress>;

export const BackupReport = z.strictObject({
  rows: count,
  /** Those that are no rows. */
  artifacts: count,
  /** Before compression. */
  bytes: count,
  damaged: z.array(Hash).describe('artifacts that were left out because their bytes no longer have their hash'),
});
export type BackupReport = z.infer<typeof BackupReport>;

/** What the upkeep process is asked for, as JSON in its one argument. Paths are absolute. */
export const UpkeepRequest = z.discriminatedUnion('task', [
  z.strictObject({ task: z.literal('gc'), dryRun: z.boolean(), graceHours: z.number().optional() }),
  z.strictObject({ task: z.literal('backup'), file: z.string().min(1) }),
  z.strictObject({ task: z.literal('restore'), file: z.string().min(1) }),
]);
export type UpkeepRequest = z.infer<typeof UpkeepRequest>;

/** Lines that it writes: progress, and at last a report or what went wrong. */
export const UpkeepLine = z.union([
  z.strictObject({ collecting: CollectProgress }),
  z.strictObject({ copying: BackupProgress }),
  z.strictObject({ collected: CollectReport }),
  z.strictObject({ copied: BackupReport }),
  z.strictObject({ failure: Failure }),
]);
export type UpkeepLine = z.infer<typeof UpkeepLine>;

export const StartCollection = z.strictObject({
  dryRun: z.boolean().default(false).describe('counts what would be done and changes nothing'),
  graceHours: z.number().min(shortestGraceHours).optional(),
});
export type StartCollection = z.infer<typeof StartCollection>;

/** The collection of garbage that this server started last. */
export const CollectionView = z.strictObject({
  state: z.enum(['none', 'running', 'succeeded', 'failed']),
  progress: CollectProgress.nullable(),
  report: CollectReport.nullable(),
  failure: Failure.nullable(),
});
export type CollectionView = z.infer<typeof CollectionView>;
