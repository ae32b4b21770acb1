import { ForgeError } from '@cua-forge/spec/errors';
import { type MetaStore, type ModelCall, type NewArtifact, Outcome, type Store } from '@cua-forge/spec/store-port';
import { SqlArtifactStore } from './artifact-store.ts';
import type { BlobStore } from './blob-store.ts';
import type { Connection } from './connection.ts';
import { sha256 } from './hash.ts';
import { parseRow } from './rows.ts';
import type { Steps } from './steps.ts';
import { AccessRows } from './tables/access-rows.ts';
import { ArtifactRows } from './tables/artifact-rows.ts';
import { BatchRows } from './tables/batch-rows.ts';
import { ClaimRows } from './tables/claim-rows.ts';
import { CondemnedBlobRows } from './tables/condemned-blob-rows.ts';
import { costs, spendingOverTime } from './tables/cost-queries.ts';
import { DocumentRows } from './tables/document-rows.ts';
import { EvaluationRows } from './tables/evaluation-rows.ts';
import { EventRows } from './tables/event-rows.ts';
import { HookRows } from './tables/hook-rows.ts';
import { countItems, listItems } from './tables/item-queries.ts';
import { ModelCallRows } from './tables/model-call-rows.ts';
import { NodeViewRows } from './tables/node-view-rows.ts';
import { OutcomeRows } from './tables/outcome-rows.ts';
import { PackageRows } from './tables/package-rows.ts';
import { PageRows } from './tables/page-rows.ts';
import { PinRows } from './tables/pin-rows.ts';
import { PublicationRows } from './tables/publication-rows.ts';
import { ReviewRows } from './tables/review-rows.ts';
import { RunRows } from './tables/run-rows.ts';
import { ScheduleRows } from './tables/schedule-rows.ts';
import { SpendingRows } from './tables/spending-rows.ts';
import { WebhookRows } from './tables/webhook-rows.ts';
import { collect } from './upkeep/collect.ts';

