import { z } from 'zod';
import { BatchView } from './api/batches.ts';
import { Budget } from './budget.ts';
import { NodeId } from './document.ts';
import { EvaluationRecord, EvaluationVariant } from './evaluation.ts';
import { JsonObject } from './json.ts';
import { ModelName } from './models-view.ts';
import { RevisionChoice } from './publication.ts';
import { Fate } from './run-fate.ts';

/** Variants of one evaluation at most. */
export const mostVariants = 8;

/** POST /api/evaluations: every revision with every model, on the seeds `seed`, `seed + 1`, … */
export const StartEvaluation = z.strictObject({
  title: z.string().trim().min(1).max(200).optional(),
  documentId: NodeId,
  revisions: z.array(RevisionChoice).min(1).max(mostVariants).default(['published']),
  /** In the place of every model that the document names; null for the document as it is. */
  models: z.array(ModelName.nullable()).min(1).max(mostVariants).default([null]),
  inputs: JsonObject.default({}),
  count: z.number().int().min(1).max(500),
  seed: z.number().int().default(1),
  /** Runs of each variant at once. */
  window: z.number().int().min(1).max(200).default(4),
  /** Of each variant. */
  budget: Budget.optional(),
  prove: z.boolean().optional(),
  idempotencyKey: z.string().max(200).optional(),
});
export type StartEvaluation = z.infer<typeof StartEvaluation>;

export const EvaluationView = z.strictObject({
  evaluation: EvaluationRecord,
  /** In the order of the record. */
  variants: z.array(
    z.strictObject({
      ...EvaluationVariant.shape,
      batch: BatchView,
      /** Bounds of the acceptance that hold with 95 % (Wilson's score interval); null where it has none. */
      between: z.tuple([z.number(), z.number()]).nullable(),
    }),
  ),
  /** What each variant made of each seed. */
  seeds: z.array(
    z.strictObject({
      seed: z.number().int(),
      runs: z.array(z.strictObject({ id: z.string().nullable(), fate: Fate, failureCode: z.string().nullable() })),
    }),
  ),
});
export type EvaluationView = z.infer<typeof EvaluationView>;

export const EvaluationList = z.strictObject({
  evaluations: z.array(
    z.strictObject({
      evaluation: EvaluationRecord,
      /** Runs of all variants that have ended. */
      done: z.number().int().nonnegative(),
    }),
  ),
});
export type EvaluationList = z.infer<typeof EvaluationList>;
