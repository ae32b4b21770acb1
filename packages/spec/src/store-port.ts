import { z } from 'zod';
import type { AccessLog } from './access-port.ts';
import { BatchPart } from './batch-part.ts';
import { Budget, type Spent } from './budget.ts';
import type { CostFilter, CostTable, SpendingFilter, SpendingPoint, UsageSum } from './costs.ts';
import { Failure } from './errors.ts';
import type { EvaluationLog } from './evaluation.ts';
import type { HookLog } from './hook.ts';
import { LogLevel, Verdict } from './kind.ts';
import { Usage } from './model-port.ts';
import type { PageLog } from './page-pictures.ts';
import type { PublicationLog } from './publication.ts';
import type { PackageVerdict, ReviewLog } from './review.ts';
import type { ScheduleLog } from './schedule.ts';
import type { CollectOptions, CollectReport } from './upkeep.ts';
import { ValueRef } from './value.ts';
import type { WebhookLog } from './webhook.ts';

export const NodeStatus = z.enum(['waiting', 'running', 'awaiting', 'succeeded', 'failed', 'skipped', 'cancelled']);
export type NodeStatus = z.infer<typeof NodeStatus>;
/** `needs-attention`: open, waiting for a person to retry or cancel. */
export const RunState = z.enum([
  'queued',
  'running',
  'needs-attention',
  'succeeded',
  'failed',
  'cancelled',
  'terminated',
]);
export type RunState = z.infer<typeof RunState>;

/** Identity of one execution of a node. `token` is unique in the run and grows. */
export const ExecutionId = z.strictObject({
  runId: z.string(),
  /** Path of the node: `draft`, `files[3]/draft`, `polish#2/judge`. */
  key: z.string(),
  token: z.number().int().positive(),
  round: z.number().int().positive(),
  attempt: z.number().int().positive(),
});
export type ExecutionId = z.infer<typeof ExecutionId>;

/** How an execution ended, committed once, by the activity itself. */
export const Outcome = z.strictObject({
  ...ExecutionId.shape,
  status: z.enum(['succeeded', 'failed']),
  kind: z.string(),
  title: z.string(),
  /** Hash over kind, version, params and input references: what it was computed from. */
  fingerprint: z.string(),
  params: z.string(),
  inputs: z.record(z.string(), z.array(ValueRef)),
  outputs: z.record(z.string(), ValueRef),
  verdict: Verdict.nullable(),
  failure: Failure.nullable(),
  /** Where the value came from. `memo` names the run that made it in `madeBy`. */
  origin: z.enum(['executed', 'memo', 'pinned', 'reused', 'decision']),
  madeBy: z.string().nullable(),
  memoKey: z.string().nullable(),
  /** `rehearsal`, `openai:…`, … for values that a model (or its stand-in) wrote. */
  providers: z.array(z.string()),
  usage: Usage,
  usd: z.number().nullable(),
  startedAt: z.number().int(),
  endedAt: z.number().int(),
});
export type Outcome = z.infer<typeof Outcome>;

export const ModelCall = z.strictObject({
  ...ExecutionId.shape,
  index: z.number().int().nonnegative(),
  /** The activity attempt that made it: a call repeated after a crash is counted again. */
  activityAttempt: z.number().int().positive(),
  purpose: z.string(),
  provider: z.string(),
  model: z.string(),
  usage: Usage,
  usd: z.number().nullable(),
  milliseconds: z.number().int().nonnegative(),
  status: z.enum(['ok', 'failed']),
  error: z.string().nullable(),
  prompt: ValueRef.nullable(),
  response: ValueRef.nullable(),
  at: z.number().int(),
});
export type ModelCall = z.infer<typeof ModelCall>;

