import { z } from 'zod';
import { KindMeta } from '../kind.ts';

/** GET /api/health */
export const Health = z.strictObject({
  version: z.string(),
  temporal: z.strictObject({ reachable: z.boolean(), address: z.string(), namespace: z.string(), detail: z.string() }),
  /** Same-origin path of the Temporal UI, or the cluster's UI address; null where there is none. */
  temporalUi: z.string().nullable(),
  workers: z.array(z.strictObject({ queue: z.string(), pollers: z.number().int() })),
  provider: z.string(),
  rehearsed: z.boolean(),
});
export type Health = z.infer<typeof Health>;

/** GET /api/kinds */
export const KindList = z.array(KindMeta);
