import { z } from 'zod';
import { BatchPart } from './batch-part.ts';
import { Budget } from './budget.ts';
import { NodeId } from './document.ts';
import { JsonObject } from './json.ts';
import { RevisionChoice } from './publication.ts';

/** Fields of a time, or one of cron's names for them: `30 6 * * 1-5`, `@daily`. */
const Cron = z
  .string()
  .trim()
  .max(200)
  .regex(
    /^(?:@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)|\S+(?:\s+\S+){4})$/,
    'five fields (minute, hour, day, month, weekday), or @daily and the like',
  );
const TimeZone = z.string().refine((zone) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}, 'a time zone by its IANA name, for example Europe/Berlin');

/** When a schedule acts: by the clock of a time zone, or each time an interval has passed. */
export const Timing = z.union([
  z.strictObject({ cron: Cron, timeZone: TimeZone.default('UTC') }),
  z.strictObject({ everySeconds: z.number().int().min(60).max(31_536_000) }),
]);
export type Timing = z.infer<typeof Timing>;

/** What happens when the batch before has not ended: nothing, one waits for it, or both run. */
export const Overlap = z.enum(['skip', 'wait', 'allow']);
export type Overlap = z.infer<typeof Overlap>;

/** Starts batches by itself. Document and inputs are frozen when it is made, when it is changed, and when it follows what is published. */
export const ScheduleRecord = z.strictObject({
  id: z.string(),
  title: z.string(),
  timing: Timing,
  overlap: Overlap,
  part: BatchPart,
  /** With `published`, publishing a revision moves it there. Of schedules from before there was a choice it is not known. */
  revision: RevisionChoice.optional(),
  /** Inputs that were given; the others have the document's defaults. */
  given: z.array(z.string()).optional(),
  /** Packages have to prove themselves in a sandbox. */
  prove: z.boolean().optional(),
  window: z.number().int().positive(),
  budget: Budget,
  /** Each batch goes on with the seeds after those of the one before; otherwise all have the same. */
  advance: z.boolean(),
  /** Batches that it has begun. */
  fired: z.number().int().nonnegative(),
  by: z.string(),
  createdAt: z.number().int(),
});
export type ScheduleRecord = z.infer<typeof ScheduleRecord>;

/** What may be changed of a schedule that is there. */
export type ScheduleSettings = Omit<ScheduleRecord, 'id' | 'fired' | 'by' | 'createdAt'>;

/** The part of the store that keeps schedules; when they act is kept by the engine. */
export interface ScheduleLog<Batch> {
  /** Does nothing when it is there already. */
  createSchedule(record: ScheduleRecord): Promise<void>;
  getSchedule(id: string): Promise<ScheduleRecord | null>;
  /** Newest first. */
  listSchedules(limit: number): Promise<ScheduleRecord[]>;
  /** Answers with the schedule as it is now; null when there is none. */
  updateSchedule(id: string, change: Partial<ScheduleSettings>): Promise<ScheduleRecord | null>;
  deleteSchedule(id: string): Promise<void>;
  /** Makes the batch of one turn of a schedule, once for each id of a batch. Null when there is no such schedule any more. */
  fireSchedule(id: string, batch: { id: string; workflowId: string; at: number }): Promise<Batch | null>;
}

const count = z.number().int().min(1).max(10_000);
const window = z.number().int().min(1).max(200);
const title = z.string().trim().min(1).max(200);

/** POST /api/schedules */
export const CreateSchedule = z.strictObject({
  title: title.optional(),
  documentId: NodeId,
  /** By default the published one; with that, publishing a revision moves the schedule to it. */
  revision: RevisionChoice.optional(),
  inputs: JsonObject.default({}),
  count: count.default(1),
  seed: z.number().int().default(1),
  advance: z.boolean().default(true),
  window: window.default(8),
  budget: Budget.optional(),
  /** Packages have to prove themselves in a sandbox. */
  prove: z.boolean().optional(),
  timing: Timing,
  overlap: Overlap.default('skip'),
  paused: z.boolean().default(false),
  idempotencyKey: z.string().max(200).optional(),
});
export type CreateSchedule = z.infer<typeof CreateSchedule>;

/** PUT /api/schedules/:id: what is left out stays. Document and inputs are frozen anew; batches that it began stay as they are. */
export const ChangeSchedule = z
  .strictObject({
    title,
    revision: RevisionChoice,
    /** In place of all that were given before. */
    inputs: JsonObject,
    count,
    /** Of the next batch. */
    seed: z.number().int(),
    advance: z.boolean(),
    window,
    budget: Budget,
    prove: z.boolean(),
    timing: Timing,
    overlap: Overlap,
  })
  .partial();
export type ChangeSchedule = z.infer<typeof ChangeSchedule>;

/** How a schedule stands with the engine. */
export const ScheduleSituation = z.strictObject({
  paused: z.boolean(),
  /** The next times, in milliseconds since 1970. */
  next: z.array(z.number().int()),
  /** The last times it acted, newest first, and the batches that it began; null for one that began none, or that is gone. */
  recent: z.array(z.strictObject({ at: z.number().int(), batchId: z.string().nullable() })),
  /** Batches of it that are not at their end. */
  running: z.number().int().nonnegative(),
});
export type ScheduleSituation = z.infer<typeof ScheduleSituation>;

/** `situation` is null for a schedule that the engine does not have: make it again. */
export const ScheduleView = z.strictObject({ schedule: ScheduleRecord, situation: ScheduleSituation.nullable() });
export type ScheduleView = z.infer<typeof ScheduleView>;
export const ScheduleList = z.strictObject({ schedules: z.array(ScheduleView) });