/** State of a node as the workflow last reported it. */
export const NodeView = z.strictObject({
  runId: z.string(),
  key: z.string(),
  /** Order of reports in the run: an older one never overwrites a newer. */
  seq: z.number().int(),
  token: z.number().int(),
  status: NodeStatus,
  round: z.number().int(),
  attempt: z.number().int(),
  failure: Failure.nullable(),
  /** Note for people: `12 of 40 items`, `waiting for approval`. */
  note: z.string().nullable(),
  /** For map nodes. */
  counts: z.record(z.string(), z.number().int()).nullable(),
  at: z.number().int(),
});
export type NodeView = z.infer<typeof NodeView>;

/** Items of a map that stand alike. `failureCode` is that of the first failed node, by code; null where none failed. */
export const ItemCount = z.strictObject({
  status: NodeStatus,
  failureCode: z.string().nullable(),
  count: z.number().int().nonnegative(),
});
export type ItemCount = z.infer<typeof ItemCount>;

/** An item of a map that has begun. `troubled` are the states of its nodes that failed unhandled or wait for a decision. */
export const ItemView = z.strictObject({
  index: z.number().int().nonnegative(),
  status: NodeStatus,
  failureCode: z.string().nullable(),
  troubled: z.array(NodeView),
});
export type ItemView = z.infer<typeof ItemView>;

/** Which items of a map; `handled` are nodes inside (paths without items and iterations) whose failures an edge handles. */
export interface ItemFilter {
  map: string;
  handled?: readonly string[];
  status?: NodeStatus;
  failureCode?: string;
}

export const RunMode = z.enum(['interactive', 'batch']);
export type RunMode = z.infer<typeof RunMode>;

/** Changes made for a retry; they stay with the run. Keys are node paths. */
export const NodeEdit = z.strictObject({
  params: z.string().optional().describe('hash of the params to use instead'),
  inputs: z.record(z.string(), z.array(ValueRef)).optional().describe('port → values to use instead'),
  /** Values to take as this node's outputs without running it. */
  pinned: z.record(z.string(), ValueRef).optional(),
});
export type NodeEdit = z.infer<typeof NodeEdit>;
export const NodeEdits = z.record(z.string(), NodeEdit);
export type NodeEdits = z.infer<typeof NodeEdits>;

/** Which part of a graph to run. Values from outside the part come from `baseRun`. */
export const Selection = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('all') }),
  z.strictObject({ mode: z.literal('only'), node: z.string() }),
  z.strictObject({ mode: z.literal('to'), node: z.string() }),
  z.strictObject({ mode: z.literal('from'), node: z.string() }),
]);
export type Selection = z.infer<typeof Selection>;

export const RunRecord = z.strictObject({
  id: z.string(),
  documentId: z.string(),
  documentHash: z.string(),
  planHash: z.string(),
  title: z.string(),
  skill: z.string(),
  seed: z.number().int(),
  mode: RunMode,
  batchId: z.string().nullable(),
  /** Of an evaluation: takes no earlier result, and claims values within its batch alone. */
  trial: z.literal(true).optional(),
  baseRun: z.string().nullable(),
  selection: Selection,
  inputs: z.record(z.string(), ValueRef),
  edits: NodeEdits,
  /** Of this run alone; that of its batch holds as well. */
  budget: Budget.optional(),
  state: RunState,
  failure: Failure.nullable(),
  outputs: z.record(z.string(), ValueRef),
  /** Grows each time a closed run is opened again. */
  epoch: z.number().int().positive(),
  workflowId: z.string(),
  createdAt: z.number().int(),
  startedAt: z.number().int().nullable(),
  endedAt: z.number().int().nullable(),
});
export type RunRecord = z.infer<typeof RunRecord>;

/** Runs of a skill that stand alike: of one version of one document, with or without a model. */
export const SkillCount = z.strictObject({
  skill: z.string(),
  documentId: z.string(),
  documentHash: z.string(),
  state: RunState,
  failureCode: z.string().nullable(),
  rehearsed: z.boolean(),
  count: z.number().int().nonnegative(),
});
export type SkillCount = z.infer<typeof SkillCount>;

