import { z } from 'zod';
import { AuditEntry } from './access-port.ts';
import { Role } from './api-route.ts';
import { Budget, Spent } from './budget.ts';
import { UsageSum } from './costs.ts';
import { Finding, GraphDocument } from './document.ts';
import { Failure } from './errors.ts';
import { Json, JsonObject } from './json.ts';
import { KindMeta } from './kind.ts';
import { Publication, RevisionChoice } from './publication.ts';
import { PackageReview, PackageVerdict } from './review.ts';
import {
  BatchRecord,
  DocumentRecord,
  ItemCount,
  ItemView,
  ModelCall,
  NodeView,
  Outcome,
  PackageRecord,
  RunEvent,
  RunMode,
  RunRecord,
  RunState,
  Selection,
} from './store-port.ts';
import { TaskPackage } from './task.ts';

/** Bodies of the HTTP API, shared by server, studio and CLI. Paths stand beside each. Errors are always `ApiError`. */
export const ApiError = z.strictObject({ error: Failure, findings: z.array(Finding).optional() });
export type ApiError = z.infer<typeof ApiError>;

/** GET /api/health */
export const Health = z.strictObject({
  version: z.string(),
  temporal: z.strictObject({ reachable: z.boolean(), address: z.string(), namespace: z.string(), detail: z.string() }),
  /** Same-origin path of the Temporal UI, or the cluster's UI address; null where there is none. */
  temporalUi: z.string().nullable(),
  workers: z.array(z.strictObject({ queue: z.string(), pollers: z.number().int() })),
  provider: z.string(),
  rehearsed: z.boolean(),
});
export type Health = z.infer<typeof Health>;

/** GET /api/session: who asks, and which logins there are. `user` is null for somebody who has not logged in. */
export const SessionView = z.strictObject({
  user: z.strictObject({ name: z.string(), role: Role, via: z.enum(['local', 'token', 'oidc']) }).nullable(),
  logins: z.strictObject({ token: z.boolean(), oidc: z.boolean() }),
});
export type SessionView = z.infer<typeof SessionView>;
/** POST /api/session */
export const OpenSession = z.strictObject({ token: z.string().min(1).max(1000) });
/** GET /api/audit?user=&action=&target=&limit=&cursor= */
export const AuditList = z.strictObject({ entries: z.array(AuditEntry), next: z.string().nullable() });

/** GET /api/kinds */
export const KindList = z.array(KindMeta);

/** GET /api/documents */
export const DocumentList = z.strictObject({
  documents: z.array(DocumentRecord.omit({ source: true })),
  /** What is published of them, by their ids. */
  published: z.record(z.string(), Publication),
  next: z.string().nullable(),
});
/** GET /api/documents/:id */
export const DocumentView = z.strictObject({
  record: DocumentRecord,
  document: GraphDocument.nullable(),
  findings: z.array(Finding),
});
export type DocumentView = z.infer<typeof DocumentView>;
/** GET /api/documents/:id/revisions?limit=&before= . Newest first, without their text; `next` is the `before` of the next page. */
export const RevisionList = z.strictObject({
  revisions: z.array(DocumentRecord.omit({ source: true })),
  next: z.number().int().positive().nullable(),
});
export type RevisionList = z.infer<typeof RevisionList>;
/** PUT /api/documents/:id: `document` or its `source` as YAML; `expectedRevision` null for a new one. 409 when another revision is there. */
export const SaveDocument = z.strictObject({
  document: GraphDocument.optional(),
  source: z.string().optional(),
  expectedRevision: z.number().int().positive().nullable(),
});
export type SaveDocument = z.infer<typeof SaveDocument>;
/** POST /api/validate */
export const ValidateDocument = z.strictObject({ source: z.string(), file: z.string().optional() });
export const ValidateResult = z.strictObject({ ok: z.boolean(), findings: z.array(Finding) });

/** POST /api/files?name=…: raw bytes in, FileValue out. GET /api/files/:hash?name=…&type=…: the bytes. GET /api/values/:hash?index=…: the JSON. */

/** POST /api/runs. `inputs` are plain values; a file input is a FileValue from POST /api/files. */
export const StartRun = z.strictObject({
  documentId: z.string().optional(),
  /** An unsaved draft instead of a stored document. */
  document: GraphDocument.optional(),
  inputs: JsonObject.default({}),
  seed: z.number().int().default(1),
  mode: RunMode.default('interactive'),
  selection: Selection.default({ mode: 'all' }),
  baseRun: z.string().nullable().default(null),
  usePins: z.boolean().default(false),
  /** Packages that it gives have to prove themselves in a sandbox; without one the run fails. */
  prove: z.boolean().optional(),
  /** Most that its model calls may cost. */
  budget: Budget.optional(),
  /** Starts with the same key start one run. */
  idempotencyKey: z.string().max(200).optional(),
});
export type StartRun = z.infer<typeof StartRun>;

