import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { Reporter } from '../bootstrap/progress.ts';

/** Milliseconds without progress after which the person who waits is told what may be missing. */
export const silenceMs = 10_000;

/** Tells which part of the product the server does without; nothing when all are there. */
export async function sayWhoIsMissing(api: ApiClient, reporter: Reporter): Promise<void> {
  const { temporal, workers } = await api.health();
  if (!temporal.reachable) reporter.line(`Waiting for Temporal: ${temporal.detail}`);
  else if (!workers.some(({ pollers }) => pollers > 0))
    reporter.line('Waiting for a worker: none is running. `npm start` starts one.');
}
