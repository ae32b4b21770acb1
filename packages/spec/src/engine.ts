import { z } from 'zod';
import { Failure } from './errors.ts';
import { Json } from './json.ts';
import { Verdict } from './kind.ts';
import { Plan, type PlanPolicy } from './plan.ts';
import { NodeEdits, NodeStatus, RunMode, type RunRecord, RunState } from './store-port.ts';
import { ValueRef } from './value.ts';

export * from './engine-names.ts';

/** What travels along an edge inside the engine: a reference, or a small literal (the failure on an error edge). */
export const Slot = z.union([ValueRef, z.strictObject({ literal: Json })]);
export type Slot = z.infer<typeof Slot>;

/** What a workflow must know of its run. */
export const Opening = z.strictObject({
  plan: Plan,
  mode: RunMode,
  inputs: z.record(z.string(), ValueRef),
  edits: NodeEdits,
});
export type Opening = z.infer<typeof Opening>;

/** Start of `runGraph`. Everything else of the run lies in its record in the store. */
export const RunGraphInput = z.strictObject({
  runId: z.string(),
  /** Grows each time a closed run is opened again. */
  epoch: z.number().int().positive(),
  /** Nodes to run again when a closed run is opened again, or all that failed; their edits are in the run's record already. */
  retry: z.union([z.literal('failed'), z.array(z.string())]),
  /** Artifact with the interpreter's state, after continue-as-new. */
  carried: z.string().nullable(),
  /** What the run's record and plan say, for a small plan that starts from nothing: saves the workflow a look into the store. */
  opening: Opening.optional(),
});
export type RunGraphInput = z.infer<typeof RunGraphInput>;

/** Start of `runHosted`: runs of one plan whose records name this workflow. */
export const RunHostedInput = z.strictObject({ runs: z.array(z.string()).min(1) });
export type RunHostedInput = z.infer<typeof RunHostedInput>;

/** `host` is the id of the workflow that takes the runs up. */
export const OpenHosted = z.strictObject({ host: z.string(), runs: z.array(z.string()) });
export type OpenHosted = z.infer<typeof OpenHosted>;
/** The runs that are the host's to drive; no plan where there is none. */
export interface HostedOpening {
  plan: Plan | null;
  runs: { runId: string; inputs: Record<string, ValueRef> }[];
}

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

/** Start of `runBatch`. Everything else of the batch lies in its record in the store. */
export const RunBatchInput = z.strictObject({ batchId: z.string() });
export type RunBatchInput = z.infer<typeof RunBatchInput>;

export const RunScheduledInput = z.strictObject({ scheduleId: z.string() });
export type RunScheduledInput = z.infer<typeof RunScheduledInput>;
/** `turn` is the id of the workflow. */
export const RunScheduledTurn = RunScheduledInput.extend({ turn: z.string() });
export type RunScheduledTurn = z.infer<typeof RunScheduledTurn>;

/** Start of `runBatch` in batches that an earlier version started. */
export interface FormerBatchInput extends RunBatchInput {
  window: number;
  next: number;
  count: number;
  done: number;
}

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

/** Members of several runs. */
export const ExecuteHosted = z.strictObject({ runs: z.array(ExecuteBatch) });
export type ExecuteHosted = z.infer<typeof ExecuteHosted>;

export const MemberResult = z.strictObject({
  token: z.number().int(),
  outputs: z.record(z.string(), ValueRef).optional(),
  verdict: Verdict.optional(),
  failure: Failure.optional(),
  origin: z.string(),
});
export type MemberResult = z.infer<typeof MemberResult>;

/** Start of `openRun` and `openItems` is the workflow's own input. */
export const SplitItems = z.strictObject({
  runId: z.string(),
  key: z.string(),
  scope: z.string(),
  list: ValueRef,
  shared: z.record(z.string(), Slot),
  maxItems: z.number().int(),
  /** Look which items have been done already, by equal scope, item and shared inputs. */
  reuse: z.boolean(),
});
export type SplitItems = z.infer<typeof SplitItems>;
export const SplitAnswer = z.strictObject({
  count: z.number().int(),
  succeeded: z.array(z.number().int()),
  failed: z.array(z.number().int()),
});
export type SplitAnswer = z.infer<typeof SplitAnswer>;

