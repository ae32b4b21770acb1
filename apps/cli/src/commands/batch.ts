import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { BatchView, ResumeBatch } from '@cua-forge/spec/api/batches';
import type { GraphDocument } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import type { RevisionChoice } from '@cua-forge/spec/publication';
import type { BatchRecord } from '@cua-forge/spec/store-port';
import { moneyText, progressText, tokensText } from './batch-progress.ts';
import { documentVersion } from './document-version.ts';
import { exitCodes } from './exit-code.ts';
import { followBatch } from './follow-batch.ts';
import { failedOf, providerOf } from './generate.ts';
import { givenInputs } from './given-inputs.ts';
import { type Output, printResult, tableText } from './output.ts';
import { PackageWriter } from './package-writer.ts';

export interface GivenBudget {
  usd?: number | undefined;
  tokens?: number | undefined;
}

export interface BatchOptions {
  skills: readonly string[];
  /** Runs of each skill. */
  count: number;
  seed: number;
  /** Of each skill. */
  revision: RevisionChoice;
  window: number | undefined;
  budget: GivenBudget;
  out: string;
  /** Input name, or `skill.name` → text or path of a file. */
  inputs: ReadonlyMap<string, string>;
  /** Stay until it has ended or rests. */
  wait: boolean;
  signal: AbortSignal;
}

/** How a batch ended, or where it rests. */
export interface BatchSummary {
  id: string;
  state: BatchRecord['state'];
  requested: number;
  accepted: number;
  rejected: number;
  failed: number;
  cancelled: number;
  waiting: number;
  failures: Record<string, number>;
  provider: string;
  tokens: { input: number; cached: number; output: number };
  usd: number | null;
  /** Null where no model was asked, or nothing was accepted. */
  acceptance: number | null;
  perAccepted: BatchView['perAccepted'];
  seconds: number;
  packages: { id: string; path: string }[];
}

export const budgetOf = ({ usd, tokens }: GivenBudget) =>
  usd === undefined && tokens === undefined ? {} : { budget: { usd: usd ?? null, tokens: tokens ?? null } };

/** The inputs of one skill: those it has by this name, and those given for it alone. */
function inputsFor(document: GraphDocument, given: ReadonlyMap<string, string>): Map<string, string> {
  const own = new Map<string, string>();
  for (const [name, value] of given) if (Object.hasOwn(document.inputs, name)) own.set(name, value);
  const prefix = `${document.id}.`;
  for (const [name, value] of given) if (name.startsWith(prefix)) own.set(name.slice(prefix.length), value);
  return own;
}

/** @throws ForgeError `input.invalid` for an input that none of the skills has, and what the server refuses */
async function startBatch(options: BatchOptions, api: ApiClient): Promise<BatchRecord> {
  const documents: GraphDocument[] = [];
  for (const skill of options.skills) documents.push(await documentVersion(api, skill, options.revision));
  for (const name of options.inputs.keys()) {
    const taken = documents.some(({ id, inputs }) => Object.hasOwn(inputs, name) || name.startsWith(`${id}.`));
    if (!taken)
      throw new ForgeError('input.invalid', `None of the skills has an input "${name}".`, {
        fix: 'Name an input that all take, or write --input skill.name=value for one of them.',
      });
  }
  const parts = [];
  for (const document of documents)
    parts.push({
      documentId: document.id,
      inputs: await givenInputs(api, document, inputsFor(document, options.inputs)),
    });
  return api.startBatch({
    parts,
    revision: options.revision,
    count: options.count,
    seed: options.seed,
    idempotencyKey: randomUUID(),
    ...(options.window === undefined ? {} : { window: options.window }),
    ...budgetOf(options.budget),
  });
}

/** Exit code 0 when the batch has come to its end with something accepted and nothing failed. */
const codeOf = ({ state, accepted, failed }: BatchSummary): number =>
  state === 'succeeded' && accepted > 0 && failed === 0 ? exitCodes.done : exitCodes.failed;

function summaryText(summary: BatchSummary): string {
  const { id, state, accepted, requested, provider, usd, perAccepted, seconds, packages } = summary;
  const cost = perAccepted === null ? '' : `, ${tokensText(perAccepted.tokens)} and ${moneyText(perAccepted.usd)} each`;
  const lines = [
    `Batch ${id} ${state}: ${accepted} of ${requested} task packages (${provider}, ${moneyText(usd)}${cost}, ${seconds} s)`,
  ];
  if (state === 'budget') lines.push(`  Its budget is used up. Go on: forge batch resume ${id} --budget-usd USD`);
  if (state === 'paused' || state === 'cancelled') lines.push(`  Go on: forge batch resume ${id}`);
  return [...lines, ...packages.map(({ path }) => `  ${path}`)].join('\n');
}

