import { z } from 'zod';

/** Within what a value is unique: the runs of one batch, of one skill, or of one document. */
export const ClaimScope = z.enum(['batch', 'skill', 'document']);
export type ClaimScope = z.infer<typeof ClaimScope>;

export interface ClaimRequest {
  scope: ClaimScope;
  /** What kind of thing is claimed: equal values under different names do not meet. */
  name: string;
  /** Equal texts are equal values. Only its hash is kept. */
  value: string;
  /** Values that are alike count as equal too. */
  near?: {
    /** Numbers of which alike values share many, the same count for all claims of one name. */
    signature: readonly number[];
    /** Share of equal numbers, at their places, from which on two values count as equal. */
    atLeast: number;
  };
}

export type ClaimAnswer =
  | { granted: true }
  /** `alike` is the share of equal numbers; 1 for an equal value. `own`: another node or item of the same run holds it. */
  | { granted: false; alike: number; own: boolean };

/** Values that runs claim for themselves. */
export interface ClaimsPort {
  /**
   * Claims a value for this node of this run, in one step for all workers. A node holds one value of a name: with a new one it gives the
   * old one back; the same one is granted again, however often it is asked for.
   */
  claim(request: ClaimRequest): Promise<ClaimAnswer>;
}