export const RunEvent = z.strictObject({
  /** Grows over the whole store; resume from it. */
  id: z.number().int(),
  runId: z.string(),
  type: z.enum(['run', 'node', 'outcome', 'progress', 'log', 'package', 'batch']),
  data: z.unknown(),
  at: z.number().int(),
});
export type RunEvent = z.infer<typeof RunEvent>;
/** Data of a `log` event: a line that an execution of a node wrote. */
export const LogLine = z.strictObject({ key: z.string(), token: z.number().int(), level: LogLevel, line: z.string() });
export type LogLine = z.infer<typeof LogLine>;
export interface NewEvent {
  runId: string;
  type: RunEvent['type'];
  data: unknown;
  at: number;
  /** Events of a run with the same key are stored once. */
  dedupe?: string;
}

export const DocumentRecord = z.strictObject({
  id: z.string(),
  title: z.string(),
  revision: z.number().int().positive(),
  hash: z.string(),
  /** The document as YAML. */
  source: z.string(),
  updatedAt: z.number().int(),
});
export type DocumentRecord = z.infer<typeof DocumentRecord>;

export const PackageRecord = z.strictObject({
  id: z.string(),
  runId: z.string(),
  batchId: z.string().nullable(),
  skill: z.string(),
  seed: z.number().int(),
  title: z.string(),
  outcomeKind: z.string(),
  /** Part of it was made without a model. */
  rehearsed: z.boolean(),
  /** The TaskPackage value. */
  value: ValueRef,
  createdAt: z.number().int(),
});
export type PackageRecord = z.infer<typeof PackageRecord>;

/** `paused`: no new runs start until somebody resumes it. `budget`: the same, because the budget is used up. */
export const BatchState = z.enum([...RunState.options, 'paused', 'budget']);
export type BatchState = z.infer<typeof BatchState>;

export const BatchRecord = z.strictObject({
  id: z.string(),
  title: z.string(),
  parts: z.array(BatchPart).min(1),
  /** Runs of all parts. */
  count: z.number().int().positive(),
  /** Runs in progress at once. */
  window: z.number().int().positive(),
  budget: Budget,
  state: BatchState,
  /** Every run has been begun: one that is not there any more was deleted, and is not made again. */
  complete: z.boolean().optional(),
  /** The evaluation that it is a variant of. */
  evaluationId: z.string().optional(),
  workflowId: z.string(),
  createdAt: z.number().int(),
  endedAt: z.number().int().nullable(),
});
export type BatchRecord = z.infer<typeof BatchRecord>;

export interface BudgetState {
  of: 'run' | 'batch';
  id: string;
  budget: Budget;
  spent: Spent;
}

/** A claim of one node of one run on a value. */
export const NewClaim = z.strictObject({
  /** Kind of scope and what it is within: `batch:…`, `skill:…`. */
  scope: z.string().min(1),
  name: z.string().min(1),
  /** SHA-256 of the value. */
  value: z.string().regex(/^[0-9a-f]{64}$/),
  runId: z.string().min(1),
  key: z.string().min(1),
  /** `signature`: 32-bit numbers, little-endian, as base64. */
  near: z.strictObject({ signature: z.string(), atLeast: z.number().min(0).max(1) }).nullable(),
  at: z.number().int(),
});
export type NewClaim = z.infer<typeof NewClaim>;
export type ClaimResult = { granted: true } | { granted: false; alike: number; holder: { runId: string; key: string } };

export interface NewArtifact {
  bytes: Uint8Array;
  hash: string;
}

export interface ArtifactStore {
  /** Stores bytes under their SHA-256; storing the same bytes again does nothing. Written whole or not at all. */
  put(bytes: Uint8Array): Promise<{ hash: string; size: number }>;
  /** @throws ForgeError `artifact.missing`, `artifact.corrupt` (the bytes no longer have their hash) */
  get(hash: string): Promise<Uint8Array>;
  has(hash: string): Promise<boolean>;
  /** Whether the bytes as they lie in the store have this hash; never answered from memory. */
  verify(hash: string): Promise<boolean>;
}

/** Where a page of records that are ordered by time ended. */
export interface TimeMark {
  createdAt: number;
  id: string;
}

