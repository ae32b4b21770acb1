import { ForgeError } from '@cua-forge/spec/errors';
import type { EvaluationRecord } from '@cua-forge/spec/evaluation';
import {
  type EvaluationList,
  type EvaluationView,
  mostVariants,
  type StartEvaluation,
} from '@cua-forge/spec/evaluation-view';
import { listedAt } from '@cua-forge/spec/listed-at';
import { type Fate, fateOf } from '@cua-forge/spec/run-fate';
import type { RunRecord } from '@cua-forge/spec/store-port';
import pLimit from 'p-limit';
import { isOpenBatch } from '../batches/batch-state.ts';
import { findBatch, runsOfBatch, viewBatch } from '../batches/batch-view.ts';
import { beginBatch, needTemporal, partOf } from '../batches/start-batch.ts';
import { cancelBatch } from '../batches/steer-batch.ts';
import { readVersion } from '../documents/read-version.ts';
import { newId } from '../runs/start-run.ts';
import type { Services } from '../services.ts';
import { acceptanceBounds } from './acceptance-bounds.ts';

/** Evaluations that are looked at at once for a list. */
const lookedAtOnce = 8;

const nameOf = (revision: number, model: string | null): string =>
  `revision ${revision}${model === null ? '' : ` with ${model}`}`;

/** The revisions that are meant, by their numbers, each once. */
async function revisionsOf({ store, kinds }: Services, { documentId, revisions }: StartEvaluation): Promise<number[]> {
  const numbers = new Set<number>();
  for (const choice of revisions) {
    const { record } = await readVersion(store.meta, kinds, documentId, choice);
    numbers.add(record.revision);
  }
  return [...numbers];
}

/**
 * Freezes every revision with every model and starts a batch of each, on the same seeds. All are frozen before the first one starts, so that one that cannot
 * run stops the others too.
 * @throws ForgeError `document.invalid` with findings, `input.invalid`, `not-found`, `temporal.unreachable`
 */
export async function startEvaluation(
  services: Services,
  request: StartEvaluation,
  by: string,
): Promise<EvaluationRecord> {
  const { store, now } = services;
  const { documentId, inputs, count, seed, window, budget } = request;
  const prove = request.prove === true;
  const models = [...new Set(request.models)];
  const pairs = (await revisionsOf(services, request)).flatMap((revision) =>
    models.map((model) => ({ revision, model })),
  );
  if (pairs.length > mostVariants)
    throw new ForgeError(
      'input.invalid',
      `An evaluation compares ${mostVariants} at most; these are ${pairs.length}.`,
      {
        fix: 'Name fewer revisions or models.',
      },
    );
  const variants = [];
  for (const pair of pairs)
    variants.push({ ...pair, part: await partOf(services, { documentId, inputs, count, seed, prove, ...pair }) });
  await needTemporal(services, 'The evaluation');
  const id = newId('e', request.idempotencyKey);
  const title = variants[0]?.part.title ?? documentId;
  const record: EvaluationRecord = {
    ...{ id, title: request.title ?? title, documentId, seed, count, by, createdAt: now() },
    variants: pairs.map((pair, index) => ({ ...pair, batchId: newId('b', `evaluation ${id} ${index}`) })),
  };
  // The record comes first: its batches lead back to it.
  await store.meta.createEvaluation(record);
  for (const [index, { part, revision, model }] of variants.entries()) {
    const batchId = record.variants[index]?.batchId ?? '';
    const batch = { id: batchId, title: `${title}, ${nameOf(revision, model)}`, parts: [part], window, budget };
    await beginBatch(services, { ...batch, evaluationId: id });
  }
  return (await store.meta.getEvaluation(id)) ?? record;
}

/** @throws ForgeError `not-found` */
async function findEvaluation({ store }: Services, id: string): Promise<EvaluationRecord> {
  const evaluation = await store.meta.getEvaluation(id);
  if (evaluation !== null) return evaluation;
  throw new ForgeError('not-found', `There is no evaluation "${id}".`, { fix: listedAt('evaluations') });
}

interface SeedRun {
  id: string | null;
  fate: Fate;
  failureCode: string | null;
}

/** Runs of a variant by their seeds. */
async function runsBySeed({ store }: Services, batchId: string): Promise<Map<number, SeedRun>> {
  const runs = new Map<number, SeedRun>();
  for await (const { id, seed, state, failure } of runsOfBatch(store.meta, batchId)) {
    const failureCode = failure?.code ?? null;
    runs.set(seed, { id, fate: fateOf(state, failureCode), failureCode });
  }
  return runs;
}

const noRun: SeedRun = { id: null, fate: 'waiting', failureCode: null };

/** @throws ForgeError `not-found` */
export async function viewEvaluation(services: Services, id: string): Promise<EvaluationView> {
  const { store } = services;
  const evaluation = await findEvaluation(services, id);
  const variants = [];
  const runs: Map<number, SeedRun>[] = [];
  for (const variant of evaluation.variants) {
    const batch = await viewBatch(store.meta, variant.batchId);
    const { accepted, rejected, failed } = batch.counts;
    const between = batch.acceptance === null ? null : acceptanceBounds(accepted, accepted + rejected + failed);
    variants.push({ ...variant, batch, between });
    runs.push(await runsBySeed(services, variant.batchId));
  }
  const seeds = Array.from({ length: evaluation.count }, (_, index) => evaluation.seed + index);
  return {
    evaluation,
    variants,
    seeds: seeds.map((seed) => ({ seed, runs: runs.map((own) => own.get(seed) ?? noRun) })),
  };
}

export async function listEvaluations(services: Services, limit: number): Promise<EvaluationList> {
  const few = pLimit(lookedAtOnce);
  const doneOf = async ({ variants }: EvaluationRecord): Promise<number> => {
    const ended = await Promise.all(
      variants.map(async ({ batchId }) =>
        (await services.store.meta.countRuns({ batchId })).reduce(
          (sum, { state, failureCode, count }) => sum + (isEnded(state, failureCode) ? count : 0),
          0,
        ),
      ),
    );
    return ended.reduce((sum, count) => sum + count, 0);
  };
  const records = await services.store.meta.listEvaluations(limit);
  return {
    evaluations: await Promise.all(
      records.map((evaluation) => few(async () => ({ evaluation, done: await doneOf(evaluation) }))),
    ),
  };
}

const isEnded = (state: RunRecord['state'], failureCode: string | null): boolean =>
  !['running', 'waiting'].includes(fateOf(state, failureCode));

/** Cancels the batches of an evaluation that have not ended. @throws ForgeError `not-found` */
export async function cancelEvaluation(services: Services, id: string): Promise<void> {
  const { variants } = await findEvaluation(services, id);
  for (const { batchId } of variants) {
    const { state } = await findBatch(services.store.meta, batchId);
    if (isOpenBatch(state)) await cancelBatch(services, batchId);
  }
}
