import { randomUUID } from 'node:crypto';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { BatchView } from '@cua-forge/spec/api/batches';
import type { RevisionChoice } from '@cua-forge/spec/publication';
import type { Reporter } from '../bootstrap/progress.ts';
import { documentVersion } from './document-version.ts';
import { followBatch } from './follow-batch.ts';
import { givenInputs } from './given-inputs.ts';
import { PackageWriter } from './package-writer.ts';

export interface GenerateOptions {
  skill: string;
  count: number;
  seed: number;
  /** The published one by default. */
  revision?: RevisionChoice | undefined;
  /** Folder the packages are written into. */
  out: string;
  /** Input name → text or path of a file. */
  inputs: ReadonlyMap<string, string>;
  /** Runs in progress at once. */
  window?: number | undefined;
  /** Packages have to prove themselves in a sandbox. */
  prove?: boolean | undefined;
  /** Ends the batch early. */
  signal?: AbortSignal | undefined;
}

export interface GenerateSummary {
  requested: number;
  accepted: number;
  rejected: number;
  failed: number;
  provider: string;
  tokens: { input: number; cached: number; output: number };
  usd: number | null;
  seconds: number;
  packages: { id: string; path: string }[];
}

/**
 * Generates `count` task packages of a skill, with seeds from `seed` on, and writes the accepted ones to `out` as they come. Ending it by the signal
 * cancels the batch; what was accepted until then is kept.
 * @throws ForgeError what the server refuses, or `server.unreachable`
 */
export async function generate(options: GenerateOptions, api: ApiClient, output: Reporter): Promise<GenerateSummary> {
  const began = performance.now();
  const { skill, count, seed, out, signal } = options;
  const { revision = 'published' } = options;
  const document = await documentVersion(api, skill, revision);
  const inputs = await givenInputs(api, document, options.inputs);
  const { id } = await api.startBatch({
    documentId: skill,
    revision,
    count,
    seed,
    inputs,
    idempotencyKey: randomUUID(),
    ...(options.window === undefined ? {} : { window: options.window }),
    ...(options.prove === true ? { prove: true } : {}),
  });
  const writer = new PackageWriter(api, out);
  const interrupt = { signal, says: 'Cancelling the batch', act: () => api.cancelBatch(id) };
  const view = await followBatch({ batchId: id, writer, interrupt }, api, output);
  return summaryOf(api, view, count, performance.now() - began, writer);
}

async function summaryOf(
  api: ApiClient,
  view: BatchView,
  requested: number,
  elapsedMs: number,
  writer: PackageWriter,
): Promise<GenerateSummary> {
  const { counts, usage } = view;
  return {
    requested,
    accepted: writer.accepted,
    rejected: counts.rejected,
    failed: failedOf(view, writer),
    provider: await providerOf(api, view),
    tokens: usage.usage,
    usd: usage.usd,
    seconds: Math.round(elapsedMs / 10) / 100,
    packages: writer.packages,
  };
}

/** A run that ended well without a package is of no use here; one that was cancelled or never started has not failed. */
export const failedOf = ({ counts }: BatchView, writer: PackageWriter): number =>
  counts.failed + Math.max(0, counts.accepted - writer.accepted);

export const providerOf = async (api: ApiClient, { usage }: BatchView): Promise<string> =>
  usage.providers.length > 0 ? usage.providers.join(', ') : (await api.health()).provider;
