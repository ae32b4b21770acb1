import { z } from 'zod';
import { Budget, Spent } from '../budget.ts';
import { UsageSum } from '../costs.ts';
import { JsonObject } from '../json.ts';
import { RevisionChoice } from '../publication.ts';
import { BatchRecord } from '../store-port.ts';

/** POST /api/batches: `count` runs of a document with seeds `seed`, `seed + 1`, …, or of each of several; `window` at once. */
export const StartBatch = z.strictObject({
  documentId: z.string().optional(),
  /** Of each document whose part does not say otherwise; by default the published one. */
  revision: RevisionChoice.optional(),
  inputs: JsonObject.default({}),
  /** Several documents instead of one; they take turns. `count` and `seed` are the batch's where a part has none. */
  parts: z
    .array(
      z.strictObject({
        documentId: z.string(),
        revision: RevisionChoice.optional(),
        inputs: JsonObject.default({}),
        count: z.number().int().min(1).max(100_000).optional(),
        seed: z.number().int().optional(),
      }),
    )
    .min(1)
    .max(100)
    .optional(),
  count: z.number().int().min(1).max(100_000),
  seed: z.number().int(),
  window: z.number().int().min(1).max(200).default(8),
  /** Packages have to prove themselves in a sandbox; a run whose package does not is rejected. */
  prove: z.boolean().optional(),
  budget: Budget.optional(),
  idempotencyKey: z.string().max(200).optional(),
});
export type StartBatch = z.infer<typeof StartBatch>;

const whole = z.number().int().nonnegative();

/** GET /api/batches/:id */
export const BatchView = z.strictObject({
  batch: BatchRecord,
  /** Runs. `rejected` are failed ones whose failure is a gate's; `waiting` are not started yet, or wait to be taken up again. */
  counts: z.strictObject({
    done: whole,
    accepted: whole,
    rejected: whole,
    failed: whole,
    cancelled: whole,
    running: whole,
    waiting: whole,
  }),
  failures: z.record(z.string(), whole),
  usage: UsageSum,
  spent: Spent,
  /** A value of it was made without a model; such batches have no acceptance and no cost. */
  rehearsed: z.boolean(),
  /** Part of the runs that ended by themselves which were accepted. */
  acceptance: z.number().nullable(),
  /** All that was spent, the rejected and failed runs' too, for each accepted run. */
  perAccepted: z.strictObject({ usd: z.number().nullable(), tokens: z.number() }).nullable(),
  progress: z.strictObject({
    /** Runs that ended in the last minutes. */
    perMinute: z.number().nullable(),
    secondsLeft: z.number().nullable(),
  }),
});
export type BatchView = z.infer<typeof BatchView>;

/** POST /api/batches/:id/retry: runs of the batch that failed with this code (without: all that failed, were cancelled or terminated). They run in the batch's window. */
export const RetryBatch = z.strictObject({ failureCode: z.string().optional() });

export const RetryBatchResult = z.strictObject({ runs: z.array(z.string()) });

/** POST /api/batches/:id/resume: of a batch that is paused, out of budget or cancelled; of a running one it changes the settings. POST …/pause takes none. Both answer with the BatchRecord. */
export const ResumeBatch = z.strictObject({
  /** Bounds to put in the place of the batch's; those left out stay. */
  budget: z
    .strictObject({ usd: z.number().positive().nullable(), tokens: z.number().int().positive().nullable() })
    .partial()
    .optional(),
  window: z.number().int().min(1).max(200).optional(),
});
export type ResumeBatch = z.infer<typeof ResumeBatch>;

/** GET /api/batches?limit=&cursor= */
export const BatchList = z.strictObject({ batches: z.array(BatchRecord), next: z.string().nullable() });
