import { ForgeError } from '@cua-forge/spec/errors';
import { ReviewReason, type ReviewSummary, reviewReasons } from '@cua-forge/spec/review';
import { readCursor } from '../http/cursor.ts';
import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { rejectedExamples } from '../reviews/rejected-examples.ts';
import type { User } from '../security/user.ts';
import type { Services } from '../services.ts';
import { findPackage } from './packages.routes.ts';

const reasons: ReviewSummary['reasons'] = ReviewReason.options.map((reason) => ({ reason, ...reviewReasons[reason] }));

/** The user who logged in, or who the request says where nobody has to. */
const reviewer = (user: User | null, by: string): string => (user === null || user.via === 'local' ? by : user.name);

type Names = 'packageReviews' | 'reviewPackage' | 'reviewPackages' | 'reviews' | 'rejectedExamples';

export const reviewRoutes = ({ store, now }: Services): HandlersOf<Names> => ({
  packageReviews: async ({ params }) => {
    const { id } = await findPackage(store.meta, params.id);
    return { reviews: await store.meta.listReviews(id) };
  },

  reviewPackage: async ({ params: { id }, body, user }) => {
    const review = { ...body, packageId: id, by: reviewer(user, body.by), at: now() };
    const [kept] = await store.meta.reviewPackages([review]);
    if (kept === undefined) throw new ForgeError('internal', `The verdict on "${id}" was not kept.`);
    return kept;
  },

  reviewPackages: async ({ body: { ids, ...said }, user }) => {
    const review = { ...said, by: reviewer(user, said.by), at: now() };
    return { reviews: await store.meta.reviewPackages(ids.map((packageId) => ({ ...review, packageId }))) };
  },

  reviews: async ({ query }) => ({ counts: await store.meta.countReviews(given(query)), reasons }),

  rejectedExamples: async ({ query: { cursor, limit, ...filter } }) => {
    const before = cursor === undefined ? undefined : readCursor(cursor);
    return rejectedExamples(store, { ...given({ ...filter, before }), limit });
  },
});
