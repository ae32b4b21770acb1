import { z } from 'zod';
import * as Api from './api.ts';
import { type ApiRoute, AuditAction } from './api-route.ts';
import { CostBy, CostTable } from './costs.ts';
import { NodeId } from './document.ts';
import { Json } from './json.ts';
import { ModelsView, ModelTest, PlayNode, PlayResult, TestModel } from './models-view.ts';
import { SetCurrentBuild, WorkersView } from './operations.ts';
import { PackageReview, RejectedExamples, ReviewList, ReviewPackage, ReviewPackages, ReviewSummary } from './review.ts';
import { BatchRecord, NodeStatus, PackageRecord, RunRecord, RunState } from './store-port.ts';
import { CollectionView, StartCollection } from './upkeep.ts';
import { FileValue, Hash, ValueRef } from './value.ts';

const limit = z.coerce.number<number>().int().min(1).max(1000);
const cursor = z.string().optional();
const eventCursor = z
  .string()
  .regex(/^\d{1,15}$/, 'not a cursor of this server')
  .optional();
const whole = z.coerce.number<number>().int().nonnegative();
/** A day, which begins at midnight UTC, or a moment. */
const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
const document = { id: NodeId };
const hash = { hash: Hash };

/** A name without folders and control characters. */
const FileName = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => name !== '.' && name !== '..' && !/[/\\]/.test(name), 'a file name without folders')
  .refine((name) => !/\p{Cc}/u.test(name), 'a file name without control characters');

