import { z } from 'zod';
import type { ForgeError } from './errors.ts';
import type { Json, JsonObject } from './json.ts';

export const Usage = z.strictObject({
  /** Tokens read, the cached ones included. */
  input: z.number().int().nonnegative(),
  /** Tokens of `input` that the provider had cached. */
  cached: z.number().int().nonnegative(),
  /** Tokens of `input` that the provider wrote into its cache, where it says so. */
  cacheWrite: z.number().int().nonnegative().optional(),
  output: z.number().int().nonnegative(),
});
export type Usage = z.infer<typeof Usage>;

/** One call of a model. Secrets never appear in it. */
export interface ModelRequest {
  /** For whom: `draft`, `instruction`, … shown in logs and cost tables. */
  purpose: string;
  /** Model name known to the provider; left out, the configured default. */
  model?: string;
  /** Stable text first: providers cache by prefix. */
  system?: string;
  messages: { role: 'user' | 'assistant'; content: string }[];
  /** JSON Schema that the answer must satisfy; providers that can constrain decoding with it. The caller validates again. */
  schema?: JsonObject;
  maxOutputTokens: number;
  temperature: number;
  seed: number;
  /**
   * What the offline provider `rehearsal` answers from: the workflow's own examples, already filled in with this node's inputs.
   * Strings for text, JSON values for a schema. Real providers ignore it.
   */
  rehearsal?: readonly Json[];
}

export interface ModelResult {
  text: string;
  provider: string;
  model: string;
  usage: Usage;
  /** Price in US dollars; null where no price is known; rehearsal is always 0. */
  usd: number | null;
  milliseconds: number;
  /** Why the model stopped; `length` means that the text is cut. */
  finish: 'stop' | 'length';
}

/** A try that failed and is repeated inside the port. It may have cost money, so it is counted as a call. */
export interface FailedTry {
  error: ForgeError;
  startedAt: number;
  milliseconds: number;
}

/** All model calls go through this port. */
export interface ModelPort {
  /** Identity for memo keys: provider, model and what else changes answers. */
  identity(model?: string): string;
  /** Whether answers come from no model at all (they are labelled so everywhere). */
  readonly rehearsed: boolean;
  /**
   * Tells `onFailedTry` of every try but the last. Where calls wait for their turn, `beforeTry` is asked when it has come; what it throws
   * ends the call.
   * @throws ForgeError `model.*`; `node.cancelled` when aborted. Transient failures have been retried already.
   */
  complete(
    request: ModelRequest,
    signal: AbortSignal,
    onFailedTry?: (failed: FailedTry) => void,
    beforeTry?: () => Promise<void>,
  ): Promise<ModelResult>;
}
