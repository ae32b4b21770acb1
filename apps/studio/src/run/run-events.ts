import type { RunEvent } from '@cua-forge/spec/store-port';
import { followFeed, type Stream } from '../api/event-feed.ts';

export type { Stream };

/** Follows the events of a run from its first on. Returns the function that ends it. */
export const followRun = (
  runId: string,
  onEvent: (event: RunEvent) => void,
  onStream: (stream: Stream) => void,
): (() => void) => followFeed({ run: runId }, onEvent, onStream);
