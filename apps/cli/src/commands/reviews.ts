import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Json } from '@cua-forge/spec/json';
import type { PackageReview, RejectedExample, ReviewPackages } from '@cua-forge/spec/review';
import { FileValue } from '@cua-forge/spec/value';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

const words = ({ verdict, reason, note }: PackageReview): string =>
  [verdict, reason ?? '', note].filter((part) => part !== '').join(' · ');

/** The same verdict on several packages, all or none. */
export async function reviewPackages(
  api: ApiClient,
  output: Output,
  said: Pick<ReviewPackages, 'ids' | 'verdict' | 'reason' | 'note' | 'by'>,
): Promise<number> {
  const { reviews } = await api.reviewPackages(said);
  printResult(output, reviews, (all) => all.map((review) => `${review.packageId}: ${words(review)}`).join('\n'));
  return exitCodes.done;
}

export async function showReviews(api: ApiClient, output: Output, id: string): Promise<number> {
  const { reviews } = await api.packageReviews(id);
  printResult(output, reviews, (all) =>
    all.length === 0
      ? 'Nobody has looked at it yet.'
      : tableText(
          ['when', 'who', 'verdict'],
          all.map((review) => [new Date(review.at).toISOString(), review.by, words(review)]),
        ),
  );
  return exitCodes.done;
}

export async function reviewSummary(
  api: ApiClient,
  output: Output,
  filter: { skill?: string; batchId?: string },
): Promise<number> {
  const summary = await api.reviews(filter);
  const gates = new Map(summary.reasons.map(({ reason, gate }) => [reason, gate]));
  printResult(output, summary, ({ counts }) =>
    counts.length === 0
      ? 'There are no packages.'
      : tableText(
          ['skill', 'verdict', 'reason', 'gate that missed it', 'packages'],
          counts.map(({ skill, verdict, reason, count }) => [
            skill,
            verdict,
            reason ?? '',
            (reason === null ? null : gates.get(reason)) ?? '',
            String(count),
          ]),
        ),
  );
  return exitCodes.done;
}

/** Writes what gates let pass of rejected packages as JSON lines; a file among the inputs stands in them whole, as base64. */
export async function exportExamples(
  api: ApiClient,
  output: Output,
  file: string,
  { limit, ...filter }: { skill?: string; gate?: string; limit: number },
): Promise<number> {
  if (!file.endsWith('.jsonl'))
    throw new ForgeError('input.invalid', `${file} does not end in .jsonl.`, {
      fix: 'The examples are written as JSON lines: give the file that ending.',
    });
  const lines: string[] = [];
  const without: { packageId: string; why: string }[] = [];
  for (let cursor: string | undefined; lines.length < limit; ) {
    const page = await api.rejectedExamples({ ...filter, ...(cursor === undefined ? {} : { cursor }) });
    without.push(...page.without);
    for (const example of page.examples.slice(0, limit - lines.length))
      lines.push(`${JSON.stringify(await withFiles(api, example))}\n`);
    output.reporter.line(`${lines.length} examples, ${without.length} packages without one`);
    if (page.next === null) break;
    cursor = page.next;
  }
  const path = resolve(file);
  await writeFile(`${path}.new`, lines.join(''));
  await rename(`${path}.new`, path);
  printResult(output, { path, examples: lines.length, without }, () =>
    [
      `${path}: ${lines.length} examples`,
      ...without.map(({ packageId, why }) => `  without one: ${packageId} (${why})`),
    ].join('\n'),
  );
  return exitCodes.done;
}

async function withFiles(api: ApiClient, example: RejectedExample): Promise<RejectedExample> {
  const entries = Object.entries(example.inputs).map(
    async ([port, value]) => [port, await inPlace(api, value)] as const,
  );
  return { ...example, inputs: Object.fromEntries(await Promise.all(entries)) };
}

async function inPlace(api: ApiClient, value: Json): Promise<Json> {
  if (Array.isArray(value)) return Promise.all(value.map((member) => inPlace(api, member)));
  const file = FileValue.safeParse(value);
  if (!file.success) return value;
  const { name, mediaType, hash } = file.data;
  return { name, mediaType, base64: Buffer.from(await api.file(hash)).toString('base64') };
}
