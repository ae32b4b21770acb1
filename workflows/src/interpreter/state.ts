import type { MemberInput, Slot } from '@cua-forge/spec/engine';
import type { Failure } from '@cua-forge/spec/errors';
import type { Verdict } from '@cua-forge/spec/kind';
import type { NodeEdits, NodeStatus } from '@cua-forge/spec/store-port';
import type { ValueRef } from '@cua-forge/spec/value';

export type Status = NodeStatus;

/** `bounded`: waits for room in the map's window too. */
export interface QueuedItems {
  items: number[];
  retry: string[];
  bounded?: boolean;
}

/** Progress of a map node. Item numbers only; values lie in the store. */
export interface MapState {
  count: number;
  /** Slice number → its items. */
  open: Record<string, number[]>;
  /** Items that no slice has taken yet, ascending. */
  pending: number[];
  succeeded: number;
  failed: number[];
  /** Retries of nodes inside items, waiting for the items' slices to end. */
  queued: QueuedItems[];
  /** Items of running slices must look in the store for what earlier slices did. */
  resume: boolean;
  /** Retry inside items: node paths for the next slices, or every failed node. */
  retry: string[] | 'failed';
  fresh: boolean;
}

export interface NodeState {
  status: Status;
  round: number;
  /** Dispatches in this round. */
  attempt: number;
  /** Current execution; 0 before the first. */
  token: number;
  outputs?: Record<string, Slot>;
  failure?: Failure;
  /** A repair verdict that waits for the other gates. */
  held?: { feedback: string; evidence: string };
  feedback?: string[];
  /** Gates: repairs asked for so far. */
  repairs?: number;
  /** A person asked for this node: no memo, once. */
  bypass?: boolean;
  /** Outside the part of the graph that was asked for. */
  excluded?: boolean;
  iteration?: number;
  map?: MapState;
  note?: string;
}

export interface InstanceState {
  scope: string;
  inputs: Record<string, Slot>;
  /** Path of the composite node it belongs to; null for the instances the workflow was started for. */
  parent: string | null;
  /** Executing, awaiting or held nodes. */
  active: number;
  settled: 'open' | 'succeeded' | 'failed' | 'cancelled';
  /** Gates that ask for a repair and wait for the other gates. */
  held: string[];
  /** Everything inside bypasses the memo. */
  fresh: boolean;
}

/** All the interpreter knows. Plain JSON. */
export interface RunState {
  format: 1;
  instances: Record<string, InstanceState>;
  nodes: Record<string, NodeState>;
  edits: NodeEdits;
  nextToken: number;
  seq: number;
  dispatched: number;
  cancelling: boolean;
}

export type Result =
  | { status: 'succeeded'; outputs: Record<string, Slot>; verdict?: Verdict }
  | { status: 'failed'; failure: Failure }
  | { status: 'cancelled' }
  /** Handed back by a batch: its inputs turned out dead or blocked. */
  | { status: 'unexecuted' };

export type Event =
  | { type: 'start' }
  | { type: 'finished'; key: string; token: number; result: Result }
  | {
      type: 'split';
      key: string;
      token: number;
      count: number;
      succeeded: number[];
      failed: number[];
      keepFailed: boolean;
    }
  | {
      type: 'slice';
      key: string;
      token: number;
      slice: number;
      succeeded: number[];
      failed: number[];
      cancelled: number[];
    }
  /** `outputs` are those of the iteration that was judged. */
  | { type: 'until'; key: string; token: number; holds: boolean; outputs: Record<string, Slot> }
  | { type: 'elapsed'; key: string; token: number }
  | { type: 'decision'; key: string; decision: 'approve' | 'reject'; by: string; note: string }
  /** `grouped`: items of a map are retried together, a slice at a time, as its window allows; without, each at once and alone. */
  | { type: 'retry'; targets: string[]; edits: NodeEdits; grouped?: boolean }
  | { type: 'cancel' };

/** One execution, with its inputs by reference; becomes a `Member` of a batch. */
export interface Execution {
  key: string;
  instance: string;
  node: string;
  token: number;
  round: number;
  attempt: number;
  params: string;
  inputs: Record<string, MemberInput[]>;
  feedback: string[];
  bypassMemo: boolean;
}

export type Command =
  | { type: 'execute'; scope: string; executions: Execution[] }
  | { type: 'abandon'; tokens: number[] }
  /** Commit these outputs as this node's outcome without executing anything, then report `finished`. */
  | {
      type: 'record';
      key: string;
      scope: string;
      node: string;
      token: number;
      round: number;
      attempt: number;
      outputs: Record<string, Slot>;
      origin: 'pinned' | 'decision';
      params: string;
      inputs: Record<string, MemberInput[]>;
    }
  | {
      type: 'split';
      key: string;
      token: number;
      scope: string;
      list: Slot;
      shared: Record<string, Slot>;
      maxItems: number;
      reuse: boolean;
    }
  | {
      type: 'slice';
      key: string;
      token: number;
      slice: number;
      scope: string;
      items: number[];
      list: ValueRef;
      shared: Record<string, Slot>;
      edits: NodeEdits;
      resume: boolean;
      retry: string[] | 'failed';
      fresh: boolean;
    }
  | { type: 'abandonSlice'; key: string; slice: number }
  | {
      type: 'collect';
      key: string;
      token: number;
      scope: string;
      node: string;
      round: number;
      attempt: number;
      params: string;
      list: Slot;
      shared: Record<string, Slot>;
      count: number;
    }
  | { type: 'until'; key: string; token: number; params: string; outputs: Record<string, Slot> }
  | { type: 'wait'; key: string; token: number; milliseconds: number }
  | {
      type: 'settled';
      instance: string;
      status: 'succeeded' | 'failed' | 'cancelled';
      outputs: Record<string, Slot>;
      failure: Failure | null;
    };

/** What one execution is computed from; two with equal facts have equal results. */
export interface ExecutionFacts {
  key: string;
  scope: string;
  node: string;
  params: string;
  inputs: Record<string, Slot[]>;
  feedback: readonly string[];
  token: number;
  round: number;
  attempt: number;
}

export const pathOf = (instance: string, node: string): string => instance + node;
/** Instance path and node id of a node path. */
export function splitPath(key: string): { instance: string; node: string } {
  const cut = key.lastIndexOf('/') + 1;
  return { instance: key.slice(0, cut), node: key.slice(cut) };
}
export const subgraphInstance = (key: string): string => `${key}/`;
export const iterationInstance = (key: string, iteration: number): string => `${key}#${iteration}/`;
export const itemInstance = (mapKey: string, item: number): string => `${mapKey}[${item}]/`;

export const emptyState = (edits: NodeEdits): RunState => ({
  format: 1,
  instances: {},
  nodes: {},
  edits,
  nextToken: 1,
  seq: 0,
  dispatched: 0,
  cancelling: false,
});
