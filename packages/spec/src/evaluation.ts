import { z } from 'zod';

/** What is compared: a revision of the document, with its models or with one model in the place of all. Its runs are a batch of their own. */
export const EvaluationVariant = z.strictObject({
  revision: z.number().int().positive(),
  model: z.string().nullable(),
  batchId: z.string(),
});
export type EvaluationVariant = z.infer<typeof EvaluationVariant>;

/** Versions or models of one document, each run on the same seeds. */
export const EvaluationRecord = z.strictObject({
  id: z.string(),
  title: z.string(),
  documentId: z.string(),
  /** First of the seeds, and how many there are. */
  seed: z.number().int(),
  count: z.number().int().positive(),
  variants: z.array(EvaluationVariant).min(1),
  by: z.string(),
  createdAt: z.number().int(),
});
export type EvaluationRecord = z.infer<typeof EvaluationRecord>;

/** The part of the store that keeps evaluations. */
export interface EvaluationLog {
  /** Does nothing when it is there already. */
  createEvaluation(record: EvaluationRecord): Promise<void>;
  getEvaluation(id: string): Promise<EvaluationRecord | null>;
  /** Newest first. */
  listEvaluations(limit: number): Promise<EvaluationRecord[]>;
}
