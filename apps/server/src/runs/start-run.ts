import { randomUUID } from 'node:crypto';
import type { StartRun } from '@cua-forge/spec/api/runs';
import type { GraphDocument } from '@cua-forge/spec/document';
import { openingOf, runWorkflowId } from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import { listedAt } from '@cua-forge/spec/listed-at';
import type { NodeEdits, RunRecord } from '@cua-forge/spec/store-port';
import { withProof } from '@cua-forge/spec/with-proof';
import { sha256 } from '@cua-forge/store/hash';
import { freezeDocument, refuseErrors } from '../documents/freeze-document.ts';
import { readDocument } from '../documents/read-document.ts';
import type { Services } from '../services.ts';
import { announceRun } from './announce.ts';
import { resolveInputs } from './resolve-inputs.ts';

/** Short id; the same key always gives the same one. */
export function newId(prefix: string, idempotencyKey: string | undefined): string {
  const seed = idempotencyKey ?? randomUUID();
  return `${prefix}${sha256(`${prefix} ${seed}`).slice(0, 16)}`;
}

/** The document to run: a stored one that has no errors, or the draft that came with the request. */
export async function documentToRun(
  services: Services,
  request: Pick<StartRun, 'documentId' | 'document'>,
): Promise<GraphDocument> {
  const { documentId, document: draft } = request;
  if ((documentId === undefined) === (draft === undefined)) {
    throw new ForgeError('input.invalid', 'A run needs either "documentId" or "document", and not both.', {
      fix: 'Name a stored document, or send a draft.',
    });
  }
  if (draft !== undefined) return draft;
  const { document, findings } = await readDocument(services.store.meta, services.kinds, documentId ?? '');
  if (document === null) {
    refuseErrors(documentId ?? '', findings);
    throw new ForgeError('document.invalid', `Document "${documentId}" cannot be read.`);
  }
  return document;
}

async function baseInputs(services: Services, baseRun: string | null): Promise<RunRecord['inputs']> {
  if (baseRun === null) return {};
  const base = await services.store.meta.getRun(baseRun);
  if (base === null)
    throw new ForgeError('run.not-found', `There is no run "${baseRun}" to start from.`, {
      fix: listedAt('runs'),
    });
  return base.inputs;
}

async function pinnedEdits(services: Services, documentId: string): Promise<NodeEdits> {
  const pins = await services.store.meta.listPins(documentId);
  return Object.fromEntries(Object.entries(pins).map(([key, pinned]) => [key, { pinned }]));
}

/**
 * Checks, freezes and records a run, then starts its workflow. Starts with one idempotency key make one run. If the engine fails after the
 * run was recorded, the run stays queued and is started when the engine answers again.
 * @throws ForgeError `document.invalid` with findings, `input.invalid`, `temporal.unreachable`
 */
export async function startRun(services: Services, request: StartRun): Promise<RunRecord> {
  const { store, engine, kinds, env, locks } = services;
  const given = await documentToRun(services, request);
  const document = request.prove === true ? withProof(given, kinds) : given;
  const id = newId('r', request.idempotencyKey);
  const frozen = await freezeDocument(document, kinds, store.artifacts);
  const base = await baseInputs(services, request.baseRun);
  const inputs = await resolveInputs(document, request.inputs, {
    artifacts: store.artifacts,
    skillsFolder: env.skillsFolder,
    base,
  });
  const run: RunRecord = {
    id,
    documentId: document.id,
    documentHash: frozen.documentHash,
    planHash: frozen.planHash,
    title: document.title,
    skill: document.skill ?? '',
    seed: request.seed,
    mode: request.mode,
    batchId: null,
    baseRun: request.baseRun,
    selection: request.selection,
    inputs,
    edits: request.usePins ? await pinnedEdits(services, document.id) : {},
    ...(request.budget === undefined ? {} : { budget: request.budget }),
    state: 'queued',
    failure: null,
    outputs: {},
    epoch: 1,
    workflowId: runWorkflowId(id),
    createdAt: services.now(),
    startedAt: null,
    endedAt: null,
  };
  refuseUnknownNode(run, document);
  const health = await engine.health();
  if (!health.reachable)
    throw new ForgeError('temporal.unreachable', 'The run was not started: Temporal does not answer.', {
      fix: health.detail,
    });

  return locks.with(id, async () => {
    if ((await store.meta.getRun(id)) === null) {
      await store.meta.createRun(run);
      await announceRun(store.meta, run, run.createdAt);
    }
    const recorded = await store.meta.getRun(id);
    if (recorded === null) throw new ForgeError('internal', `Run "${id}" was recorded and is not there.`);
    if (recorded.planHash !== run.planHash || recorded.seed !== run.seed || !sameInputs(recorded.inputs, inputs)) {
      throw new ForgeError('request.conflict', `The idempotency key belongs to run "${id}", which is another one.`, {
        fix: 'Use a new key for a new run.',
      });
    }
    if (recorded.state === 'queued' && recorded.epoch === 1)
      await engine.startRun(recorded, [], openingOf(recorded, frozen.plan));
    return recorded;
  });
}

export function sameInputs(a: RunRecord['inputs'], b: RunRecord['inputs']): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name]?.hash === b[name]?.hash);
}

function refuseUnknownNode(run: RunRecord, document: GraphDocument): void {
  const { selection } = run;
  if (selection.mode === 'all' || document.nodes.some((node) => node.id === selection.node)) return;
  throw new ForgeError('input.invalid', `"${document.id}" has no node "${selection.node}" to run ${selection.mode}.`, {
    fix: 'Name a node of the top level.',
    place: { node: selection.node },
  });
}
