import { randomUUID } from 'node:crypto';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { BatchView } from '@cua-forge/spec/api';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { Reporter } from '../bootstrap/progress.ts';
import { progressText } from './batch-progress.ts';
import { exportPackage } from './export-package.ts';
import { givenInputs } from './given-inputs.ts';
import { sayWhoIsMissing, silenceMs } from './say-who-is-missing.ts';

export interface GenerateOptions {
  skill: string;
  count: number;
  seed: number;
  /** Folder the packages are written into. */
  out: string;
  /** Input name → text or path of a file. */
  inputs: ReadonlyMap<string, string>;
  /** Runs in progress at once. */
  window?: number | undefined;
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

const pollMs = 1_000;

const closed = (view: BatchView): boolean =>
  ['succeeded', 'failed', 'cancelled', 'terminated'].includes(view.batch.state);

/** Writes the packages of succeeded runs, each run once. */
class PackageWriter {
  readonly written: { id: string; path: string; seed: number }[] = [];
  /** Runs that gave a package. */
  accepted = 0;
  readonly #settled = new Set<string>();
  readonly #api: ApiClient;
  readonly #out: string;

  constructor(api: ApiClient, out: string) {
    this.#api = api;
    this.#out = out;
  }

  async write(runId: string): Promise<void> {
    if (this.#settled.has(runId)) return;
    this.#settled.add(runId);
    const { packages: records } = await this.#api.packages({ runId });
    if (records.length > 0) this.accepted += 1;
    for (const { id, seed } of records) {
      this.written.push({ id, path: await exportPackage(this.#api, id, this.#out), seed });
    }
  }
}

/** Follows the batch's events: wakes the caller, and collects the runs that made a package. */
function watch(
  api: ApiClient,
  batchId: string,
  signal: AbortSignal,
  candidates: Set<string>,
): { next: () => Promise<void> } {
  let wake: () => void = () => {};
  const follow = async () => {
    for await (const event of api.events({ batch: batchId, signal })) {
      if (event.type === 'package') candidates.add(event.runId);
      if (event.type === 'package' || event.type === 'run' || event.type === 'batch') wake();
    }
  };
  // The batch is asked every second anyway: a stream that fails costs no more than a little time.
  follow().catch(() => {});
  return {
    next: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, pollMs);
        wake = () => {
          clearTimeout(timer);
          setTimeout(resolve, 50);
        };
      }),
  };
}

async function succeededRuns(api: ApiClient, batchId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await api.runs({
      batchId,
      state: 'succeeded',
      limit: 500,
      ...(cursor === undefined ? {} : { cursor }),
    });
    ids.push(...page.runs.map((run) => run.id));
    if (page.next === null) return ids;
    cursor = page.next;
  }
}

/**
 * Generates `count` task packages of a skill, with seeds from `seed` on, and writes the accepted ones to `out` as they come. Ending it by the signal
 * cancels the batch; what was accepted until then is kept.
 * @throws ForgeError what the server refuses, or `server.unreachable`
 */
export async function generate(options: GenerateOptions, api: ApiClient, output: Reporter): Promise<GenerateSummary> {
  const began = performance.now();
  const { skill, count, seed, out, signal } = options;
  const { document } = await api.document(skill);
  if (document === null)
    throw new ForgeError('document.invalid', `The document of "${skill}" cannot be read.`, {
      fix: 'Open it in the studio to see why.',
    });
  const inputs = await givenInputs(api, document, options.inputs);
  const batch = await api.startBatch({
    documentId: skill,
    count,
    seed,
    inputs,
    idempotencyKey: randomUUID(),
    ...(options.window === undefined ? {} : { window: options.window }),
  });

  const candidates = new Set<string>();
  const following = new AbortController();
  const writer = new PackageWriter(api, out);
  let cancelling = false;
  try {
    const events = watch(api, batch.id, following.signal, candidates);
    let view = await api.batch(batch.id);
    let seen = -1;
    let progressAt = performance.now();
    while (!closed(view)) {
      await events.next();
      if (signal?.aborted === true && !cancelling) {
        cancelling = true;
        output.line('Cancelling the batch');
        await api.cancelBatch(batch.id).catch((thrown: unknown) => {
          if (toForgeError(thrown).code !== 'run.state') throw thrown;
        });
      }
      view = await api.batch(batch.id);
      for (const runId of candidates) {
        const { run } = await api.run(runId);
        if (run.state === 'succeeded') await writer.write(runId);
        if (run.endedAt !== null) candidates.delete(runId);
      }
      if (view.counts.done !== seen) {
        seen = view.counts.done;
        progressAt = performance.now();
      } else if (performance.now() - progressAt > silenceMs) {
        progressAt = performance.now();
        await sayWhoIsMissing(api, output);
      }
      output.update(progressText(view.counts, count, performance.now() - began));
    }
    for (const runId of await succeededRuns(api, batch.id)) await writer.write(runId);
    output.line(progressText(view.counts, count, performance.now() - began));
    for (const [code, times] of Object.entries(view.failures)) output.line(`  ${times} × ${code}`);
    return await summaryOf(api, view, count, performance.now() - began, writer);
  } finally {
    following.abort();
  }
}

async function summaryOf(
  api: ApiClient,
  view: BatchView,
  requested: number,
  elapsedMs: number,
  writer: PackageWriter,
): Promise<GenerateSummary> {
  const { counts, usage } = view;
  const provider = usage.providers.length > 0 ? usage.providers.join(', ') : (await api.health()).provider;
  return {
    requested,
    accepted: writer.accepted,
    rejected: counts.rejected,
    // A run that ended well without a package is of no use here; one that was cancelled or never started has not failed.
    failed: counts.failed + Math.max(0, counts.accepted - writer.accepted),
    provider,
    tokens: usage.usage,
    usd: usage.usd,
    seconds: Math.round(elapsedMs / 10) / 100,
    packages: writer.written.sort((a, b) => a.seed - b.seed).map(({ id, path }) => ({ id, path })),
  };
}