/** A store over an open, migrated connection and prepared blobs. `meta.close` closes both parts. */
export function sqlStore(connection: Connection, blobs: BlobStore): Store {
  const rows = new ArtifactRows();
  const condemned = new CondemnedBlobRows();
  const artifacts = new SqlArtifactStore(connection, rows, condemned, blobs);
  const events = new EventRows();
  const spending = new SpendingRows();
  const calls = new ModelCallRows(spending);
  const outcomes = new OutcomeRows({ artifacts: rows, events, calls });
  const views = new NodeViewRows(events);
  const documents = new DocumentRows();
  const publications = new PublicationRows();
  const runs = new RunRows();
  const packages = new PackageRows();
  const reviews = new ReviewRows();
  const batches = new BatchRows();
  const schedules = new ScheduleRows(batches);
  const evaluations = new EvaluationRows();
  const pages = new PageRows();
  const hooks = new HookRows();
  const webhooks = new WebhookRows();
  const pins = new PinRows();
  const access = new AccessRows();
  const claims = new ClaimRows();
  const read = <T>(steps: () => Steps<T>): Promise<T> => connection.read(steps);
  const write = <T>(steps: () => Steps<T>): Promise<T> => connection.write(steps);

  async function commitOutcome(
    outcome: Outcome,
    newArtifacts: NewArtifact[],
    newCalls: ModelCall[] = [],
    patience?: number,
  ): Promise<Outcome> {
    const valid = parseRow(Outcome, 'outcomes', outcome);
    for (const artifact of newArtifacts) checkHash(artifact, outcome);
    const small = await artifacts.putLarge(newArtifacts);
    const committed = await connection.write(() => outcomes.commit(valid, small, newCalls), patience);
    if (committed === valid) artifacts.remember(newArtifacts);
    return committed;
  }

  const meta: MetaStore = {
    saveDocument: (id, title, source, hash, expectedRevision, at) =>
      write(() => documents.save({ id, title, source, hash, updatedAt: at }, expectedRevision)),
    getDocument: (id) => read(() => documents.get(id)),
    getDocumentVersion: (hash) => read(() => documents.getVersion(hash)),
    listDocumentRevisions: (id, page) => read(() => documents.listRevisions(id, page)),
    getDocumentRevision: (id, revision) => read(() => documents.getRevision(id, revision)),
    listDocuments: (page) => read(() => documents.list(page)),
    publish: (publication) => write(() => publications.add(publication)),
    publicationsOf: (ids) => read(() => publications.holding(ids)),
    listPublications: (id, limit) => read(() => publications.list(id, limit)),

    createRun: (run) => write(() => runs.create(run)),
    getRun: (id) => read(() => runs.get(id)),
    updateRun: (id, change, from) => write(() => runs.update(id, change, from)),
    listRuns: (filter) => read(() => runs.list(filter)),
    countRuns: ({ batchId }) => read(() => runs.count(batchId)),
    countSkillRuns: () => read(() => runs.countBySkill()),
    countEnded: ({ batchId, since }) => read(() => runs.countEnded(batchId, since)),

    commitOutcome,
    findOutcome: (runId, key, token) => read(() => outcomes.find(runId, key, token)),
    listOutcomes: (runId, filter = {}) => read(() => outcomes.list(runId, filter)),
    findMemo: (memoKey) => read(() => outcomes.findMemo(memoKey)),

    saveNodeViews: (list) => write(() => views.save(list)),
    listNodeViews: (runId, filter = {}) => read(() => views.list(runId, filter)),

    countItems: (runId, filter) => read(() => countItems(runId, filter)),
    listItems: (runId, filter) => read(() => listItems(runId, filter)),

    addModelCall: (call) => write(() => calls.add(call)),
    listModelCalls: (runId, key) => read(() => calls.list(runId, key)),
    usageOf: (filter) => read(() => calls.sum(filter)),

    addEvents: (list) => write(() => events.add(list)),
    listEvents: (filter) => read(() => events.list(filter)),
    lastEventId: () => read(() => events.lastId()),
    watch: (wake) => connection.watch(wake),

    addPackage: (record) => write(() => packages.add(record)),
    listPackages: (filter) => read(() => packages.list(filter)),
    getPackage: (id) => read(() => packages.get(id)),
    reviewPackages: (list) => write(() => reviews.add(list)),
    reviewsOf: (ids) => read(() => reviews.holding(ids)),
    listReviews: (id) => read(() => reviews.list(id)),
    countReviews: (filter) => read(() => reviews.count(filter)),

    createBatch: (batch) => write(() => batches.create(batch)),
    updateBatch: (id, change, from) => write(() => batches.update(id, change, from)),
    getBatch: (id) => read(() => batches.get(id)),
    listBatches: (limit, before) => read(() => batches.list(limit, before)),
    listBatchRunIds: (batchId) => read(() => runs.idsOf(batchId)),

    createEvaluation: (record) => write(() => evaluations.create(record)),
    getEvaluation: (id) => read(() => evaluations.get(id)),
    listEvaluations: (limit) => read(() => evaluations.list(limit)),
    pagesOf: (key) => read(() => pages.get(key)),
    keepPages: (key, pictures, at) => write(() => pages.keep(key, pictures, at)),
    createSchedule: (record) => write(() => schedules.create(record)),
    updateSchedule: (id, change) => write(() => schedules.update(id, change)),
    getSchedule: (id) => read(() => schedules.get(id)),
    listSchedules: (limit) => read(() => schedules.list(limit)),
    deleteSchedule: (id) => write(() => schedules.remove(id)),
    saveHook: (record, tokenHash) => write(() => hooks.save(record, tokenHash)),
    findHook: (by) => read(() => hooks.find(by)),
    listHooks: (limit) => read(() => hooks.list(limit)),
    deleteHook: (id) => write(() => hooks.remove(id)),
    saveWebhook: (record, since) => write(() => webhooks.save(record, since)),
    getWebhook: (id) => read(() => webhooks.get(id)),
    listWebhooks: (limit) => read(() => webhooks.list(limit)),
    deleteWebhook: (id) => write(() => webhooks.remove(id)),
    webhookCursors: () => read(() => webhooks.cursors()),
    addDeliveries: (deliveries, toldUpTo) => write(() => webhooks.addDeliveries(deliveries, toldUpTo)),
    takeDeliveries: async (now, until, limit) =>
      (await read(() => webhooks.isDue(now))) ? write(() => webhooks.take(now, until, limit)) : [],
    updateDelivery: (delivery) => write(() => webhooks.update(delivery)),
    getDelivery: (id) => read(() => webhooks.getDelivery(id)),
    listDeliveries: (filter) => read(() => webhooks.listDeliveries(filter)),
    forgetDeliveries: (before) => write(() => webhooks.forget(before)),
    fireSchedule: (id, turn) => write(() => schedules.fire(id, turn)),

    budgetsOf: (runId) => read(() => spending.budgets(runId, { runs, batches })),
    spentOf: (owner) => read(() => spending.spent(owner)),
    costs: (filter) => read(() => costs(filter)),
    spendingOverTime: (filter) => read(() => spendingOverTime(filter)),

    claim: (claim) => write(() => claims.claim(claim)),
    listClaims: (runId) => read(() => claims.list({ runId })),

    setPin: (documentId, key, outputs) => write(() => pins.set(documentId, key, outputs)),
    listPins: (documentId) => read(() => pins.list(documentId)),

    addAudit: (entry) => write(() => access.addAudit(entry)),
    listAudit: (filter) => read(() => access.listAudit(filter)),
    keepAnswer: (key, answer, at) => write(() => access.keepAnswer(key, answer, at)),
    keptAnswer: (key) => read(() => access.keptAnswer(key)),

    close: () => connection.close(),
  };
  return {
    artifacts,
    meta,
    upkeep: { collect: (options) => collect({ connection, rows, condemned, blobs }, options) },
  };
}

function checkHash({ hash, bytes }: NewArtifact, { runId, key }: Outcome): void {
  const actual = sha256(bytes);
  if (actual === hash) return;
  throw new ForgeError(
    'internal',
    `An artifact of node "${key}" in run "${runId}" was given as ${hash} but its bytes have ${actual}.`,
    {
      fix: 'Hash the bytes that are stored; this is a bug of the caller.',
    },
  );
}
