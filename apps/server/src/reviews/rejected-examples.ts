import { JsonObject } from '@cua-forge/spec/json';
import { type PackageReview, type RejectedExample, type RejectedExamples, reviewReasons } from '@cua-forge/spec/review';
import type { PackageRecord, Store, TimeMark } from '@cua-forge/spec/store-port';
import type { ValueRef } from '@cua-forge/spec/value';
import { z } from 'zod';
import { nextCursor } from '../http/cursor.ts';
import { given } from '../http/given.ts';
import { getJson } from '../runs/json-artifact.ts';

export interface ExamplesFilter {
  skill?: string;
  gate?: string;
  limit: number;
  before?: TimeMark;
}

/**
 * Bad examples for the gates: each rejected package is traced to the gate that looks for the fault people found, and to what that gate was shown
 * when it let the package pass. `limit` counts packages.
 */
export async function rejectedExamples(store: Store, filter: ExamplesFilter): Promise<RejectedExamples> {
  const { gate, limit, ...rest } = filter;
  const packages = await store.meta.listPackages({ ...given(rest), verdicts: ['rejected'], limit });
  const reviews = await store.meta.reviewsOf(packages.map(({ id }) => id));
  const byPackage = new Map(reviews.map((review) => [review.packageId, review]));
  const answer: RejectedExamples = { examples: [], without: [], next: nextCursor(packages, limit) };
  for (const record of packages) {
    const review = byPackage.get(record.id);
    if (review === undefined || review.reason === null) continue;
    const meant = reviewReasons[review.reason].gate;
    if (gate !== undefined && meant !== gate) continue;
    const found = meant === null ? [] : await examplesOf(store, record, review, meant);
    answer.examples.push(...found);
    if (found.length === 0) answer.without.push({ packageId: record.id, why: whyNone(review, meant) });
  }
  return answer;
}

const whyNone = ({ reason }: PackageReview, gate: string | null): string =>
  gate === null
    ? `No gate looks for "${reason}".`
    : `Its run has no ${gate} that let it pass, or what the gate was shown is gone.`;

async function examplesOf(
  store: Store,
  record: PackageRecord,
  { reason, note }: PackageReview,
  gate: string,
): Promise<RejectedExample[]> {
  const outcomes = await store.meta.listOutcomes(record.runId, { kind: gate });
  const newest = new Map(outcomes.map((outcome) => [outcome.key, outcome]));
  const examples: RejectedExample[] = [];
  for (const outcome of newest.values()) {
    if (outcome.verdict?.verdict !== 'pass' || reason === null) continue;
    const shown = await shownTo(store, outcome.params, outcome.inputs);
    if (shown === null) continue;
    const { id, title, skill, runId } = record;
    examples.push({ packageId: id, title, skill, runId, node: outcome.key, gate, reason, note, ...shown });
  }
  return examples;
}

/** Params and inputs of a gate by value; null when some of it is not in the store any more. Several values of one port are a list. */
async function shownTo(
  { artifacts }: Store,
  params: string,
  inputs: Readonly<Record<string, ValueRef[]>>,
): Promise<Pick<RejectedExample, 'params' | 'inputs'> | null> {
  const read = async ({ hash, index }: ValueRef) => {
    const value = await getJson(artifacts, hash, z.json(), 'value');
    return index === undefined ? value : z.array(z.json()).parse(value)[index];
  };
  try {
    const values = await Promise.all(
      Object.entries(inputs).map(async ([port, refs]) => {
        const all = await Promise.all(refs.map(read));
        return [port, all.length === 1 ? all[0] : all] as const;
      }),
    );
    return {
      params: await getJson(artifacts, params, JsonObject, 'params'),
      inputs: JsonObject.parse(Object.fromEntries(values)),
    };
  } catch {
    return null;
  }
}
