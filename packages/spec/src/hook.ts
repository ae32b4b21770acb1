import { z } from 'zod';
import { Budget } from './budget.ts';
import { NodeId } from './document.ts';
import { JsonObject } from './json.ts';
import { RevisionChoice } from './publication.ts';

const settings = {
  title: z.string().trim().min(1).max(200),
  documentId: NodeId,
  /** Chosen anew at each call. */
  revision: RevisionChoice.default('published'),
  /** Values of inputs. */
  inputs: JsonObject.default({}),
  /** Inputs that a caller may give instead. */
  open: z.array(z.string().min(1)).max(50).default([]),
  count: z.number().int().min(1).max(1_000).default(1),
  window: z.number().int().min(1).max(200).default(8),
  budget: Budget.default({ usd: null, tokens: null }),
  /** Calls that it takes in a minute. */
  perMinute: z.number().int().min(1).max(600).default(30),
};

/** An address that starts a batch of a document for whoever knows it. The store has the hash of its token alone. */
export const HookRecord = z.strictObject({
  id: z.string(),
  ...settings,
  by: z.string(),
  createdAt: z.number().int(),
});
export type HookRecord = z.infer<typeof HookRecord>;

/** The part of the store that keeps hooks. */
export interface HookLog {
  /** In place of one of the same id. `tokenHash` is the SHA-256 of its token. */
  saveHook(record: HookRecord, tokenHash: string): Promise<void>;
  findHook(by: { id: string } | { tokenHash: string }): Promise<HookRecord | null>;
  /** Newest first. */
  listHooks(limit: number): Promise<HookRecord[]>;
  deleteHook(id: string): Promise<void>;
}

/** POST /api/hooks */
export const CreateHook = z.strictObject(settings);
export type CreateHook = z.infer<typeof CreateHook>;
/** Answer to making a hook and to a new token: the only time that the token is shown. `path` is what is called. */
export const HookMade = z.strictObject({ hook: HookRecord, token: z.string(), path: z.string() });
export type HookMade = z.infer<typeof HookMade>;
export const HookList = z.strictObject({ hooks: z.array(HookRecord) });

/** POST /api/hooks/:token. Calls with the same key start one batch; without a seed, each call has seeds of its own. */
export const CallHook = z.strictObject({
  inputs: JsonObject.default({}),
  seed: z.number().int().optional(),
  idempotencyKey: z.string().min(1).max(200).optional(),
});
export type CallHook = z.infer<typeof CallHook>;
/** The batch that was started. */
export const HookAnswer = z.strictObject({ id: z.string(), state: z.string() });
