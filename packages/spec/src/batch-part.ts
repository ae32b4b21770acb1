import { z } from 'zod';
import { ValueRef } from './value.ts';

/** Runs of one document in a batch, with consecutive seeds from `seed` on. */
export const BatchPart = z.strictObject({
  documentId: z.string(),
  documentHash: z.string(),
  /** Of the document; of batches from before revisions were chosen it is not known. */
  revision: z.number().int().positive().optional(),
  planHash: z.string(),
  title: z.string(),
  skill: z.string(),
  inputs: z.record(z.string(), ValueRef),
  count: z.number().int().positive(),
  seed: z.number().int(),
});
export type BatchPart = z.infer<typeof BatchPart>;
