import type { RunView } from '@cua-forge/spec/api';
import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { RunEvent } from '@cua-forge/spec/store-port';
import { create } from 'zustand';
import { api } from '../api/api-client.ts';
import { checkHealthNow } from '../api/server-store.ts';
import { followRun, type Stream } from './run-events.ts';
import { noProgress, type Progress, withEvents, withViews } from './run-progress.ts';

interface RunState extends Progress {
  runId: string | null;
  view: RunView | null;
  error: ForgeError | null;
  stream: Stream;
  /** Follows another run, or none. */
  follow(runId: string | null): void;
  refresh(): Promise<void>;
}

let stopFollowing: () => void = () => {};
const FLUSH_MS = 60;
const REFRESH_MS = 150;

/** The run that the canvas shows: its record, and the live states of its nodes. */
export const useRun = create<RunState>((set, get) => {
  let pending: RunEvent[] = [];
  let flushing: ReturnType<typeof setTimeout> | undefined;
  let refreshing: ReturnType<typeof setTimeout> | undefined;

  const refreshSoon = () => {
    refreshing ??= setTimeout(() => {
      refreshing = undefined;
      void get().refresh();
    }, REFRESH_MS);
  };
  const receive = (event: RunEvent) => {
    pending.push(event);
    if (event.type === 'run' || event.type === 'package') refreshSoon();
    flushing ??= setTimeout(() => {
      flushing = undefined;
      const events = pending;
      pending = [];
      set((state) => withEvents(state, events));
    }, FLUSH_MS);
  };

  return {
    ...noProgress,
    runId: null,
    view: null,
    error: null,
    stream: 'connecting',
    follow(runId) {
      if (get().runId === runId) return;
      stopFollowing();
      clearTimeout(flushing);
      clearTimeout(refreshing);
      pending = [];
      flushing = undefined;
      refreshing = undefined;
      set({ ...noProgress, runId, view: null, error: null, stream: 'connecting' });
      if (runId === null) {
        stopFollowing = () => {};
        return;
      }
      stopFollowing = followRun(runId, receive, (stream) => {
        // After a gap the record may have changed without an event that was seen.
        if (stream === 'live' && get().stream === 'reconnecting') refreshSoon();
        if (stream === 'reconnecting') checkHealthNow();
        set({ stream });
      });
      void get().refresh();
    },
    async refresh() {
      const { runId } = get();
      if (runId === null) return;
      try {
        const view = await api.run(runId);
        if (get().runId === runId) set((state) => ({ ...withViews(state, view.nodes), view, error: null }));
      } catch (error) {
        if (get().runId === runId) set({ error: toForgeError(error) });
      }
    },
  };
});