/** POST /api/runs/bulk. Runs of one document, each with its own inputs and seed. */
export const StartRuns = z.strictObject({
  documentId: z.string().optional(),
  /** An unsaved draft instead of a stored document. */
  document: GraphDocument.optional(),
  runs: z
    .array(z.strictObject({ inputs: JsonObject.default({}), seed: z.number().int().default(1) }))
    .min(1)
    .max(1_000),
  /** Most that the model calls of each may cost. */
  budget: Budget.optional(),
  /** Starts with the same key start the same runs. */
  idempotencyKey: z.string().max(200).optional(),
});
export type StartRuns = z.infer<typeof StartRuns>;
export const StartedRuns = z.strictObject({
  /** In the order of the request. */
  ids: z.array(z.string()),
  /** Workflows that drive several of them; 0 where each has one of its own. */
  hosts: z.number().int().nonnegative(),
});
export type StartedRuns = z.infer<typeof StartedRuns>;

/** GET /api/runs?documentId=&batchId=&state=&failureCode=&limit=&cursor= */
export const RunList = z.strictObject({ runs: z.array(RunRecord), next: z.string().nullable() });
/** How a node's newest execution ended, for people who look at the whole run. */
export const Ended = Outcome.pick({
  key: true,
  token: true,
  origin: true,
  madeBy: true,
  usage: true,
  startedAt: true,
  endedAt: true,
});
export type Ended = z.infer<typeof Ended>;
/** GET /api/runs/:id. `nodes` and `ended` have nothing of map items: ask with GET /api/runs/:id/items and /api/runs/:id/scope?prefix= */
export const RunView = z.strictObject({
  run: RunRecord,
  document: GraphDocument,
  /** Id of an event before which nothing is missing here: follow the events after it. */
  eventId: z.number().int().nonnegative(),
  nodes: z.array(NodeView),
  ended: z.array(Ended),
  usage: UsageSum,
  /** What counts towards the run's budget. */
  spent: Spent,
  temporalUrl: z.string().nullable(),
});
export type RunView = z.infer<typeof RunView>;
/** GET /api/runs/:id/nodes?prefix=&status=&limit=&after= */
export const NodeList = z.strictObject({ nodes: z.array(NodeView), next: z.string().nullable() });
/** GET /api/runs/:id/scope?prefix=: states and outcomes (all executions, by token) of one graph of the run, such as `each[3]/`; without what lies in further map items. */
export const ScopeView = z.strictObject({
  eventId: z.number().int().nonnegative(),
  nodes: z.array(NodeView),
  outcomes: z.array(Outcome),
});
export type ScopeView = z.infer<typeof ScopeView>;
/** GET /api/runs/:id/item-counts?map= . Items that have not begun are in `total` (null while the list is not known) and in no count. */
export const ItemCounts = z.strictObject({ total: z.number().int().nullable(), counts: z.array(ItemCount) });
export type ItemCounts = z.infer<typeof ItemCounts>;
/** GET /api/runs/:id/items?map=&status=&failureCode=&limit=&after= . Items that have begun, by index; `next` is the `after` of the next page. */
export const ItemList = z.strictObject({ items: z.array(ItemView), next: z.number().int().nullable() });
export type ItemList = z.infer<typeof ItemList>;
/** GET /api/runs/:id/log?key=&limit=&cursor= . States, progress and log lines of one node, oldest first. */
export const NodeLog = z.strictObject({ events: z.array(RunEvent), next: z.string().nullable() });
export type NodeLog = z.infer<typeof NodeLog>;
/** GET /api/runs/:id/node?key=… . Outcomes newest first; values are references, read with GET /api/values. */
export const NodeDetail = z.strictObject({
  view: NodeView.nullable(),
  outcomes: z.array(Outcome),
  calls: z.array(ModelCall),
  params: JsonObject,
});
export type NodeDetail = z.infer<typeof NodeDetail>;

/** POST /api/runs/:id/retry. `targets` (node paths), or the failed nodes by `failureCode` and `prefix`. Answers with the paths that will run again. */
export const RetryRun = z.strictObject({
  targets: z.array(z.string()).default([]),
  failureCode: z.string().optional(),
  /** Failed nodes whose path begins with this alone: `files[` for the items of a map. */
  prefix: z.string().optional(),
  /** Node path → what to change first. Plain values; inputs are lists, one value for each edge of the port. */
  edits: z
    .record(
      z.string(),
      z.strictObject({
        params: JsonObject.optional(),
        inputs: z.record(z.string(), z.array(Json)).optional(),
        pinned: z.record(z.string(), Json).optional(),
      }),
    )
    .default({}),
  /** Takes the place of the run's budget. */
  budget: Budget.optional(),
});
export type RetryRun = z.infer<typeof RetryRun>;
export const RetryResult = z.strictObject({ reset: z.array(z.string()), reopened: z.boolean() });

/** POST /api/runs/:id/approve */
export const ApproveNode = z.strictObject({
  key: z.string(),
  decision: z.enum(['approve', 'reject']),
  by: z.string().default('someone'),
  note: z.string().default(''),
});
export type ApproveNode = z.infer<typeof ApproveNode>;
/** POST /api/runs/:id/cancel and /approve answer with this. */
export const Done = z.strictObject({ ok: z.literal(true) });