/** Outcomes of whole map items, committed when their slice ends. */
export const CommitItems = z.strictObject({
  runId: z.string(),
  mapKey: z.string(),
  scope: z.string(),
  list: ValueRef,
  shared: z.record(z.string(), Slot),
  items: z.array(
    z.strictObject({
      item: z.number().int(),
      token: z.number().int(),
      outputs: z.record(z.string(), Slot),
      failure: Failure.nullable(),
    }),
  ),
});
export type CommitItems = z.infer<typeof CommitItems>;

/** Which node the engine itself ends, and as what it is committed. */
const NodeIdentity = z.strictObject({
  runId: z.string(),
  key: z.string(),
  token: z.number().int(),
  round: z.number().int(),
  attempt: z.number().int(),
  kind: z.string(),
  version: z.number().int(),
  title: z.string(),
  params: z.string(),
});

/** Gathers the items of a map into its outputs `results` and `failures`. */
export const CollectItems = z.strictObject({
  ...NodeIdentity.shape,
  scope: z.string(),
  list: ValueRef,
  shared: z.record(z.string(), Slot),
  count: z.number().int(),
});
export type CollectItems = z.infer<typeof CollectItems>;

/** Commits outputs that no execution made: a decision, an elapsed delay, pinned values. */
export const RecordOutcome = z.strictObject({
  ...NodeIdentity.shape,
  inputs: z.record(z.string(), z.array(Slot)),
  outputs: z.record(z.string(), Slot),
  origin: z.enum(['pinned', 'decision']),
});
export type RecordOutcome = z.infer<typeof RecordOutcome>;

export const EvaluateUntil = z.strictObject({
  runId: z.string(),
  params: z.string(),
  outputs: z.record(z.string(), Slot),
});
export type EvaluateUntil = z.infer<typeof EvaluateUntil>;

export const ReportRun = z.strictObject({
  runId: z.string(),
  epoch: z.number().int(),
  state: RunState,
  failure: Failure.nullable(),
  /** With the final states. */
  outputs: z.record(z.string(), Slot).nullable(),
});
export type ReportRun = z.infer<typeof ReportRun>;

export const ReportHosted = z.strictObject({ runs: z.array(ReportRun) });
export type ReportHosted = z.infer<typeof ReportHosted>;

/** A run that a batch has to start: one that never was, or one that is to be opened again. */
export const BatchWork = z.strictObject({
  index: z.number().int().nonnegative(),
  epoch: z.number().int().positive(),
  /** Where it may share a workflow with others of the same part of the batch: how many may. */
  host: z.strictObject({ part: z.number().int().nonnegative(), runs: z.number().int().positive() }).optional(),
});
export type BatchWork = z.infer<typeof BatchWork>;

/** Why a batch starts no runs at present. */
export const BatchHalt = z.enum(['paused', 'budget']).nullable();
export type BatchHalt = z.infer<typeof BatchHalt>;

/** `except` are the runs in progress. */
export const LookAtBatch = z.strictObject({ batchId: z.string(), except: z.array(z.number().int()) });
export type LookAtBatch = z.infer<typeof LookAtBatch>;
export interface BatchOutlook {
  window: number;
  halt: BatchHalt;
  /** The next runs to start, in order; not all when there are many. */
  work: BatchWork[];
  count: number;
}

export const BatchRunIndex = z.strictObject({ batchId: z.string(), index: z.number().int().nonnegative() });
export type BatchRunIndex = z.infer<typeof BatchRunIndex>;
export interface BatchRun {
  runId: string;
  epoch: number;
  title: string;
  skill: string;
  workflow: string;
  version: string;
}

/** `host` is the id of the workflow that the runs are recorded for. */
export const BeginHostedRuns = z.strictObject({
  batchId: z.string(),
  indexes: z.array(z.number().int().nonnegative()).min(1),
  host: z.string(),
});
export type BeginHostedRuns = z.infer<typeof BeginHostedRuns>;
export interface HostedRuns {
  /** Those that could be recorded, or were and are still queued. */
  runs: string[];
  title: string;
  skill: string;
  workflow: string;
  version: string;
}

