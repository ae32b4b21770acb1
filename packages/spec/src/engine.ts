import { z } from 'zod';
import { Failure } from './errors.ts';
import { Json } from './json.ts';
import { Verdict } from './kind.ts';
import type { Plan, PlanPolicy } from './plan.ts';
import { NodeEdits, NodeStatus, type RunMode, RunState } from './store-port.ts';
import { ValueRef } from './value.ts';

/** Names on the wire between server, workflows and worker. Changing one breaks running workflows. */
export const workflowTypes = { runGraph: 'runGraph', runItems: 'runItems', runBatch: 'runBatch' } as const;
export const taskQueues = {
  workflows: 'forge',
  light: 'forge-light',
  model: 'forge-model',
  heavy: 'forge-heavy',
} as const;
export const updateNames = { retry: 'retry', approve: 'approve' } as const;
export const searchAttributes = {
  skill: 'ForgeSkill',
  workflow: 'ForgeWorkflow',
  version: 'ForgeVersion',
  batch: 'ForgeBatch',
  state: 'ForgeState',
} as const;

export const runWorkflowId = (runId: string): string => `run/${runId}`;
export const batchWorkflowId = (batchId: string): string => `batch/${batchId}`;
export const runIdOfWorkflow = (workflowId: string): string | null => /^run\/([^/]+)$/.exec(workflowId)?.[1] ?? null;

/** What travels along an edge inside the engine: a reference, or a small literal (the failure on an error edge). */
export const Slot = z.union([ValueRef, z.strictObject({ literal: Json })]);
export type Slot = z.infer<typeof Slot>;

/** Start of `runGraph`. Everything else of the run lies in its record in the store. */
export const RunGraphInput = z.strictObject({
  runId: z.string(),
  /** Grows each time a closed run is opened again. */
  epoch: z.number().int().positive(),
  /** Nodes to run again when a closed run is opened again; their edits are in the run's record already. */
  retry: z.array(z.string()),
  /** Artifact with the interpreter's state, after continue-as-new. */
  carried: z.string().nullable(),
});
export type RunGraphInput = z.infer<typeof RunGraphInput>;

/** Start of `runItems`: some items of one map node. */
export const RunItemsInput = z.strictObject({
  runId: z.string(),
  /** Path of the map node. */
  mapKey: z.string(),
  scope: z.string(),
  items: z.array(z.number().int().nonnegative()),
  list: ValueRef,
  /** Inputs every item gets besides `item`. */
  shared: z.record(z.string(), Slot),
  edits: NodeEdits,
  /** Look in the store for what earlier slices finished. */
  resume: z.boolean(),
  /** Nodes inside the items to run again; `failed` means all that failed. */
  retry: z.union([z.literal('failed'), z.array(z.string())]),
  /** No memo: a person asked for the whole map again. */
  fresh: z.boolean(),
  carried: z.string().nullable(),
});
export type RunItemsInput = z.infer<typeof RunItemsInput>;

export const ItemsResult = z.strictObject({
  succeeded: z.array(z.number().int()),
  failed: z.array(z.number().int()),
  cancelled: z.array(z.number().int()),
});
export type ItemsResult = z.infer<typeof ItemsResult>;

/** Start of `runBatch`. */
export const RunBatchInput = z.strictObject({
  batchId: z.string(),
  documentId: z.string(),
  skill: z.string(),
  version: z.string(),
  window: z.number().int().min(1),
  /** Index of the next run to start, its total, and the seed of run 0. */
  next: z.number().int().nonnegative(),
  count: z.number().int().positive(),
  seed: z.number().int(),
  /** Tallies carried over continue-as-new. */
  done: z.number().int().nonnegative(),
});
export type RunBatchInput = z.infer<typeof RunBatchInput>;

export const RetryCommand = z.strictObject({ targets: z.array(z.string()), edits: NodeEdits });
export type RetryCommand = z.infer<typeof RetryCommand>;
export const RetryAnswer = z.strictObject({ reset: z.array(z.string()) });
export type RetryAnswer = z.infer<typeof RetryAnswer>;
export const ApproveCommand = z.strictObject({
  key: z.string(),
  decision: z.enum(['approve', 'reject']),
  by: z.string(),
  note: z.string(),
});
export type ApproveCommand = z.infer<typeof ApproveCommand>;

export const RunResult = z.strictObject({
  state: RunState,
  failure: Failure.nullable(),
  outputs: z.record(z.string(), Slot),
});
export type RunResult = z.infer<typeof RunResult>;

/** Input of one port of an execution: a value, or the output of an earlier member of the same batch. */
export const MemberInput = z.union([Slot, z.strictObject({ token: z.number().int(), port: z.string() })]);
export type MemberInput = z.infer<typeof MemberInput>;

/** One node to execute. */
export const Member = z.strictObject({
  key: z.string(),
  token: z.number().int().positive(),
  round: z.number().int().positive(),
  attempt: z.number().int().positive(),
  kind: z.string(),
  version: z.number().int(),
  title: z.string(),
  params: z.string(),
  inputs: z.record(z.string(), z.array(MemberInput)),
  /** Ports that must have a live value; and those that take a list. */
  required: z.array(z.string()),
  multiple: z.array(z.string()),
  feedback: z.array(z.string()),
  /** A person asked for it: an earlier result is no answer. */
  bypassMemo: z.boolean(),
});
export type Member = z.infer<typeof Member>;

export const ExecuteBatch = z.strictObject({ runId: z.string(), attempts: z.number().int(), members: z.array(Member) });
export type ExecuteBatch = z.infer<typeof ExecuteBatch>;

export const MemberResult = z.strictObject({
  token: z.number().int(),
  outputs: z.record(z.string(), ValueRef).optional(),
  verdict: Verdict.optional(),
  failure: Failure.optional(),
  origin: z.string(),
});
export type MemberResult = z.infer<typeof MemberResult>;

/** State of a node as the workflow reports it through the sink. */
export const ReportedNode = z.strictObject({
  key: z.string(),
  seq: z.number().int(),
  token: z.number().int(),
  status: NodeStatus,
  round: z.number().int(),
  attempt: z.number().int(),
  failure: Failure.nullable(),
  note: z.string().nullable(),
  counts: z.record(z.string(), z.number().int()).nullable(),
});
export type ReportedNode = z.infer<typeof ReportedNode>;

/** What the activity `openRun` tells the workflow. `state` and `commands` are the interpreter's own, set when something was restored. */
export interface OpenedRun<State, Command> {
  plan: Plan;
  title: string;
  skill: string;
  mode: RunMode;
  inputs: Record<string, ValueRef>;
  edits: NodeEdits;
  batchId: string | null;
  restored: { state: State; commands: Command[] } | null;
}
export type { PlanPolicy };
