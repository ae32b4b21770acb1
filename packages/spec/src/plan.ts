import { z } from 'zod';
import { QueueName } from './kind.ts';
import { Hash, ValueRef } from './value.ts';

/** Where an input value comes from: an output of a node of the same scope, or (`node: null`) an input of the scope. */
export const Source = z.strictObject({ node: z.string().nullable(), port: z.string() });
export type Source = z.infer<typeof Source>;

export const PlanInput = z.strictObject({ sources: z.array(Source), required: z.boolean(), multiple: z.boolean() });
export type PlanInput = z.infer<typeof PlanInput>;

export const Op = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('execute') }),
  /** First live input in port order goes to `value`. */
  z.strictObject({ type: z.literal('merge') }),
  z.strictObject({ type: z.literal('subgraph'), scope: z.string() }),
  z.strictObject({
    type: z.literal('map'),
    scope: z.string(),
    /** Items in progress at once. */
    window: z.number().int().min(1),
    /** Items a child workflow takes. */
    slice: z.number().int().min(1),
    maxItems: z.number().int().min(1),
    /** `fail`: any failed item fails the node. `tolerate`: failed items are left out, up to `tolerated` of them. */
    onItemFailure: z.enum(['fail', 'tolerate']),
    tolerated: z.number().int().nonnegative(),
  }),
  z.strictObject({
    type: z.literal('repeat'),
    scope: z.string(),
    maxRounds: z.number().int().min(1),
    onLimit: z.enum(['fail', 'accept']),
  }),
  z.strictObject({
    type: z.literal('approval'),
    timeoutMs: z.number().int().positive().nullable(),
    onTimeout: z.enum(['approve', 'reject', 'fail']),
  }),
  z.strictObject({ type: z.literal('delay'), milliseconds: z.number().int().nonnegative() }),
]);
export type Op = z.infer<typeof Op>;

export const PlanPolicy = z.strictObject({
  queue: QueueName,
  timeoutMs: z.number().int().positive(),
  heartbeatMs: z.number().int().positive(),
  attempts: z.number().int().min(1),
  backoffMs: z.number().int().positive(),
});
export type PlanPolicy = z.infer<typeof PlanPolicy>;

export const PlanNode = z.strictObject({
  id: z.string(),
  kind: z.string(),
  version: z.number().int(),
  title: z.string(),
  /** Artifact that holds the node's params. */
  params: Hash,
  inputs: z.record(z.string(), PlanInput),
  op: Op,
  policy: PlanPolicy,
  /** Cheap nodes of a scope with the same number may run in one activity. */
  region: z.number().int().nullable(),
  gate: z.boolean(),
  repair: z.strictObject({ target: z.string(), rounds: z.number().int().min(1) }).nullable(),
  /** Whether an edge leaves the `error` port, so that a failure is handled instead of stopping the run. */
  handlesError: z.boolean(),
});
export type PlanNode = z.infer<typeof PlanNode>;

export const Scope = z.strictObject({
  id: z.string(),
  inputs: z.array(z.string()),
  /** Values of inputs that nothing feeds; they lie in the store beside the params. `file` inputs never stand here. */
  defaults: z.record(z.string(), ValueRef).optional(),
  /** In topological order. */
  nodes: z.array(PlanNode),
  outputs: z.record(z.string(), Source),
});
export type Scope = z.infer<typeof Scope>;

/** A document, checked and frozen: topology and policy; params and prompts lie in the store. */
export const Plan = z.strictObject({
  format: z.literal(1),
  document: z.strictObject({ id: z.string(), title: z.string(), hash: Hash, skill: z.string() }),
  root: z.string(),
  scopes: z.record(z.string(), Scope),
});
export type Plan = z.infer<typeof Plan>;
