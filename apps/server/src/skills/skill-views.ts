import type { ReviewCount } from '@cua-forge/spec/review';
import { fateOf } from '@cua-forge/spec/run-fate';
import type { SkillTally, SkillView } from '@cua-forge/spec/skills-view';
import type { MetaStore, SkillCount } from '@cua-forge/spec/store-port';

/** Batches that are looked through for each skill's newest, and how many of these are shown. */
const batchesRead = 200;
const batchesShown = 5;
const versionsShown = 8;
const costRows = 1_000;

type Meta = Pick<MetaStore, 'countReviews' | 'countSkillRuns' | 'costs' | 'listBatches' | 'getDocumentVersion'>;

/** Every skill that ran, by name. */
export async function skillViews(meta: Meta): Promise<SkillView[]> {
  const [counts, costs, batches, reviews] = await Promise.all([
    meta.countSkillRuns(),
    meta.costs({ by: 'skill', limit: costRows }),
    meta.listBatches(batchesRead),
    meta.countReviews({}),
  ]);
  const bySkill = grouped(counts, ({ skill }) => skill);
  const views = [...bySkill].map(async ([skill, own]): Promise<SkillView> => {
    const failures: Record<string, number> = {};
    for (const { rehearsed, failureCode, count } of own)
      if (!rehearsed && failureCode !== null) failures[failureCode] = (failures[failureCode] ?? 0) + count;
    const recent = batches.filter(({ parts }) => parts.some((part) => part.skill === skill)).slice(0, batchesShown);
    return {
      skill,
      tally: tallyOf(own),
      failures,
      cost: costs.rows.find(({ key }) => key === skill) ?? null,
      versions: await versionsOf(meta, own),
      reviews: reviewsOf(reviews.filter((review) => review.skill === skill)),
      batches: recent.map(({ id, title, state, count, createdAt }) => ({ id, title, state, count, createdAt })),
    };
  });
  return (await Promise.all(views)).sort((a, b) => a.skill.localeCompare(b.skill));
}

/** Reasons by how often they were given. */
function reviewsOf(counts: readonly ReviewCount[]): SkillView['reviews'] {
  const of = (verdict: ReviewCount['verdict']) =>
    counts.reduce((sum, each) => sum + (each.verdict === verdict ? each.count : 0), 0);
  const rejected = counts.flatMap(({ verdict, reason, count }) =>
    verdict === 'rejected' && reason !== null ? [{ reason, count }] : [],
  );
  return {
    accepted: of('accepted'),
    unreviewed: of('unreviewed'),
    rejected: rejected.sort((a, b) => b.count - a.count),
  };
}

async function versionsOf(meta: Meta, counts: readonly SkillCount[]): Promise<SkillView['versions']> {
  const versions = [...grouped(counts, ({ documentId, documentHash }) => `${documentId} ${documentHash}`).values()];
  const known = await Promise.all(
    versions.map(async (own) => {
      const { documentId, documentHash: hash } = own[0] ?? { documentId: '', documentHash: '' };
      const record = await meta.getDocumentVersion(hash);
      return {
        documentId,
        hash,
        revision: record?.revision ?? null,
        at: record?.updatedAt ?? null,
        tally: tallyOf(own),
      };
    }),
  );
  return known.sort((a, b) => (b.at ?? 0) - (a.at ?? 0)).slice(0, versionsShown);
}

function tallyOf(counts: readonly SkillCount[]): SkillTally {
  const tally: SkillTally = {
    accepted: 0,
    rejected: 0,
    failed: 0,
    open: 0,
    cancelled: 0,
    rehearsed: 0,
    acceptance: null,
  };
  for (const { state, failureCode, rehearsed, count } of counts) {
    const fate = fateOf(state, failureCode);
    if (rehearsed) tally.rehearsed += count;
    else if (fate === 'running' || fate === 'waiting') tally.open += count;
    else tally[fate] += count;
  }
  const judged = tally.accepted + tally.rejected + tally.failed;
  return { ...tally, acceptance: judged === 0 ? null : tally.accepted / judged };
}

function grouped<T>(list: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of list) {
    const key = keyOf(each);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return groups;
}
