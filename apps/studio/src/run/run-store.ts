import type { RunView } from '@cua-forge/spec/api/runs';
import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { RunEvent } from '@cua-forge/spec/store-port';
import { create } from 'zustand';
import { followFeed, type Stream } from '../api/event-feed.ts';
import { runsApi } from '../api/runs-api.ts';
import { checkHealthNow } from '../api/server-store.ts';
import { useView } from '../canvas/view-store.ts';
import { noProgress, type Progress, withEnded, withEvents, withViews } from './run-progress.ts';

interface RunState extends Progress {
  runId: string | null;
  view: RunView | null;
  error: ForgeError | null;
  stream: Stream;
  /** Path of the map item that is looked into; empty outside of all. */
  inside: string;
  /** Grows when something happened in items of a map: path of the map → how often. */
  itemChanges: Readonly<Record<string, number>>;
  /** Follows another run, or none. */
  follow(runId: string | null): void;
  /** Follows what happens in this map item too (`each[3]/`), and in no other. */
  look(inside: string): void;
  refresh(): Promise<void>;
}

let stopFollowing: () => void = () => {};
const FLUSH_MS = 60;
const REFRESH_MS = 150;
const AGAIN_MS = 2_000;

/** The run that the canvas shows: its record, and the live states of its nodes. */
export const useRun = create<RunState>((set, get) => {
  let pending: RunEvent[] = [];
  let last = 0;
  let flushing: ReturnType<typeof setTimeout> | undefined;
  let refreshing: ReturnType<typeof setTimeout> | undefined;

  const refreshSoon = () => {
    refreshing ??= setTimeout(() => {
      refreshing = undefined;
      void get().refresh();
    }, REFRESH_MS);
  };
  const receive = (event: RunEvent) => {
    last = Math.max(last, event.id);
    pending.push(event);
    if (event.type === 'run' || event.type === 'package') refreshSoon();
    flushing ??= setTimeout(() => {
      flushing = undefined;
      const events = pending;
      pending = [];
      set((state) => withEvents(state, events));
    }, FLUSH_MS);
  };
  const open = (run: string) => {
    stopFollowing();
    stopFollowing = followFeed(
      { run, inside: get().inside, after: last },
      receive,
      (stream) => {
        // After a gap the record may have changed without an event that was seen.
        if (stream === 'live' && get().stream === 'reconnecting') refreshSoon();
        if (stream === 'reconnecting') checkHealthNow();
        set({ stream });
      },
      (maps) =>
        set(({ itemChanges }) => ({
          itemChanges: { ...itemChanges, ...Object.fromEntries(maps.map((map) => [map, (itemChanges[map] ?? 0) + 1])) },
        })),
    );
  };
  /** The item's states as they are now, and what happens to them from then on. */
  const lookInto = async (run: string, inside: string) => {
    try {
      const scope = await runsApi.scope(run, { prefix: inside });
      if (get().runId !== run || get().inside !== inside) return;
      set((state) => withEnded(withViews(state, scope.nodes), scope.outcomes));
    } catch (error) {
      if (get().runId === run) set({ error: toForgeError(error) });
    }
  };

  return {
    ...noProgress,
    runId: null,
    view: null,
    error: null,
    stream: 'connecting',
    inside: '',
    itemChanges: {},
    follow(runId) {
      if (get().runId === runId) return;
      stopFollowing();
      stopFollowing = () => {};
      clearTimeout(flushing);
      clearTimeout(refreshing);
      pending = [];
      last = 0;
      flushing = undefined;
      refreshing = undefined;
      set({ ...noProgress, runId, view: null, error: null, stream: 'connecting', inside: '', itemChanges: {} });
      if (runId !== null) void get().refresh();
    },
    look(inside) {
      const { runId, view } = get();
      if (get().inside === inside) return;
      set({ inside });
      if (runId === null || view === null) return;
      open(runId);
      if (inside !== '') void lookInto(runId, inside);
    },
    async refresh() {
      const { runId } = get();
      if (runId === null) return;
      try {
        const view = await runsApi.run(runId);
        if (get().runId !== runId) return;
        const first = get().view === null;
        set((state) => ({ ...withEnded(withViews(state, view.nodes), view.ended), view, error: null }));
        if (!first) return;
        last = Math.max(last, view.eventId);
        open(runId);
        if (get().inside !== '') void lookInto(runId, get().inside);
      } catch (error) {
        if (get().runId !== runId) return;
        const known = toForgeError(error);
        set({ error: known });
        if (get().view === null && known.fault === 'transient') setTimeout(refreshSoon, AGAIN_MS);
      }
    },
  };
});

/** Of the way into subgraphs, the part that leads into the innermost map item. */
const itemOf = (prefix: string): string => prefix.slice(0, prefix.lastIndexOf(']/') + 2);
useView.subscribe(({ crumbs }) => {
  const prefix = crumbs.at(-1)?.prefix ?? '';
  useRun.getState().look(prefix.includes(']/') ? itemOf(prefix) : '');
});
