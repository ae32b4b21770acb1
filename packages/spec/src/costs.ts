import { z } from 'zod';
import { Usage } from './model-port.ts';

/** All calls counted: repaired, rejected, failed and repeated ones too. `usd` is null when the price of one is unknown. */
export const UsageSum = z.strictObject({
  calls: z.number().int(),
  usage: Usage,
  usd: z.number().nullable(),
  providers: z.array(z.string()),
});
export type UsageSum = z.infer<typeof UsageSum>;

/** What model calls are added up by. Map items and repeats of a node count as the node. */
export const CostBy = z.enum(['node', 'run', 'skill', 'batch', 'model']);
export type CostBy = z.infer<typeof CostBy>;

/** Calls of models between `from` and before `to` (epoch milliseconds), of one run, one batch or of all runs. */
export interface CostFilter {
  by: CostBy;
  runId?: string;
  batchId?: string;
  from?: number;
  to?: number;
  /** Rows at most, the dearest first. */
  limit: number;
}

const whole = z.number().int().nonnegative();

/** What a group of runs spent on models: all calls, also repaired, rejected, failed and repeated ones; none of rehearsals. */
export const CostRow = z.strictObject({
  /** `document/node`, a run, skill or batch, or `provider:model`. Empty for runs that belong to no skill or batch. */
  key: z.string(),
  calls: whole,
  failedCalls: whole,
  runs: whole,
  usage: Usage,
  /** US dollars; null when a call that used tokens has no known price. */
  usd: z.number().nullable(),
  unpricedCalls: whole,
  /** Task packages that a model helped to make, of the same runs: of the document for nodes, of all runs for models. */
  accepted: whole,
  usdPerAccepted: z.number().nullable(),
  tokensPerAccepted: z.number().nullable(),
});
export type CostRow = z.infer<typeof CostRow>;

/** GET /api/costs?by=&run=&batch=&from=&to=&limit= */
export const CostTable = z.strictObject({
  by: CostBy,
  rows: z.array(CostRow),
  total: CostRow,
  /** Calls that no model answered; they are in no row. */
  rehearsedCalls: whole,
});
export type CostTable = z.infer<typeof CostTable>;

/** Model calls of a stretch of time; rehearsals never count. */
export const SpendingPoint = z.strictObject({
  /** Its end, in epoch milliseconds. */
  at: z.number().int(),
  calls: whole,
  tokens: whole,
  usd: z.number(),
  unpricedCalls: whole,
});
export type SpendingPoint = z.infer<typeof SpendingPoint>;

export interface SpendingFilter {
  runId?: string;
  batchId?: string;
  skill?: string;
  from: number;
  to: number;
  /** Equal stretches that the time is cut into; those without a call are left out. */
  points: number;
}

/** GET /api/costs/over-time?run=&batch=&skill=&from=&to=&points= */
export const SpendingOverTime = z.strictObject({ points: z.array(SpendingPoint) });

type Sums = Omit<CostRow, 'usdPerAccepted' | 'tokensPerAccepted'>;

/** Adds what one accepted package cost, the calls for rejected ones included; null where nothing was accepted. */
export function costRow(sums: Sums): CostRow {
  const { accepted, usd, usage } = sums;
  return {
    ...sums,
    usdPerAccepted: accepted === 0 || usd === null ? null : usd / accepted,
    tokensPerAccepted: accepted === 0 ? null : (usage.input + usage.output) / accepted,
  };
}
