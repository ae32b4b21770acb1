import type { StartBatch } from '@cua-forge/spec/api';
import { batchWorkflowId } from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import type { BatchRecord } from '@cua-forge/spec/store-port';
import { freezeDocument, refuseErrors } from '../documents/freeze-document.ts';
import { readDocument } from '../documents/read-document.ts';
import { resolveInputs } from '../runs/resolve-inputs.ts';
import { newId } from '../runs/start-run.ts';
import type { Services } from '../services.ts';

/**
 * Freezes a document and its inputs and starts the workflow that makes `count` runs of it. Starts with one idempotency key make one batch.
 * @throws ForgeError `document.invalid` with findings, `input.invalid`, `temporal.unreachable`
 */
export async function startBatch(services: Services, request: StartBatch): Promise<BatchRecord> {
  const { store, engine, kinds, env, locks } = services;
  const { document, findings } = await readDocument(store.meta, kinds, request.documentId);
  if (document === null) {
    refuseErrors(request.documentId, findings);
    throw new ForgeError('document.invalid', `Document "${request.documentId}" cannot be read.`);
  }
  const frozen = await freezeDocument(document, kinds, store.artifacts);
  const inputs = await resolveInputs(document, request.inputs, {
    artifacts: store.artifacts,
    skillsFolder: env.skillsFolder,
  });
  const health = await engine.health();
  if (!health.reachable)
    throw new ForgeError('temporal.unreachable', 'The batch was not started: Temporal does not answer.', {
      fix: health.detail,
    });

  const id = newId('b', request.idempotencyKey);
  const batch: BatchRecord = {
    id,
    documentId: document.id,
    documentHash: frozen.documentHash,
    planHash: frozen.planHash,
    title: document.title,
    skill: document.skill ?? '',
    inputs,
    count: request.count,
    seed: request.seed,
    state: 'queued',
    workflowId: batchWorkflowId(id),
    createdAt: services.now(),
    endedAt: null,
  };
  return locks.with(id, async () => {
    const earlier = await store.meta.getBatch(id);
    if (earlier === null) await store.meta.createBatch(batch);
    const recorded = earlier ?? batch;
    if (recorded.planHash !== batch.planHash || recorded.count !== batch.count || recorded.seed !== batch.seed) {
      throw new ForgeError('request.conflict', `The idempotency key belongs to batch "${id}", which is another one.`, {
        fix: 'Use a new key for a new batch.',
      });
    }
    if (recorded.state === 'queued') await engine.startBatch(recorded, request.window);
    return recorded;
  });
}
