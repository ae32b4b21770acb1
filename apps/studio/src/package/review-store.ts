import type { PackageReview, PackageVerdict, ReviewReason } from '@cua-forge/spec/review';
import { create } from 'zustand';
import { packagesApi } from '../api/packages-api.ts';

export interface Verdict {
  verdict: PackageVerdict;
  reason: ReviewReason | null;
  note: string;
}

/** What one act of review replaced, so that it can be taken back. */
interface Step {
  before: readonly { id: string; verdict: Verdict }[];
}

interface ReviewState {
  /** Packages in the order of the list that a person goes through. */
  order: readonly string[];
  /** Verdicts that hold, by package; newer than what was loaded with a list. */
  known: Readonly<Record<string, PackageReview>>;
  past: readonly Step[];
  setOrder(order: readonly string[]): void;
  learn(reviews: readonly PackageReview[]): void;
  /** The same verdict on all of them. @throws ForgeError */
  judge(ids: readonly string[], verdict: Verdict): Promise<void>;
  /** Takes the last act back; resolves to the packages that it concerned. @throws ForgeError */
  undo(): Promise<readonly string[]>;
}

const open: Verdict = { verdict: 'unreviewed', reason: null, note: '' };
const STEPS = 100;

/** Verdicts of people, with the way back. */
export const useReviews = create<ReviewState>((set, get) => {
  const learn = (reviews: readonly PackageReview[]) =>
    set(({ known }) => {
      const newer = reviews.filter((review) => (known[review.packageId]?.id ?? 0) < review.id);
      return newer.length === 0
        ? {}
        : { known: { ...known, ...Object.fromEntries(newer.map((review) => [review.packageId, review])) } };
    });
  return {
    order: [],
    known: {},
    past: [],
    setOrder: (order) => set({ order }),
    learn,
    async judge(ids, verdict) {
      const { known } = get();
      const before = ids.map((id) => ({ id, verdict: known[id] ?? open }));
      learn((await packagesApi.reviewPackages({ ids: [...ids], ...verdict })).reviews);
      set(({ past }) => ({ past: [...past.slice(1 - STEPS), { before }] }));
    },
    async undo() {
      const step = get().past.at(-1);
      if (step === undefined) return [];
      const groups = Map.groupBy(step.before, ({ verdict }) => JSON.stringify(verdictOf(verdict)));
      for (const group of groups.values()) {
        const [first] = group;
        if (first !== undefined)
          learn(
            (await packagesApi.reviewPackages({ ids: group.map(({ id }) => id), ...verdictOf(first.verdict) })).reviews,
          );
      }
      set(({ past }) => ({ past: past.filter((each) => each !== step) }));
      return step.before.map(({ id }) => id);
    },
  };
});

const verdictOf = ({ verdict, reason, note }: Verdict): Verdict => ({ verdict, reason, note });

/** The package `by` places further in the list; undefined at its ends, or when it is in no list. */
export function neighbour(order: readonly string[], id: string, by: 1 | -1): string | undefined {
  const at = order.indexOf(id);
  return at < 0 ? undefined : order[at + by];
}