/** POST /api/batches: `count` runs of a document with seeds `seed`, `seed + 1`, …, or of each of several; `window` at once. */
export const StartBatch = z.strictObject({
  documentId: z.string().optional(),
  /** Of each document whose part does not say otherwise; by default the published one. */
  revision: RevisionChoice.optional(),
  inputs: JsonObject.default({}),
  /** Several documents instead of one; they take turns. `count` and `seed` are the batch's where a part has none. */
  parts: z
    .array(
      z.strictObject({
        documentId: z.string(),
        revision: RevisionChoice.optional(),
        inputs: JsonObject.default({}),
        count: z.number().int().min(1).max(100_000).optional(),
        seed: z.number().int().optional(),
      }),
    )
    .min(1)
    .max(100)
    .optional(),
  count: z.number().int().min(1).max(100_000),
  seed: z.number().int(),
  window: z.number().int().min(1).max(200).default(8),
  /** Packages have to prove themselves in a sandbox; a run whose package does not is rejected. */
  prove: z.boolean().optional(),
  budget: Budget.optional(),
  idempotencyKey: z.string().max(200).optional(),
});
export type StartBatch = z.infer<typeof StartBatch>;

const whole = z.number().int().nonnegative();

/** GET /api/batches/:id */
export const BatchView = z.strictObject({
  batch: BatchRecord,
  /** Runs. `rejected` are failed ones whose failure is a gate's; `waiting` are not started yet, or wait to be taken up again. */
  counts: z.strictObject({
    done: whole,
    accepted: whole,
    rejected: whole,
    failed: whole,
    cancelled: whole,
    running: whole,
    waiting: whole,
  }),
  failures: z.record(z.string(), whole),
  usage: UsageSum,
  spent: Spent,
  /** A value of it was made without a model; such batches have no acceptance and no cost. */
  rehearsed: z.boolean(),
  /** Part of the runs that ended by themselves which were accepted. */
  acceptance: z.number().nullable(),
  /** All that was spent, the rejected and failed runs' too, for each accepted run. */
  perAccepted: z.strictObject({ usd: z.number().nullable(), tokens: z.number() }).nullable(),
  progress: z.strictObject({
    /** Runs that ended in the last minutes. */
    perMinute: z.number().nullable(),
    secondsLeft: z.number().nullable(),
  }),
});
export type BatchView = z.infer<typeof BatchView>;

/** POST /api/batches/:id/retry: runs of the batch that failed with this code (without: all that failed, were cancelled or terminated). They run in the batch's window. */
export const RetryBatch = z.strictObject({ failureCode: z.string().optional() });
export const RetryBatchResult = z.strictObject({ runs: z.array(z.string()) });
/** POST /api/batches/:id/resume: of a batch that is paused, out of budget or cancelled; of a running one it changes the settings. POST …/pause takes none. Both answer with the BatchRecord. */
export const ResumeBatch = z.strictObject({
  /** Bounds to put in the place of the batch's; those left out stay. */
  budget: z
    .strictObject({ usd: z.number().positive().nullable(), tokens: z.number().int().positive().nullable() })
    .partial()
    .optional(),
  window: z.number().int().min(1).max(200).optional(),
});
export type ResumeBatch = z.infer<typeof ResumeBatch>;

/** GET /api/batches?limit=&cursor= */
export const BatchList = z.strictObject({ batches: z.array(BatchRecord), next: z.string().nullable() });

/** Which packages of a list: those with this verdict of people, or with `kept` all but the rejected ones. */
export const VerdictFilter = z.enum([...PackageVerdict.options, 'kept']);
export type VerdictFilter = z.infer<typeof VerdictFilter>;
/** GET /api/packages?batchId=&runId=&skill=&verdict=&limit=&cursor= ; GET /api/packages/:id ; GET /api/packages/:id/archive is a .tar */
export const PackageList = z.strictObject({
  packages: z.array(PackageRecord),
  /** Verdicts that hold, by the ids of their packages. */
  reviews: z.record(z.string(), PackageReview),
  next: z.string().nullable(),
});
export type PackageList = z.infer<typeof PackageList>;
export const PackageView = z.strictObject({
  record: PackageRecord,
  package: TaskPackage,
  /** Every verdict of people, newest first: the first holds. */
  reviews: z.array(PackageReview),
});
export type PackageView = z.infer<typeof PackageView>;

/** PUT /api/documents/:id/pins/:key: outputs by port (plain values), or null to remove. GET /api/documents/:id/pins: key → outputs. */
export const SetPin = z.strictObject({ outputs: z.record(z.string(), Json).nullable() });

/** GET /api/event-log?run=&batch=&after=&limit=: `next` is the id to go on after. */
export const EventList = z.strictObject({ events: z.array(RunEvent), next: z.string().nullable() });

/** GET /api/events?run=&batch=: server-sent events; `id` is the event id, `data` a RunEvent. Resumes by Last-Event-ID (or ?after=). */
export { RunState };
