import type { StartedRuns, StartRuns } from '@cua-forge/spec/api/runs';
import { hostWorkflowId, openingOf, runWorkflowId } from '@cua-forge/spec/engine';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { runsInHost } from '@cua-forge/spec/hosting';
import type { JsonObject } from '@cua-forge/spec/json';
import type { RunRecord } from '@cua-forge/spec/store-port';
import pLimit from 'p-limit';
import { type FrozenDocument, freezeDocument } from '../documents/freeze-document.ts';
import type { Services } from '../services.ts';
import { announceRun } from './announce.ts';
import { resolveInputs } from './resolve-inputs.ts';
import { documentToRun, newId, sameInputs } from './start-run.ts';

/** Workflows that are started at once. */
const atOnce = 8;

/** The same error with the place of the run in the request, counted from 1. */
function ofRun(index: number, thrown: unknown): ForgeError {
  const { code, message, fix, place } = toForgeError(thrown);
  return new ForgeError(code, `Run ${index + 1}: ${message}`, { fix, place, cause: thrown });
}

/** The records of a request, in its order; those that are to share a workflow name it. */
async function recordsOf(services: Services, request: StartRuns, key: string, frozen: FrozenDocument) {
  const { store, env, now } = services;
  const document = await documentToRun(services, request);
  const together = runsInHost(frozen.plan);
  const createdAt = now();
  const sources = { artifacts: store.artifacts, skillsFolder: env.skillsFolder };
  const inputsOf = (index: number, given: JsonObject) =>
    resolveInputs(document, given, sources).catch((thrown: unknown) => Promise.reject(ofRun(index, thrown)));
  const records: RunRecord[] = [];
  for (const [index, { inputs, seed }] of request.runs.entries()) {
    const id = newId('r', `${key} ${index}`);
    const host = together > 1 && request.runs.length > 1 ? newId('h', `${key} ${Math.floor(index / together)}`) : null;
    records.push({
      id,
      documentId: document.id,
      documentHash: frozen.documentHash,
      planHash: frozen.planHash,
      title: document.title,
      skill: document.skill ?? '',
      seed,
      mode: 'batch',
      batchId: null,
      baseRun: null,
      selection: { mode: 'all' },
      inputs: await inputsOf(index, inputs),
      edits: {},
      ...(request.budget === undefined ? {} : { budget: request.budget }),
      state: 'queued',
      failure: null,
      outputs: {},
      epoch: 1,
      workflowId: host === null ? runWorkflowId(id) : hostWorkflowId(host),
      createdAt,
      startedAt: null,
      endedAt: null,
    });
  }
  return records;
}

/**
 * Checks and freezes a document once, records a run for each of the given inputs, and starts them all: small cheap ones together in
 * workflows that host them, others in one of their own each. Starts with one idempotency key make the same runs. Runs that were recorded
 * and not started when the engine fails stay queued, and are started when it answers again.
 * @throws ForgeError `document.invalid` with findings, `input.invalid` naming the run, `temporal.unreachable`, `request.conflict`
 */
export async function startRuns(services: Services, request: StartRuns): Promise<StartedRuns> {
  const { store, engine, locks, kinds } = services;
  const frozen = await freezeDocument(await documentToRun(services, request), kinds, store.artifacts);
  const health = await engine.health();
  if (!health.reachable)
    throw new ForgeError('temporal.unreachable', 'The runs were not started: Temporal does not answer.', {
      fix: health.detail,
    });
  const key = newId('', request.idempotencyKey);
  const records = await recordsOf(services, request, key, frozen);
  return locks.with(key, async () => {
    const queued: RunRecord[] = [];
    for (const record of records) {
      await store.meta.createRun(record);
      const recorded = await store.meta.getRun(record.id);
      if (recorded === null) throw new ForgeError('internal', `Run "${record.id}" was recorded and is not there.`);
      refuseOther(recorded, record);
      if (recorded.state !== 'queued' || recorded.epoch > 1) continue;
      if (recorded.createdAt === record.createdAt) await announceRun(store.meta, recorded, record.createdAt);
      queued.push(recorded);
    }
    const few = pLimit(atOnce);
    const hosts = new Map<string, RunRecord[]>();
    for (const run of queued) hosts.set(run.workflowId, [...(hosts.get(run.workflowId) ?? []), run]);
    await Promise.all(
      [...hosts].map(([workflowId, runs]) =>
        few(async () => {
          const [first] = runs;
          if (first === undefined) return;
          if (workflowId === runWorkflowId(first.id)) await engine.startRun(first, [], openingOf(first, frozen.plan));
          else await engine.startHost(workflowId, runs);
        }),
      ),
    );
    const hosting = new Set(records.map(({ workflowId }) => workflowId));
    return { ids: records.map(({ id }) => id), hosts: hosting.size < records.length ? hosting.size : 0 };
  });
}

function refuseOther(recorded: RunRecord, wanted: RunRecord): void {
  const same = recorded.planHash === wanted.planHash && recorded.seed === wanted.seed;
  if (same && sameInputs(recorded.inputs, wanted.inputs)) return;
  throw new ForgeError(
    'request.conflict',
    `The idempotency key belongs to run "${recorded.id}", which is another one.`,
    {
      fix: 'Use a new key for new runs.',
    },
  );
}
