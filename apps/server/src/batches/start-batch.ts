import type { StartBatch } from '@cua-forge/spec/api/batches';
import type { BatchPart } from '@cua-forge/spec/batch-part';
import { Budget } from '@cua-forge/spec/budget';
import { batchWorkflowId } from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import type { JsonObject } from '@cua-forge/spec/json';
import type { RevisionChoice } from '@cua-forge/spec/publication';
import type { BatchRecord } from '@cua-forge/spec/store-port';
import { withModel } from '@cua-forge/spec/with-model';
import { withProof } from '@cua-forge/spec/with-proof';
import { freezeDocument, refuseErrors } from '../documents/freeze-document.ts';
import { readVersion } from '../documents/read-version.ts';
import { resolveInputs } from '../runs/resolve-inputs.ts';
import { newId } from '../runs/start-run.ts';
import type { Services } from '../services.ts';

interface Wanted {
  documentId: string;
  revision: RevisionChoice;
  /** In the place of every model that the document names. */
  model?: string | null;
  prove: boolean;
  inputs: JsonObject;
  count: number;
  seed: number;
}

/** Runs of all parts at most. */
const mostRuns = 100_000;

function wantedParts(request: StartBatch): Wanted[] {
  const { documentId, revision = 'published', parts, inputs, count, seed } = request;
  const prove = request.prove === true;
  if ((documentId === undefined) === (parts === undefined)) {
    throw new ForgeError('input.invalid', 'A batch needs either "documentId" or "parts", and not both.', {
      fix: 'Name one document, or one in each part.',
    });
  }
  if (parts === undefined)
    return documentId === undefined ? [] : [{ documentId, revision, inputs, count, seed, prove }];
  if (Object.keys(inputs).length > 0)
    throw new ForgeError('input.invalid', 'A batch of parts takes its inputs part by part.', {
      fix: 'Put "inputs" into the part that they are for.',
    });
  return parts.map((part) => ({
    ...{ documentId: part.documentId, inputs: part.inputs, prove },
    ...{ revision: part.revision ?? revision, count: part.count ?? count, seed: part.seed ?? seed },
  }));
}

/** Freezes the document and the inputs of a part. */
export async function partOf(services: Services, wanted: Wanted): Promise<BatchPart> {
  const { store, kinds, env } = services;
  const { documentId, count, seed } = wanted;
  const { record, document, findings } = await readVersion(store.meta, kinds, documentId, wanted.revision);
  if (document === null) {
    refuseErrors(documentId, findings);
    throw new ForgeError('document.invalid', `Document "${documentId}" cannot be read.`);
  }
  const asked = wanted.model == null ? document : withModel(document, kinds, wanted.model);
  const frozen = await freezeDocument(wanted.prove ? withProof(asked, kinds) : asked, kinds, store.artifacts);
  const inputs = await resolveInputs(document, wanted.inputs, {
    artifacts: store.artifacts,
    skillsFolder: env.skillsFolder,
  });
  return {
    documentId: document.id,
    documentHash: frozen.documentHash,
    revision: record.revision,
    planHash: frozen.planHash,
    title: document.title,
    skill: document.skill ?? '',
    inputs,
    count,
    seed,
  };
}

const sameParts = (a: BatchRecord, b: BatchRecord): boolean =>
  a.parts.length === b.parts.length &&
  a.parts.every((part, index) => {
    const other = b.parts[index];
    return part.planHash === other?.planHash && part.count === other.count && part.seed === other.seed;
  });

interface NewBatch {
  id: string;
  title: string;
  parts: BatchPart[];
  window: number;
  budget: Budget | undefined;
  evaluationId?: string;
}

/** @throws ForgeError `temporal.unreachable` */
export async function needTemporal({ engine }: Services, what: string): Promise<void> {
  const health = await engine.health();
  if (health.reachable) return;
  throw new ForgeError('temporal.unreachable', `${what} was not started: Temporal does not answer.`, {
    fix: health.detail,
  });
}

/** Records a batch and starts its workflow; one that is there already is started when it was not. @throws ForgeError `request.conflict` when it is another one */
export async function beginBatch(services: Services, { parts, budget, ...wanted }: NewBatch): Promise<BatchRecord> {
  const { store, engine, locks } = services;
  const { id } = wanted;
  const batch: BatchRecord = {
    ...wanted,
    parts,
    count: parts.reduce((sum, part) => sum + part.count, 0),
    budget: budget ?? Budget.parse({}),
    state: 'queued',
    workflowId: batchWorkflowId(id),
    createdAt: services.now(),
    endedAt: null,
  };
  return locks.with(id, async () => {
    const earlier = await store.meta.getBatch(id);
    if (earlier === null) await store.meta.createBatch(batch);
    const recorded = earlier ?? batch;
    if (!sameParts(recorded, batch)) {
      throw new ForgeError('request.conflict', `The idempotency key belongs to batch "${id}", which is another one.`, {
        fix: 'Use a new key for a new batch.',
      });
    }
    if (recorded.state === 'queued') await engine.startBatch(recorded);
    return recorded;
  });
}

/**
 * Freezes documents and their inputs and starts the workflow that makes the runs. Starts with one idempotency key make one batch.
 * @throws ForgeError `document.invalid` with findings, `input.invalid`, `temporal.unreachable`
 */
export async function startBatch(services: Services, request: StartBatch): Promise<BatchRecord> {
  const parts: BatchPart[] = [];
  for (const wanted of wantedParts(request)) parts.push(await partOf(services, wanted));
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  if (count > mostRuns)
    throw new ForgeError('input.invalid', `A batch has ${mostRuns} runs at most; these are ${count}.`, {
      fix: 'Start several batches.',
    });
  await needTemporal(services, 'The batch');
  return beginBatch(services, {
    id: newId('b', request.idempotencyKey),
    title: [...new Set(parts.map((part) => part.title))].join(', '),
    ...{ parts, window: request.window, budget: request.budget },
  });
}
