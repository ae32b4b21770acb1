import { z } from 'zod';
import { JsonObject } from './json.ts';

/** What people think of a package; `unreviewed` until somebody says so, or when a verdict was taken back. */
export const PackageVerdict = z.enum(['unreviewed', 'accepted', 'rejected']);
export type PackageVerdict = z.infer<typeof PackageVerdict>;

/** Why people reject packages. */
export const ReviewReason = z.enum([
  'unclear',
  'language',
  'gives-answer-away',
  'unrealistic',
  'inconsistent',
  'too-easy',
  'too-hard',
  'duplicate',
  'wrong-file',
  'wrong-setup',
  'wrong-rubric',
  'personal-data',
  'other',
]);
export type ReviewReason = z.infer<typeof ReviewReason>;

/** In words, and the gate that should have found it; null where none looks for it. */
export const reviewReasons: Readonly<Record<ReviewReason, { text: string; gate: string | null }>> = {
  unclear: { text: 'The instruction can be understood in several ways.', gate: 'gate.ambiguity' },
  language: { text: 'The instruction is badly written.', gate: 'gate.language' },
  'gives-answer-away': { text: 'The instruction tells the answer or the setup.', gate: 'gate.package' },
  unrealistic: { text: 'Nobody would ask for this.', gate: 'gate.realism' },
  inconsistent: { text: 'Parts of the task contradict each other.', gate: 'gate.consistency' },
  'too-easy': { text: 'It takes too little to do it.', gate: 'gate.difficulty' },
  'too-hard': { text: 'It cannot be done with what is there.', gate: 'gate.difficulty' },
  duplicate: { text: 'There is a task like it already.', gate: 'gate.duplicate' },
  'wrong-file': { text: 'A file is not what it should be.', gate: 'gate.matches-spec' },
  'wrong-setup': { text: 'The setup does not make what the task needs.', gate: 'gate.script' },
  'wrong-rubric': { text: 'The rubric judges wrongly.', gate: 'gate.rubric' },
  'personal-data': { text: 'It holds data of a real person.', gate: 'gate.personal-data' },
  other: { text: 'Something else, told in the note.', gate: null },
};

/** A verdict of a person on one package. The newest of a package holds; the others are its history and are never changed. */
export const PackageReview = z.strictObject({
  /** Grows over the whole store. */
  id: z.number().int(),
  packageId: z.string(),
  verdict: PackageVerdict,
  /** Of a rejection; null otherwise. */
  reason: ReviewReason.nullable(),
  note: z.string().max(2_000),
  /** Name of the user. */
  by: z.string(),
  at: z.number().int(),
});
export type PackageReview = z.infer<typeof PackageReview>;
export type NewPackageReview = Omit<PackageReview, 'id'>;

/** How many packages of a skill have a verdict now. */
export const ReviewCount = z.strictObject({
  skill: z.string(),
  verdict: PackageVerdict,
  reason: ReviewReason.nullable(),
  count: z.number().int().positive(),
});
export type ReviewCount = z.infer<typeof ReviewCount>;

/** The part of the store that keeps what people think of packages. */
export interface ReviewLog {
  /**
   * Adds verdicts, all or none; answers with the one that holds now for each, in the same order. One that says what holds already is not added again.
   * @throws ForgeError `not-found` naming the packages that are not there
   */
  reviewPackages(reviews: NewPackageReview[]): Promise<PackageReview[]>;
  /** Verdicts that hold now, of these packages. */
  reviewsOf(packageIds: readonly string[]): Promise<PackageReview[]>;
  /** All verdicts on one package, newest first. */
  listReviews(packageId: string): Promise<PackageReview[]>;
  countReviews(filter: { skill?: string; batchId?: string }): Promise<ReviewCount[]>;
}

/** PUT /api/packages/:id/review. A rejection takes a reason, and the reason `other` a note. */
const reviewed = {
  verdict: PackageVerdict,
  reason: ReviewReason.nullable().default(null),
  note: z.string().trim().max(2_000).default(''),
  /** Who says so, where the server asks for no login; with one it is the user. */
  by: z.string().trim().min(1).max(64).default('someone'),
};
interface Reviewed {
  verdict: PackageVerdict;
  reason: ReviewReason | null;
  note: string;
}
const reasoned = ({ verdict, reason }: Reviewed): boolean => (verdict === 'rejected') === (reason !== null);
const told = ({ reason, note }: Reviewed): boolean => reason !== 'other' || note !== '';
const whyReason = 'a rejection takes a reason, and nothing else does';
const whyNote = 'the reason "other" takes a note that says which';

export const ReviewPackage = z
  .strictObject(reviewed)
  .refine(reasoned, { error: whyReason, path: ['reason'] })
  .refine(told, { error: whyNote, path: ['note'] });
export type ReviewPackage = z.infer<typeof ReviewPackage>;
/** POST /api/packages/reviews: the same verdict on several packages, all or none. */
export const ReviewPackages = z
  .strictObject({ ids: z.array(z.string().min(1)).min(1).max(1_000), ...reviewed })
  .refine(reasoned, { error: whyReason, path: ['reason'] })
  .refine(told, { error: whyNote, path: ['note'] });
export type ReviewPackages = z.infer<typeof ReviewPackages>;
export const ReviewList = z.strictObject({ reviews: z.array(PackageReview) });

/** GET /api/reviews?skill=&batchId= */
export const ReviewSummary = z.strictObject({
  counts: z.array(ReviewCount),
  /** Every reason that there is. */
  reasons: z.array(z.strictObject({ reason: ReviewReason, text: z.string(), gate: z.string().nullable() })),
});
export type ReviewSummary = z.infer<typeof ReviewSummary>;

/**
 * What a gate was shown and let pass, of a package that people rejected for a fault that this gate looks for: a bad example for its
 * corpus. Values stand in it whole, files by their hashes.
 */
export const RejectedExample = z.strictObject({
  packageId: z.string(),
  title: z.string(),
  skill: z.string(),
  runId: z.string(),
  /** Path of the gate in the run. */
  node: z.string(),
  gate: z.string(),
  reason: ReviewReason,
  note: z.string(),
  params: JsonObject,
  inputs: JsonObject,
});
export type RejectedExample = z.infer<typeof RejectedExample>;

/** GET /api/reviews/examples?skill=&gate=&limit=&cursor= */
export const RejectedExamples = z.strictObject({
  examples: z.array(RejectedExample),
  /** Rejected packages of the page that give none, and why. */
  without: z.array(z.strictObject({ packageId: z.string(), why: z.string() })),
  next: z.string().nullable(),
});
export type RejectedExamples = z.infer<typeof RejectedExamples>;