/** Every address of the HTTP API by the name that clients call it by. Errors are always `ApiError`. */
export const apiRoutes = {
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description of the API, as OpenAPI 3.1.',
    role: 'anyone',
    answers: z.record(z.string(), Json),
  },
  health: {
    method: 'GET',
    path: '/health',
    summary: 'Version, Temporal, workers by queue, model provider.',
    role: 'viewer',
    answers: Api.Health,
  },
  kinds: {
    method: 'GET',
    path: '/kinds',
    summary: 'Every node kind: ports, JSON Schema of the params, policy.',
    role: 'viewer',
    answers: Api.KindList,
  },

  models: {
    method: 'GET',
    path: '/models',
    summary: 'Model providers of the worker: models, prices, whether a key is there.',
    role: 'viewer',
    answers: ModelsView,
  },
  testModel: {
    method: 'POST',
    path: '/models/test',
    summary: 'Asks a model one tiny thing; says what came back, or why nothing did.',
    role: 'author',
    body: TestModel,
    answers: ModelTest,
    audit: { action: 'model.test', keep: ['model'] },
  },
  playNode: {
    method: 'POST',
    path: '/playground',
    summary: 'Executes one node with several models side by side and commits nothing.',
    role: 'author',
    body: PlayNode,
    answers: PlayResult,
    audit: { action: 'playground.run', keep: ['documentId', 'node', 'run', 'models'] },
  },

  workers: {
    method: 'GET',
    path: '/workers',
    summary: 'Backlog, workers and builds by queue, and activities of open workflows that are in trouble.',
    role: 'viewer',
    query: z.strictObject({ examine: z.coerce.number<number>().int().min(0).max(1_000).default(100) }),
    answers: WorkersView,
  },
  startCollection: {
    method: 'POST',
    path: '/upkeep/collection',
    summary: 'Begins to delete what is past its retention and artifacts that nothing refers to; answers at once.',
    role: 'operator',
    body: StartCollection,
    answers: CollectionView,
    repeatable: true,
    audit: { action: 'garbage.collect', keep: ['dryRun', 'graceHours'] },
  },
  collection: {
    method: 'GET',
    path: '/upkeep/collection',
    summary: 'How the collection of garbage that this server began last stands.',
    role: 'operator',
    answers: CollectionView,
  },
  setCurrentBuild: {
    method: 'POST',
    path: '/workers/current',
    summary: 'Starts new runs on this build of the worker; open runs stay on theirs.',
    role: 'operator',
    body: SetCurrentBuild,
    answers: Api.Done,
    repeatable: true,
    audit: { action: 'workers.use', keep: ['build'] },
  },

  documents: {
    method: 'GET',
    path: '/documents',
    summary: 'Documents by title, without their text; `next` is the cursor of the next page.',
    role: 'viewer',
    query: z.strictObject({ limit: limit.default(1000), cursor }),
    answers: Api.DocumentList,
  },
  document: {
    method: 'GET',
    path: '/documents/:id',
    summary: 'One document: record, parsed document, findings.',
    role: 'viewer',
    params: document,
    answers: Api.DocumentView,
  },
  revisions: {
    method: 'GET',
    path: '/documents/:id/revisions',
    summary: 'Every revision of a document, newest first; `next` is the `before` of the next page.',
    role: 'viewer',
    params: document,
    query: z.strictObject({ limit: limit.default(100), before: whole.optional() }),
    answers: Api.RevisionList,
  },
  revision: {
    method: 'GET',
    path: '/documents/:id/revisions/:revision',
    summary: 'One revision of a document, as it was stored.',
    role: 'viewer',
    params: { ...document, revision: z.string().regex(/^[1-9]\d{0,8}$/, 'the number of a revision') },
    answers: Api.DocumentView,
  },
  saveDocument: {
    method: 'PUT',
    path: '/documents/:id',
    summary: 'Saves a document. Unfinished ones may be saved; the findings come back.',
    role: 'author',
    params: document,
    body: Api.SaveDocument,
    answers: Api.DocumentView,
    audit: { action: 'document.save', keep: ['expectedRevision'] },
  },
  validate: {
    method: 'POST',
    path: '/validate',
    summary: 'Findings about a text, with lines.',
    role: 'viewer',
    body: Api.ValidateDocument,
    answers: Api.ValidateResult,
    repeatable: true,
  },
  pins: {
    method: 'GET',
    path: '/documents/:id/pins',
    summary: 'Values that stand in for outputs in runs with `usePins`: node path → port → value.',
    role: 'viewer',
    params: document,
    answers: z.record(z.string(), z.record(z.string(), ValueRef)),
  },
  setPin: {
    method: 'PUT',
    path: '/documents/:id/pins/:key',
    summary: "Pins a node's outputs, or removes the pin with null.",
    role: 'author',
    params: document,
    body: Api.SetPin,
    answers: Api.Done,
    repeatable: true,
    audit: { action: 'pin.set' },
  },

  uploadFile: {
    method: 'POST',
    path: '/files',
    summary: 'Stores raw bytes; the type is taken from `Content-Type`, else from the name.',
    role: 'author',
    query: z.strictObject({ name: FileName }),
    body: 'bytes',
    answers: FileValue,
    repeatable: true,
    audit: { action: 'file.upload' },
  },
  file: {
    method: 'GET',
    path: '/files/:hash',
    summary: 'The bytes of a file, always as a download.',
    role: 'viewer',
    params: hash,
    query: z.strictObject({ name: FileName.optional(), type: z.string().optional() }),
    answers: 'bytes',
  },
  value: {
    method: 'GET',
    path: '/values/:hash',
    summary: 'The JSON behind a reference, or one element of a list.',
    role: 'viewer',
    params: hash,
    query: z.strictObject({ index: whole.optional() }),
    answers: Json,
  },

  startRun: {
    method: 'POST',
    path: '/runs',
    summary: 'Starts a run of a stored document or a draft.',
    role: 'author',
    body: Api.StartRun,
    answers: RunRecord,
    status: 201,
    starts: true,
    audit: { action: 'run.start', keep: ['documentId', 'seed', 'mode'] },
  },
  runs: {
    method: 'GET',
    path: '/runs',
    summary: 'Runs, newest first; `next` is the cursor of the next page.',
    role: 'viewer',
    query: z.strictObject({
      documentId: z.string().optional(),
      batchId: z.string().optional(),
      state: RunState.optional(),
      failureCode: z.string().optional(),
      limit: limit.default(50),
      cursor,
    }),
    answers: Api.RunList,
  },
  run: {
    method: 'GET',
    path: '/runs/:id',
    summary: 'One run: record, document, node states without map items, usage, link into the Temporal UI.',
    role: 'viewer',
    answers: Api.RunView,
  },
  nodes: {
    method: 'GET',
    path: '/runs/:id/nodes',
    summary: 'Node states by path, map items too.',
    role: 'viewer',
    query: z.strictObject({
      prefix: z.string().optional(),
      status: NodeStatus.optional(),
      limit: limit.default(200),
      after: z.string().optional(),
    }),
    answers: Api.NodeList,
  },
  scope: {
    method: 'GET',
    path: '/runs/:id/scope',
    summary:
      'States and all executions of one graph of a run, without what lies in map items the prefix does not name.',
    role: 'viewer',
    query: z.strictObject({ prefix: z.string().default('') }),
    answers: Api.ScopeView,
  },
  itemCounts: {
    method: 'GET',
    path: '/runs/:id/item-counts',
    summary: 'How many items of a map stand how, by failure code.',
    role: 'viewer',
    query: z.strictObject({ map: z.string().min(1) }),
    answers: Api.ItemCounts,
  },
  items: {
    method: 'GET',
    path: '/runs/:id/items',
    summary: 'Items of a map that have begun, in order, by state and failure code.',
    role: 'viewer',
    query: z.strictObject({
      map: z.string().min(1),
      status: NodeStatus.optional(),
      failureCode: z.string().optional(),
      limit: limit.default(200),
      after: whole.optional(),
    }),
    answers: Api.ItemList,
  },
  nodeLog: {
    method: 'GET',
    path: '/runs/:id/log',
    summary: 'What a node said while it ran: states, progress and log lines, oldest first.',
    role: 'viewer',
    query: z.strictObject({ key: z.string().min(1), limit: limit.default(500), cursor: eventCursor }),
    answers: Api.NodeLog,
  },
  node: {
    method: 'GET',
    path: '/runs/:id/node',
    summary: 'One node: state, outcomes (newest first), model calls, params.',
    role: 'viewer',
    query: z.strictObject({ key: z.string().min(1) }),
    answers: Api.NodeDetail,
  },
  retryRun: {
    method: 'POST',
    path: '/runs/:id/retry',
    summary: 'Runs nodes again, or all that failed (with a code, below a path), after edits.',
    role: 'author',
    own: true,
    body: Api.RetryRun,
    answers: Api.RetryResult,
    audit: { action: 'run.retry', keep: ['targets', 'failureCode', 'prefix'] },
  },
  approve: {
    method: 'POST',
    path: '/runs/:id/approve',
    summary: 'Decides a waiting approval.',
    role: 'operator',
    body: Api.ApproveNode,
    answers: Api.Done,
    audit: { action: 'run.approve', keep: ['key', 'decision'] },
  },
  runArchive: {
    method: 'GET',
    path: '/runs/:id/archive',
    summary: 'A closed run with its document, outcomes, model calls and artifacts, as a .tar.',
    role: 'viewer',
    answers: 'bytes',
  },
  importRun: {
    method: 'POST',
    path: '/runs/import',
    summary: 'Takes up a run from its archive. A run of that id that is here already stays as it is.',
    role: 'operator',
    body: 'bytes',
    answers: RunRecord,
    status: 201,
    repeatable: true,
    audit: { action: 'run.import' },
  },
  cancelRun: {
    method: 'POST',
    path: '/runs/:id/cancel',
    summary: 'Asks a run to cancel.',
    role: 'author',
    own: true,
    answers: Api.Done,
    audit: { action: 'run.cancel' },
  },

  startBatch: {
    method: 'POST',
    path: '/batches',
    summary: 'Starts `count` runs with consecutive seeds of a document, or of each of several.',
    role: 'operator',
    body: Api.StartBatch,
    answers: BatchRecord,
    status: 201,
    starts: true,
    audit: { action: 'batch.start', keep: ['documentId', 'count', 'seed', 'window', 'budget'] },
  },
  batches: {
    method: 'GET',
    path: '/batches',
    summary: 'Batches, newest first; `next` is the cursor of the next page.',
    role: 'viewer',
    query: z.strictObject({ limit: limit.default(50), cursor }),
    answers: Api.BatchList,
  },
  batch: {
    method: 'GET',
    path: '/batches/:id',
    summary: 'One batch: counts, failures by code, usage, pace, what an accepted run cost.',
    role: 'viewer',
    answers: Api.BatchView,
  },
  retryBatch: {
    method: 'POST',
    path: '/batches/:id/retry',
    summary: 'Takes the failed runs of a batch up again in its window, all or those of one failure code.',
    role: 'operator',
    body: Api.RetryBatch,
    answers: Api.RetryBatchResult,
    audit: { action: 'batch.retry', keep: ['failureCode'] },
  },
  pauseBatch: {
    method: 'POST',
    path: '/batches/:id/pause',
    summary: 'Starts no more runs of a batch; those in progress go on to their ends.',
    role: 'operator',
    answers: BatchRecord,
    repeatable: true,
    audit: { action: 'batch.pause' },
  },
  resumeBatch: {
    method: 'POST',
    path: '/batches/:id/resume',
    summary:
      'Goes on with a batch that is paused, out of budget or was ended before its time; changes budget and window.',
    role: 'operator',
    body: Api.ResumeBatch,
    answers: BatchRecord,
    repeatable: true,
    audit: { action: 'batch.resume', keep: ['budget', 'window'] },
  },
  cancelBatch: {
    method: 'POST',
    path: '/batches/:id/cancel',
    summary: 'Cancels a batch and its runs.',
    role: 'operator',
    answers: Api.Done,
    audit: { action: 'batch.cancel' },
  },

  costs: {
    method: 'GET',
    path: '/costs',
    summary: 'What model calls cost, by node, run, skill, batch or model; rehearsals never count.',
    role: 'viewer',
    query: z.strictObject({
      by: CostBy.default('skill'),
      run: z.string().optional(),
      batch: z.string().optional(),
      from: Moment.optional(),
      to: Moment.optional(),
      limit: limit.default(100),
    }),
    answers: CostTable,
  },

  packages: {
    method: 'GET',
    path: '/packages',
    summary: 'Task packages, newest first, by what people think of them too; `next` is the cursor of the next page.',
    role: 'viewer',
    query: z.strictObject({
      batchId: z.string().optional(),
      runId: z.string().optional(),
      skill: z.string().optional(),
      verdict: Api.VerdictFilter.optional(),
      limit: limit.default(1000),
      cursor,
    }),
    answers: Api.PackageList,
  },
  package: {
    method: 'GET',
    path: '/packages/:id',
    summary: 'One task package with its contents, and what people think of it.',
    role: 'viewer',
    answers: Api.PackageView,
  },
  importPackage: {
    method: 'POST',
    path: '/packages',
    summary: 'Takes up a task package from its .tar. The same package again changes nothing.',
    role: 'author',
    body: 'bytes',
    answers: PackageRecord,
    status: 201,
    repeatable: true,
    audit: { action: 'package.import' },
  },
  packageArchive: {
    method: 'GET',
    path: '/packages/:id/archive',
    summary: 'A task package as a .tar.',
    role: 'viewer',
    answers: 'bytes',
  },

  packageReviews: {
    method: 'GET',
    path: '/packages/:id/reviews',
    summary: 'Every verdict of people on a package, newest first: the first holds.',
    role: 'viewer',
    answers: ReviewList,
  },
  reviewPackage: {
    method: 'PUT',
    path: '/packages/:id/review',
    summary: 'Accepts or rejects a package, or takes a verdict back. The same again by the same user adds nothing.',
    role: 'author',
    body: ReviewPackage,
    answers: PackageReview,
    repeatable: true,
    audit: { action: 'package.review', keep: ['verdict', 'reason'] },
  },
  reviewPackages: {
    method: 'POST',
    path: '/packages/reviews',
    summary: 'The same verdict on several packages, all or none.',
    role: 'author',
    body: ReviewPackages,
    answers: ReviewList,
    repeatable: true,
    audit: { action: 'package.review', keep: ['ids', 'verdict', 'reason'] },
  },
  reviews: {
    method: 'GET',
    path: '/reviews',
    summary: 'How many packages of each skill people accepted, rejected for which reason, or have not looked at.',
    role: 'viewer',
    query: z.strictObject({ skill: z.string().optional(), batchId: z.string().optional() }),
    answers: ReviewSummary,
  },
  rejectedExamples: {
    method: 'GET',
    path: '/reviews/examples',
    summary: 'What gates were shown of packages that people rejected for a fault these gates look for, newest first.',
    role: 'author',
    query: z.strictObject({
      skill: z.string().optional(),
      gate: z.string().optional(),
      limit: z.coerce.number<number>().int().min(1).max(100).default(20),
      cursor,
    }),
    answers: RejectedExamples,
  },

  events: {
    method: 'GET',
    path: '/events',
    summary:
      'Server-sent events: `id` is the id of the event, `data` a RunEvent. Resumes after `Last-Event-ID` or `after`.',
    role: 'viewer',
    query: z.strictObject({
      run: z.string().optional(),
      batch: z.string().optional(),
      after: whole.optional(),
      inside: z.string().optional().describe('of what happens in map items, only what lies right below this path'),
    }),
    answers: 'events',
  },
  eventLog: {
    method: 'GET',
    path: '/event-log',
    summary: 'Events that happened, oldest first; `next` is the cursor of the next page.',
    role: 'viewer',
    query: z.strictObject({
      run: z.string().optional(),
      batch: z.string().optional(),
      limit: limit.default(200),
      cursor: eventCursor,
    }),
    answers: Api.EventList,
  },

  session: {
    method: 'GET',
    path: '/session',
    summary: 'Who asks, and which logins there are.',
    role: 'anyone',
    answers: Api.SessionView,
  },
  openSession: {
    method: 'POST',
    path: '/session',
    summary: 'Opens a session for the owner of a token: a cookie for browsers.',
    role: 'anyone',
    body: Api.OpenSession,
    answers: Api.SessionView,
    repeatable: true,
  },
  closeSession: {
    method: 'DELETE',
    path: '/session',
    summary: 'Ends the session of this browser.',
    role: 'anyone',
    answers: Api.Done,
    repeatable: true,
  },
  audit: {
    method: 'GET',
    path: '/audit',
    summary: 'Who did what, newest first; `next` is the cursor of the next page.',
    role: 'operator',
    query: z.strictObject({
      user: z.string().optional(),
      action: AuditAction.optional(),
      target: z.string().optional(),
      limit: limit.default(50),
      cursor: eventCursor,
    }),
    answers: Api.AuditList,
  },
} as const satisfies Record<string, ApiRoute>;

export type ApiRoutes = typeof apiRoutes;
export type RouteName = keyof ApiRoutes;
export const routeNames = Object.keys(apiRoutes) as RouteName[];
