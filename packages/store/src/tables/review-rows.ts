import { ForgeError } from '@cua-forge/spec/errors';
import { listedAt } from '@cua-forge/spec/listed-at';
import { type NewPackageReview, PackageReview, ReviewCount, type ReviewLog } from '@cua-forge/spec/review';
import { type Selectable, sql } from 'kysely';
import { build } from '../query-builder.ts';
import { parseRow } from '../rows.ts';
import { all, first, modify, type Steps } from '../steps.ts';
import type { Tables } from '../tables.ts';

/** Ids in one query at most: databases bound the number of parameters. */
const idsAtOnce = 500;

/** What people think of packages: the newest review of a package holds. */
export class ReviewRows {
  /** @throws ForgeError `not-found` */
  *add(reviews: readonly NewPackageReview[]): Steps<PackageReview[]> {
    const ids = [...new Set(reviews.map(({ packageId }) => packageId))];
    const there = new Set(
      (yield* inChunks(ids, (some) => all(build.selectFrom('packages').select('id').where('id', 'in', some)))).map(
        ({ id }) => id,
      ),
    );
    const missing = ids.filter((id) => !there.has(id));
    if (missing.length > 0) {
      const named = missing.slice(0, 5).map((id) => `"${id}"`);
      const more = missing.length > named.length ? ` and ${missing.length - named.length} more` : '';
      throw new ForgeError('not-found', `There is no package ${named.join(', ')}${more}; no verdict was kept.`, {
        fix: listedAt('packages'),
      });
    }
    const holding = new Map((yield* this.holding(ids)).map((review) => [review.packageId, review]));
    const result: PackageReview[] = [];
    for (const review of reviews) {
      const known = holding.get(review.packageId);
      const now = known !== undefined && says(known, review) ? known : yield* this.#insert(review);
      holding.set(review.packageId, now);
      result.push(now);
    }
    return result;
  }

  *holding(packageIds: readonly string[]): Steps<PackageReview[]> {
    const rows = yield* inChunks(packageIds, (some) =>
      all(
        build
          .selectFrom('package_reviews')
          .innerJoin('packages', 'packages.review_id', 'package_reviews.id')
          .selectAll('package_reviews')
          .where('packages.id', 'in', some),
      ),
    );
    return rows.map(toReview);
  }

  *list(packageId: string): Steps<PackageReview[]> {
    const rows = yield* all(
      build.selectFrom('package_reviews').selectAll().where('package_id', '=', packageId).orderBy('id', 'desc'),
    );
    return rows.map(toReview);
  }

  *count({ skill, batchId }: Parameters<ReviewLog['countReviews']>[0]): Steps<ReviewCount[]> {
    // A verdict that was taken back has no reason, and one that was never given has no row.
    const reason = sql<string>`coalesce(package_reviews.reason, '')`;
    let query = build
      .selectFrom('packages')
      .leftJoin('package_reviews', 'packages.review_id', 'package_reviews.id')
      .select(['packages.skill', 'packages.verdict', reason.as('reason')])
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .groupBy(['packages.skill', 'packages.verdict', reason])
      .orderBy('packages.skill')
      .orderBy('packages.verdict')
      .orderBy(reason);
    if (skill !== undefined) query = query.where('packages.skill', '=', skill);
    if (batchId !== undefined) query = query.where('packages.batch_id', '=', batchId);
    return (yield* all(query)).map(({ reason: why, ...row }) =>
      parseRow(ReviewCount, 'package_reviews', { ...row, reason: why || null }),
    );
  }

  *#insert(review: NewPackageReview): Steps<PackageReview> {
    const { packageId, verdict, reason, note, by, at } = parseRow(PackageReview, 'package_reviews', {
      ...review,
      id: 0,
    });
    const row = { package_id: packageId, verdict, reason: reason ?? '', note, user_name: by, at };
    yield* modify(build.insertInto('package_reviews').values(row));
    const newest = build.selectFrom('package_reviews').selectAll().where('package_id', '=', packageId);
    const added = yield* first(newest.orderBy('id', 'desc').limit(1));
    if (added === undefined) throw new ForgeError('internal', `The review of "${packageId}" is not there.`);
    yield* modify(build.updateTable('packages').set({ review_id: added.id, verdict }).where('id', '=', packageId));
    return toReview(added);
  }
}

/** Whether a review that holds says the same, by the same person. */
const says = (known: PackageReview, review: NewPackageReview): boolean =>
  known.verdict === review.verdict &&
  known.reason === review.reason &&
  known.note === review.note &&
  known.by === review.by;

function* inChunks<Row>(ids: readonly string[], ask: (some: string[]) => Steps<Row[]>): Steps<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < ids.length; start += idsAtOnce)
    rows.push(...(yield* ask(ids.slice(start, start + idsAtOnce))));
  return rows;
}

const toReview = (row: Selectable<Tables['package_reviews']>): PackageReview =>
  parseRow(PackageReview, 'package_reviews', {
    id: row.id,
    packageId: row.package_id,
    verdict: row.verdict,
    reason: row.reason || null,
    note: row.note,
    by: row.user_name,
    at: row.at,
  });
