import { randomUUID } from 'node:crypto';
import { ForgeError } from '@cua-forge/spec/errors';
import type { CallHook, HookRecord } from '@cua-forge/spec/hook';
import type { BatchRecord } from '@cua-forge/spec/store-port';
import { sha256 } from '@cua-forge/store/hash';
import { startBatch } from '../batches/start-batch.ts';
import type { Services } from '../services.ts';

const minute = 60_000;

/** Counts the calls of each hook that this server took in the last minute. */
export class HookRate {
  readonly #calls = new Map<string, number[]>();

  /** @throws ForgeError `server.busy` when the hook has had as many as it takes */
  take({ id, perMinute }: HookRecord, now: number): void {
    const recent = (this.#calls.get(id) ?? []).filter((at) => at > now - minute);
    this.#calls.set(id, recent);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= perMinute)
      throw new ForgeError('server.busy', `This hook takes ${perMinute} calls a minute, and has had them.`, {
        fix: 'Call it again later, with the same idempotency key.',
        retryAfterMs: oldest + minute - now,
      });
    recent.push(now);
  }
}

/** Starts the batch of a hook. @throws ForgeError `input.invalid` for inputs that callers may not give, and as a start of a batch does */
export function callHook(services: Services, hook: HookRecord, call: CallHook): Promise<BatchRecord> {
  const refused = Object.keys(call.inputs).filter((name) => !hook.open.includes(name));
  if (refused.length > 0)
    throw new ForgeError(
      'input.invalid',
      `This hook takes no input ${refused.map((name) => `"${name}"`).join(', ')}.`,
      {
        fix: hook.open.length === 0 ? 'It takes none.' : `It takes ${hook.open.join(', ')}.`,
      },
    );
  const key = `hook ${hook.id} ${call.idempotencyKey ?? randomUUID()}`;
  return startBatch(services, {
    documentId: hook.documentId,
    revision: hook.revision,
    inputs: { ...hook.inputs, ...call.inputs },
    count: hook.count,
    // Others for each call, the same for each call that is repeated.
    seed: call.seed ?? Number.parseInt(sha256(key).slice(0, 7), 16),
    window: hook.window,
    budget: hook.budget,
    idempotencyKey: key,
  });
}