export const CloseBatch = z.strictObject({ batchId: z.string(), cancelled: z.boolean() });
export type CloseBatch = z.infer<typeof CloseBatch>;
export const ReportBatch = z.strictObject({
  batchId: z.string(),
  state: RunState,
  done: z.number().int(),
  count: z.number().int(),
});
export type ReportBatch = z.infer<typeof ReportBatch>;

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
export interface OpenedRun<State, Command> extends Opening {
  restored: { state: State; commands: Command[] } | null;
  /** First token to use where nothing was restored. */
  nextToken: number;
}

/** Characters of plan that a workflow's start may carry. */
const OPENING_LIMIT = 48 * 1024;

/** The opening to start a run's workflow with; nothing for a large plan, or where the store has to say what was done already. */
export function openingOf(run: RunRecord, plan: Plan): Opening | undefined {
  if (run.epoch > 1 || run.selection.mode !== 'all' || run.baseRun !== null) return undefined;
  if (JSON.stringify(plan).length > OPENING_LIMIT) return undefined;
  return { plan, mode: run.mode, inputs: run.inputs, edits: run.edits };
}

/** What a workflow hands to itself over continue-as-new, as an artifact. */
export interface CarriedState<State, Command> {
  state: State;
  commands: Command[];
  /** Open waits: token → epoch milliseconds at which they end. */
  deadlines: Record<string, number>;
}

/** The activities that workflows call; `Command` and `State` are the interpreter's. Registered by apps/worker. */
export interface EngineActivities<State = unknown, Command = unknown> {
  /** Makes the batch of one turn of a schedule, once. Null when the schedule is gone. */
  beginScheduled(input: RunScheduledTurn): Promise<{ batch: { id: string; title: string } | null }>;
  openRun(input: RunGraphInput): Promise<OpenedRun<State, Command>>;
  openItems(input: RunItemsInput): Promise<OpenedRun<State, Command>>;
  loadCarried(hash: string): Promise<CarriedState<State, Command>>;
  saveCarried(carried: CarriedState<State, Command>): Promise<string>;
  /** Fails (the activity) when its only member fails; a batch of several answers with each one's failure. */
  executeNodes(batch: ExecuteBatch): Promise<MemberResult[]>;
  /**
   * As `executeNodes` for several runs, answer for answer; null for a run in which something failed that another delivery may mend. Fewer
   * answers than runs when time ran out: the others have not been begun.
   */
  executeHosted(input: ExecuteHosted): Promise<(MemberResult[] | null)[]>;
  /** What is committed of these members. */
  recallMembers(batch: ExecuteBatch): Promise<MemberResult[]>;
  splitItems(input: SplitItems): Promise<SplitAnswer>;
  commitItems(input: CommitItems): Promise<void>;
  collectItems(input: CollectItems): Promise<MemberResult>;
  recordOutcome(input: RecordOutcome): Promise<MemberResult>;
  evaluateUntil(input: EvaluateUntil): Promise<boolean>;
  reportRun(input: ReportRun): Promise<void>;
  openHosted(input: OpenHosted): Promise<HostedOpening>;
  reportHosted(input: ReportHosted): Promise<void>;
  lookAtBatch(input: LookAtBatch): Promise<BatchOutlook>;
  /** Records the run. Answers with none when the batch may start none at present, or this one has ended already. */
  beginBatchRun(input: BatchRunIndex): Promise<{ run: BatchRun | null; halt: BatchHalt }>;
  /** As `beginBatchRun` for runs of one part that share a workflow. */
  beginHostedRuns(input: BeginHostedRuns): Promise<{ hosted: HostedRuns | null; halt: BatchHalt }>;
  closeBatch(input: CloseBatch): Promise<void>;
  /** Of batches that an earlier version started. */
  openBatchRun(input: BatchRunIndex): Promise<{ runId: string; title: string }>;
  reportBatch(input: ReportBatch): Promise<void>;
}
export type { PlanPolicy };