/** Follows a batch, writing its packages. Ctrl+C pauses it, so that it can be resumed. */
export async function followToEnd(
  api: ApiClient,
  output: Output,
  { id, out, signal }: { id: string; out: string; signal: AbortSignal },
): Promise<number> {
  const began = performance.now();
  const writer = new PackageWriter(api, resolve(out));
  const interrupt = {
    signal,
    says: 'Pausing the batch; runs in progress end first',
    act: () => api.pauseBatch(id),
  };
  const view = await followBatch({ batchId: id, writer, interrupt }, api, output.reporter);
  const { rejected, cancelled, waiting } = view.counts;
  const summary: BatchSummary = {
    ...{ id, state: view.batch.state, requested: view.batch.count },
    ...{ accepted: writer.accepted, rejected, failed: failedOf(view, writer), cancelled, waiting },
    failures: view.failures,
    provider: await providerOf(api, view),
    tokens: view.usage.usage,
    usd: view.usage.usd,
    acceptance: view.acceptance,
    perAccepted: view.perAccepted,
    seconds: Math.round((performance.now() - began) / 10) / 100,
    packages: writer.packages,
  };
  printResult(output, summary, summaryText);
  return codeOf(summary);
}

export async function batchCommand(options: BatchOptions, api: ApiClient, output: Output): Promise<number> {
  const batch = await startBatch(options, api);
  if (options.wait) {
    output.reporter.line(`Batch ${batch.id}: ${batch.count} runs, ${batch.window} at once`);
    return followToEnd(api, output, { id: batch.id, out: options.out, signal: options.signal });
  }
  printResult(output, batch, ({ id, count }) => `Batch ${id} is on its way: ${count} runs. forge batch show ${id}`);
  return exitCodes.done;
}

export async function listBatches(api: ApiClient, output: Output, limit: number): Promise<number> {
  const { batches } = await api.batches({ limit });
  printResult(output, batches, (all) =>
    all.length === 0
      ? 'There are no batches.'
      : tableText(
          ['batch', 'state', 'runs', 'window', 'skills', 'created (UTC)'],
          all.map((batch) => [
            batch.id,
            batch.state,
            String(batch.count),
            String(batch.window),
            batch.parts.map((part) => part.skill || part.documentId).join(', '),
            new Date(batch.createdAt).toISOString().slice(0, 19).replace('T', ' '),
          ]),
        ),
  );
  return exitCodes.done;
}

function viewText(view: BatchView): string {
  const { batch, counts, failures, perAccepted, spent } = view;
  const lines = [
    `${batch.id}  ${batch.title}  ${batch.state}  window ${batch.window}`,
    `  ${progressText(view, Date.now() - batch.createdAt)}`,
    `  ${counts.running} running, ${counts.waiting} waiting`,
  ];
  for (const [code, times] of Object.entries(failures)) lines.push(`  ${times} × ${code}`);
  const { usd, tokens } = batch.budget;
  if (usd !== null) lines.push(`  budget: ${moneyText(spent.usd)} of ${moneyText(usd)}`);
  if (tokens !== null) lines.push(`  budget: ${spent.tokens} of ${tokens} tokens`);
  if (perAccepted !== null)
    lines.push(`  each accepted run: ${tokensText(perAccepted.tokens)}, ${moneyText(perAccepted.usd)}`);
  return lines.join('\n');
}

export async function showBatch(api: ApiClient, output: Output, id: string): Promise<number> {
  printResult(output, await api.batch(id), viewText);
  return exitCodes.done;
}

export async function pauseBatch(api: ApiClient, output: Output, id: string): Promise<number> {
  const batch = await api.pauseBatch(id);
  printResult(output, batch, () => `Batch ${id} is paused; runs in progress end. Go on: forge batch resume ${id}`);
  return exitCodes.done;
}

export async function resumeBatch(api: ApiClient, output: Output, id: string, request: ResumeBatch): Promise<number> {
  const batch = await api.resumeBatch(id, request);
  printResult(output, batch, () => `Batch ${id} goes on.`);
  return exitCodes.done;
}

export async function cancelBatch(api: ApiClient, output: Output, id: string): Promise<number> {
  printResult(output, await api.cancelBatch(id), () => `Batch ${id} is being cancelled.`);
  return exitCodes.done;
}

export async function retryBatch(
  api: ApiClient,
  output: Output,
  id: string,
  failureCode: string | undefined,
): Promise<number> {
  const { runs } = await api.retryBatch(id, failureCode === undefined ? {} : { failureCode });
  printResult(output, { runs }, () => `${runs.length} runs of batch ${id} are taken up again.`);
  return exitCodes.done;
}

/** Writes what has been accepted so far, whatever the batch does meanwhile. */
export async function exportBatch(
  api: ApiClient,
  output: Output,
  id: string,
  { out, rejected }: { out: string; rejected: boolean },
): Promise<number> {
  await api.batch(id);
  const writer = new PackageWriter(api, resolve(out), rejected);
  await writer.writeAll(id);
  const { packages, leftOut } = writer;
  printResult(output, { packages, leftOut }, () =>
    [
      packages.length === 0 ? 'Nothing is there to export.' : packages.map(({ path }) => path).join('\n'),
      ...(leftOut.length === 0
        ? []
        : [`${leftOut.length} that people rejected are left out: --rejected exports them too`]),
    ].join('\n'),
  );
  return exitCodes.done;
}
