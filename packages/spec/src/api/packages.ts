import { z } from 'zod';
import { PackageReview, PackageVerdict } from '../review.ts';
import { PackageRecord } from '../store-port.ts';
import { TaskPackage } from '../task.ts';

/** Which packages of a list: those with this verdict of people, or with `kept` all but the rejected ones. */
export const VerdictFilter = z.enum([...PackageVerdict.options, 'kept']);
export type VerdictFilter = z.infer<typeof VerdictFilter>;

/** GET /api/packages?batchId=&runId=&skill=&verdict=&limit=&cursor= ; GET /api/packages/:id ; GET /api/packages/:id/archive is a .tar */
export const PackageList = z.strictObject({
  packages: z.array(PackageRecord),
  /** Verdicts that hold, by the ids of their packages. */
  reviews: z.record(z.string(), PackageReview),
  next: z.string().nullable(),
});
export type PackageList = z.infer<typeof PackageList>;

export const PackageView = z.strictObject({
  record: PackageRecord,
  package: TaskPackage,
  /** Every verdict of people, newest first: the first holds. */
  reviews: z.array(PackageReview),
});
export type PackageView = z.infer<typeof PackageView>;
