import { z } from 'zod';
import { Budget, Spent } from '../budget.ts';
import { UsageSum } from '../costs.ts';
import { GraphDocument } from '../document.ts';
import { Json, JsonObject } from '../json.ts';
import {
  ItemCount,
  ItemView,
  ModelCall,
  NodeView,
  Outcome,
  RunEvent,
  RunMode,
  RunRecord,
  Selection,
} from '../store-port.ts';

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
