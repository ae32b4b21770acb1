import { ForgeError, isRetryable, toForgeError } from '@cua-forge/spec/errors';
import type { FailedTry, ModelPort, ModelRequest, ModelResult } from '@cua-forge/spec/model-port';
import pLimit, { type LimitFunction } from 'p-limit';
import { RateLimit } from './rate-limit.ts';
import { cancelled, orCancelled, wait } from './waiting.ts';

export interface ResilientOptions {
  /** Calls in progress at once, for each model. */
  concurrency: number;
  requestsPerMinute: number | null;
  /** Milliseconds one try may take, waiting for its turn not counted. */
  timeoutMs: number;
  /** Tries after the first one. */
  retries: number;
  /** First wait between tries; doubles each time, with jitter, up to a minute. */
  backoffMs?: number;
}

const maxBackoffMs = 60_000;
/** A server that asks for more than this is left to the engine, which frees the worker meanwhile. */
const maxRetryAfterMs = 120_000;

interface Lane {
  slots: LimitFunction;
  rate: RateLimit;
}

/**
 * Adds concurrency and rate limits (for each model), a time limit, and repeats of transient failures, honouring Retry-After.
 * @throws ForgeError the last failure; `model.timeout`; `node.cancelled` at once when the signal is aborted
 */
export function resilient(port: ModelPort, options: ResilientOptions): ModelPort {
  const lanes = new Map<string, Lane>();
  const laneOf = (model: string | undefined): Lane => {
    const name = port.identity(model);
    const present = lanes.get(name);
    if (present !== undefined) return present;
    const lane = { slots: pLimit(options.concurrency), rate: new RateLimit(options.requestsPerMinute) };
    lanes.set(name, lane);
    return lane;
  };

  async function attempt(
    lane: Lane,
    request: ModelRequest,
    signal: AbortSignal,
    begin: () => Promise<void>,
  ): Promise<ModelResult> {
    return lane.slots(async () => {
      if (signal.aborted) throw cancelled();
      await wait(lane.rate.reserve(Date.now()), signal);
      await begin();
      return timed(port, request, signal, options.timeoutMs);
    });
  }

  async function persistent(
    request: ModelRequest,
    signal: AbortSignal,
    onFailedTry: ((failed: FailedTry) => void) | undefined,
    beforeTry: (() => Promise<void>) | undefined,
  ): Promise<ModelResult> {
    const lane = laneOf(request.model);
    for (let failures = 0; ; failures += 1) {
      let startedAt = Date.now();
      try {
        return await attempt(lane, request, signal, async () => {
          await beforeTry?.();
          startedAt = Date.now();
        });
      } catch (thrown) {
        const error = toForgeError(thrown);
        const pause = error.retryAfterMs ?? 0;
        if (error.code === 'model.rate-limited' && pause > 0)
          lane.rate.pauseUntil(Date.now() + Math.min(pause, maxRetryAfterMs));
        const worthIt = error.code.startsWith('model.') && isRetryable(error.code) && pause <= maxRetryAfterMs;
        if (!worthIt || failures >= options.retries) throw error;
        onFailedTry?.({ error, startedAt, milliseconds: Date.now() - startedAt });
        await wait(Math.max(pause, backoff(failures, options.backoffMs ?? 500)), signal);
      }
    }
  }

  return {
    rehearsed: port.rehearsed,
    identity: (model) => port.identity(model),
    complete: (request, signal, onFailedTry, beforeTry) =>
      orCancelled(persistent(request, signal, onFailedTry, beforeTry), signal),
  };
}

/** Half of it is fixed, half drawn: callers that failed together do not come back together. */
function backoff(failures: number, first: number): number {
  const full = Math.min(first * 2 ** failures, maxBackoffMs);
  return full / 2 + (Math.random() * full) / 2;
}

async function timed(
  port: ModelPort,
  request: ModelRequest,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<ModelResult> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(stop, timeoutMs);
  try {
    return await orCancelled(port.complete(request, controller.signal), controller.signal);
  } catch (thrown) {
    if (signal.aborted || !controller.signal.aborted) throw thrown;
    throw new ForgeError(
      'model.timeout',
      `${port.identity(request.model)} gave no full answer within ${timeoutMs / 1000} s.`,
      {
        fix: 'Ask for fewer output tokens, or raise FORGE_MODEL_TIMEOUT_MS.',
        cause: thrown,
      },
    );
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
