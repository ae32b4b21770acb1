import { z } from 'zod';
import { CostRow } from './costs.ts';
import { ReviewReason } from './review.ts';
import { BatchState } from './store-port.ts';

const whole = z.number().int().nonnegative();

/** Runs by what became of them; rehearsed ones are in `rehearsed` alone. `acceptance` is the accepted part of those that ended by themselves. */
export const SkillTally = z.strictObject({
  accepted: whole,
  rejected: whole,
  failed: whole,
  open: whole,
  cancelled: whole,
  rehearsed: whole,
  acceptance: z.number().nullable(),
});
export type SkillTally = z.infer<typeof SkillTally>;

/** GET /api/skills */
export const SkillView = z.strictObject({
  /** Empty for runs of documents without a skill. */
  skill: z.string(),
  tally: SkillTally,
  /** What its runs failed with; rehearsals do not count. */
  failures: z.record(z.string(), whole),
  /** Null where no model was asked. */
  cost: CostRow.nullable(),
  /** Newest first; `revision` and `at` are null for a draft that was never saved. */
  versions: z.array(
    z.strictObject({
      documentId: z.string(),
      hash: z.string(),
      revision: whole.nullable(),
      at: z.number().int().nullable(),
      tally: SkillTally,
    }),
  ),
  /** What people think of its packages: how many they accepted, rejected for which reason, or have not looked at. */
  reviews: z.strictObject({
    accepted: whole,
    unreviewed: whole,
    rejected: z.array(z.strictObject({ reason: ReviewReason, count: whole })),
  }),
  /** The newest ones, newest first. */
  batches: z.array(
    z.strictObject({ id: z.string(), title: z.string(), state: BatchState, count: whole, createdAt: z.number().int() }),
  ),
});
export type SkillView = z.infer<typeof SkillView>;
export const SkillList = z.strictObject({ skills: z.array(SkillView) });
