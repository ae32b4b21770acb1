import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { fateOf } from '@cua-forge/spec/run-fate';
import { type RunEvent, type RunRecord, RunState } from '@cua-forge/spec/store-port';
import { useCallback, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { runsApi } from '../api/runs-api.ts';
import { isOpen } from '../run/status.tsx';

const PAGE = 1_000;
const AT_ONCE = 5_000;
/** A batch has at most this many runs in progress: a refresh reads the newest. */
const NEWEST = 200;
const REFRESH_MS = 1_500;

const RunChange = z.object({ state: RunState });

export interface Runs {
  runs: readonly RunRecord[];
  loading: boolean;
  error: ForgeError | null;
  /** Whether there are older ones that were not read. */
  more: boolean;
  loadMore(): void;
  /** Takes up what an event says about a run; the record follows soon. */
  take(event: RunEvent): void;
  refresh(): void;
}

/** Newest first. */
const inOrder = (runs: ReadonlyMap<string, RunRecord>): RunRecord[] =>
  [...runs.values()].sort(
    (a, b) => b.createdAt - a.createdAt || b.id.localeCompare(a.id, undefined, { numeric: true }),
  );

/** Which runs: those of a batch, or all; the server leaves out what is in another state or failed otherwise. */
export interface RunsWanted {
  batchId?: string;
  state?: RunState;
  failureCode?: string;
  /** Runs that are read without being asked for; more by a click. */
  atOnce?: number;
}

/** Runs as they begin and end, newest first. */
export function useRuns({ batchId, state: wantedState, failureCode, atOnce = AT_ONCE }: RunsWanted): Runs {
  const known = useRef(new Map<string, RunRecord>());
  const cursor = useRef<string | null | undefined>(undefined);
  const [state, setState] = useState<Pick<Runs, 'runs' | 'loading' | 'error' | 'more'>>({
    runs: [],
    loading: true,
    error: null,
    more: false,
  });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const generation = useRef(0);

  const show = useCallback((change: Partial<Pick<Runs, 'loading' | 'error'>> = {}) => {
    setState((before) => ({
      ...before,
      ...change,
      runs: inOrder(known.current),
      more: typeof cursor.current === 'string',
    }));
  }, []);
  const page = useCallback(
    (limit: number, from?: string) =>
      runsApi.runs({
        limit,
        ...(batchId === undefined ? {} : { batchId }),
        ...(wantedState === undefined ? {} : { state: wantedState }),
        ...(failureCode === undefined ? {} : { failureCode }),
        ...(from === undefined ? {} : { cursor: from }),
      }),
    [batchId, wantedState, failureCode],
  );
  const read = useCallback(
    async (upTo: number) => {
      const mine = generation.current;
      show({ loading: true, error: null });
      try {
        do {
          const next = await page(Math.min(PAGE, upTo), cursor.current ?? undefined);
          if (generation.current !== mine) return;
          for (const run of next.runs) known.current.set(run.id, run);
          cursor.current = next.next;
          show();
        } while (typeof cursor.current === 'string' && known.current.size < upTo);
        show({ loading: false });
      } catch (thrown) {
        if (generation.current === mine) show({ loading: false, error: toForgeError(thrown) });
      }
    },
    [page, show],
  );
  useEffect(() => {
    known.current = new Map();
    cursor.current = undefined;
    void read(atOnce);
    return () => {
      generation.current += 1;
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [read, atOnce]);

  const refresh = useCallback(() => {
    timer.current ??= setTimeout(async () => {
      timer.current = undefined;
      const mine = generation.current;
      try {
        const { runs } = await page(NEWEST);
        if (generation.current !== mine) return;
        for (const run of runs) known.current.set(run.id, run);
        show({ error: null });
      } catch {
        // The page says that the server is away; the next event or the open connection asks again.
      }
    }, REFRESH_MS);
  }, [page, show]);
  const take = useCallback(
    (event: RunEvent) => {
      if (event.type !== 'run') return;
      const change = RunChange.safeParse(event.data);
      const run = known.current.get(event.runId);
      if (change.success && run !== undefined) {
        const ended = isOpen(change.data.state) ? null : (run.endedAt ?? event.at);
        known.current.set(run.id, { ...run, state: change.data.state, endedAt: ended });
      }
      refresh();
    },
    [refresh],
  );
  return { ...state, loadMore: () => void read(known.current.size + atOnce), take, refresh };
}

const plotted = ['accepted', 'rejected', 'failed'] as const;
export type Series = Record<'times' | (typeof plotted)[number], number[]>;

/** How many runs had ended with what, at each moment one did; in epoch seconds, and at most `points` moments. */
export function endsOverTime(runs: readonly RunRecord[], from: number, points = 600): Series {
  const ends = runs
    .flatMap((run) =>
      run.endedAt === null ? [] : [{ at: run.endedAt, fate: fateOf(run.state, run.failure?.code ?? null) }],
    )
    .sort((a, b) => a.at - b.at);
  const series: Series = { times: [from / 1000], accepted: [0], rejected: [0], failed: [0] };
  const sums = { accepted: 0, rejected: 0, failed: 0 };
  const step = Math.max(1, Math.ceil(ends.length / points));
  ends.forEach(({ at, fate }, index) => {
    if (fate === 'accepted' || fate === 'rejected' || fate === 'failed') sums[fate] += 1;
    if ((index + 1) % step !== 0 && index !== ends.length - 1) return;
    series.times.push(Math.max(at / 1000, series.times.at(-1) ?? 0));
    for (const name of plotted) series[name].push(sums[name]);
  });
  return series;
}