/** Metadata. One implementation per database; a conformance suite runs over all. Every method is atomic. */
export interface MetaStore
  extends AccessLog,
    ReviewLog,
    ScheduleLog<BatchRecord>,
    HookLog,
    PublicationLog,
    EvaluationLog,
    PageLog,
    WebhookLog {
  saveDocument(
    id: string,
    title: string,
    source: string,
    hash: string,
    expectedRevision: number | null,
    at: number,
  ): Promise<DocumentRecord>; // throws document.conflict
  getDocument(id: string): Promise<DocumentRecord | null>;
  /** A document as it was: by content hash. */
  getDocumentVersion(hash: string): Promise<DocumentRecord | null>;
  /** Revisions of one document, newest first; with `before`, only older ones. */
  listDocumentRevisions(id: string, page?: { before?: number; limit?: number }): Promise<DocumentRecord[]>;
  getDocumentRevision(id: string, revision: number): Promise<DocumentRecord | null>;
  /** By title. `after` is the title and id to go on from. */
  listDocuments(page?: { after?: { title: string; id: string }; limit?: number }): Promise<DocumentRecord[]>;

  /** Does nothing when the run exists already. */
  createRun(run: RunRecord): Promise<void>;
  getRun(id: string): Promise<RunRecord | null>;
  /** With `from`, only while the run is in one of these states; answers whether the change was made. */
  updateRun(
    id: string,
    change: Partial<
      Pick<
        RunRecord,
        | 'state'
        | 'failure'
        | 'outputs'
        | 'epoch'
        | 'edits'
        | 'budget'
        | 'startedAt'
        | 'endedAt'
        | 'planHash'
        | 'documentHash'
        | 'workflowId'
      >
    >,
    from?: readonly RunState[],
  ): Promise<boolean>;
  /** Newest first. `before` is the `createdAt` and id to go on from. */
  listRuns(filter: {
    documentId?: string;
    batchId?: string;
    state?: RunState;
    failureCode?: string;
    limit: number;
    before?: TimeMark;
  }): Promise<RunRecord[]>;
  /** How many runs (of a batch, or all) are in each state, by the code they failed with. */
  countRuns(filter: { batchId?: string }): Promise<{ state: RunState; failureCode: string | null; count: number }[]>;
  /** How many runs of each skill and document version stand how. */
  countSkillRuns(): Promise<SkillCount[]>;
  /** How many runs of a batch have ended at this time or later. */
  countEnded(filter: { batchId: string; since: number }): Promise<number>;

  /**
   * Commits an outcome, the small artifacts it refers to, its model calls and its event in one transaction.
   * The first commit of (run, key, token) wins; returns what is committed, which is another's outcome if that came first.
   * `calls` are kept either way: they were made and have their price. Those added before need not be given again.
   * `patience` are milliseconds that the commit may wait for others to share its transaction.
   */
  commitOutcome(outcome: Outcome, artifacts: NewArtifact[], calls?: ModelCall[], patience?: number): Promise<Outcome>;
  findOutcome(runId: string, key: string, token: number): Promise<Outcome | null>;
  /**
   * All outcomes of a run, by token; with `prefix`, those of keys that start with it; with `key`, those of one node; with `kind`, those of one kind;
   * with `outsideItems`, none that lies in a map item which the prefix does not name.
   */
  listOutcomes(
    runId: string,
    filter?: { prefix?: string; key?: string; kind?: string; outsideItems?: boolean },
  ): Promise<Outcome[]>;
  /** Newest succeeded outcome with this memo key. */
  findMemo(memoKey: string): Promise<Outcome | null>;

  /** Upserts node states; a state with a lower `seq` than the stored one is dropped. Adds a `node` event for each that changed. */
  saveNodeViews(views: NodeView[]): Promise<void>;
  listNodeViews(
    runId: string,
    filter?: {
      prefix?: string;
      status?: NodeStatus;
      /** None that lies in a map item which the prefix does not name. */
      outsideItems?: boolean;
      limit?: number;
      after?: string;
    },
  ): Promise<NodeView[]>;
  /** How many items of a map stand how; those that have not begun are in none. */
  countItems(runId: string, filter: Pick<ItemFilter, 'map' | 'handled'>): Promise<ItemCount[]>;
  /** Items of a map that have begun, in order; `after` is an index. */
  listItems(runId: string, filter: ItemFilter & { after?: number; limit: number }): Promise<ItemView[]>;

  addModelCall(call: ModelCall): Promise<void>;
  listModelCalls(runId: string, key?: string): Promise<ModelCall[]>;
  /** Tokens and money of runs, all calls counted (repaired, rejected and repeated ones too). */
  usageOf(filter: { runId?: string; batchId?: string }): Promise<UsageSum>;

  /** What model calls cost, group by group. */
  costs(filter: CostFilter): Promise<CostTable>;
  /** What model calls cost, stretch by stretch. */
  spendingOverTime(filter: SpendingFilter): Promise<SpendingPoint[]>;

  addEvents(events: NewEvent[]): Promise<void>;
  /** Events with an id above `after`, oldest first. */
  listEvents(filter: {
    after: number;
    runId?: string;
    batchId?: string;
    /** Of one node: states, progress, log lines and outcomes. */
    key?: string;
    /** Of these types alone. */
    types?: readonly RunEvent['type'][];
    limit: number;
  }): Promise<RunEvent[]>;
  lastEventId(): Promise<number>;
  /** Calls `wake` soon after any process committed something; returns the function that stops it. */
  watch(wake: () => void): () => void;

  addPackage(record: PackageRecord): Promise<void>;
  /** Newest first. `before` is the `createdAt` and id to go on from. */
  listPackages(filter: {
    batchId?: string;
    runId?: string;
    skill?: string;
    /** Those that people think this of; all by default. */
    verdicts?: readonly PackageVerdict[];
    limit: number;
    before?: TimeMark;
  }): Promise<PackageRecord[]>;
  getPackage(id: string): Promise<PackageRecord | null>;

  createBatch(batch: BatchRecord): Promise<void>;
  /** With `from`, only while the batch is in one of these states; answers whether the change was made. */
  updateBatch(
    id: string,
    change: Partial<Pick<BatchRecord, 'state' | 'endedAt' | 'window' | 'budget' | 'complete'>>,
    from?: readonly BatchState[],
  ): Promise<boolean>;
  getBatch(id: string): Promise<BatchRecord | null>;
  /** Newest first. `before` is the `createdAt` and id to go on from. */
  listBatches(limit: number, before?: TimeMark): Promise<BatchRecord[]>;
  /** Ids of all runs of a batch that are there, in no order. */
  listBatchRunIds(batchId: string): Promise<string[]>;

  /** What holds for the model calls of a run: its own budget and its batch's, where there are such, and what has been spent of each. */
  budgetsOf(runId: string): Promise<BudgetState[]>;
  /** What counts towards a budget: every call, rehearsed ones too. */
  spentOf(owner: { runId: string } | { batchId: string }): Promise<Spent>;

  /** Claims a value, unless another holds an equal or alike one. The claimant's earlier claim under this name is replaced. */
  claim(claim: NewClaim): Promise<ClaimResult>;
  listClaims(runId: string): Promise<{ scope: string; name: string; key: string; value: string }[]>;

  /** Values that stand in for a node's outputs in draft runs of a document. */
  setPin(documentId: string, key: string, outputs: Record<string, ValueRef> | null): Promise<void>;
  listPins(documentId: string): Promise<Record<string, Record<string, ValueRef>>>;

  close(): Promise<void>;
}

/** What keeps a store from growing for ever. */
export interface Upkeep {
  /**
   * Deletes what is past its retention, and artifacts that nothing has referred to for the grace period.
   * @throws ForgeError `store.busy` while another collection is under way
   */
  collect(options: CollectOptions): Promise<CollectReport>;
}

export interface Store {
  artifacts: ArtifactStore;
  meta: MetaStore;
  upkeep: Upkeep;
}
