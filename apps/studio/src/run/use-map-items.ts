import type { ItemCounts } from '@cua-forge/spec/api/runs';
import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { ItemView, NodeStatus } from '@cua-forge/spec/store-port';
import { useCallback, useEffect, useRef, useState } from 'react';
import { runsApi } from '../api/runs-api.ts';

const PAGE = 500;
const PACE_MS = 1_000;

export interface ItemFilter {
  status: NodeStatus | null;
  failureCode: string | null;
}

interface Loaded {
  items: readonly ItemView[];
  /** Where the next page goes on; null after the last. */
  next: number | null;
}

export interface MapItems {
  counts: ItemCounts | null;
  items: readonly ItemView[];
  more: boolean;
  error: ForgeError | null;
  /** Reads on until so many are there, or no more. */
  need(count: number): void;
  refresh(): void;
}

const nothing: Loaded = { items: [], next: -1 };

/** Items of a map by state and failure code, read a page at a time as they come into view; read anew when `change` does. */
export function useMapItems(
  runId: string,
  map: string,
  { status, failureCode }: ItemFilter,
  change: unknown,
): MapItems {
  const [counts, setCounts] = useState<ItemCounts | null>(null);
  const [loaded, setLoaded] = useState<Loaded>(nothing);
  const [error, setError] = useState<ForgeError | null>(null);
  const state = useRef({ loaded: nothing, wanted: PAGE, busy: false, generation: 0 });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const readOn = useCallback(async () => {
    const own = state.current;
    if (own.busy) return;
    own.busy = true;
    const { generation } = own;
    try {
      while (own.loaded.next !== null && own.loaded.items.length < own.wanted && own.generation === generation) {
        const { items, next } = own.loaded;
        const page = await runsApi.items(runId, {
          map,
          limit: PAGE,
          ...(next >= 0 ? { after: next } : {}),
          ...(status === null ? {} : { status }),
          ...(failureCode === null ? {} : { failureCode }),
        });
        if (own.generation !== generation) return;
        own.loaded = { items: [...items, ...page.items], next: page.next };
        setLoaded(own.loaded);
      }
      setError(null);
    } catch (thrown) {
      if (own.generation === generation) setError(toForgeError(thrown));
    } finally {
      if (own.generation === generation) own.busy = false;
    }
  }, [runId, map, status, failureCode]);

  const refresh = useCallback(
    async (keep: boolean) => {
      const own = state.current;
      own.generation += 1;
      own.busy = false;
      own.wanted = keep ? Math.max(PAGE, own.loaded.items.length) : PAGE;
      own.loaded = nothing;
      if (!keep) setLoaded(nothing);
      const { generation } = own;
      try {
        const [now] = await Promise.all([runsApi.itemCounts(runId, { map }), readOn()]);
        if (own.generation === generation) setCounts(now);
      } catch (thrown) {
        if (own.generation === generation) setError(toForgeError(thrown));
      }
    },
    [runId, map, readOn],
  );
  useEffect(() => {
    void refresh(false);
    return () => {
      state.current.generation += 1;
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [refresh]);
  const seen = useRef(change);
  useEffect(() => {
    if (seen.current === change) return;
    seen.current = change;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void refresh(true);
    }, PACE_MS);
  }, [change, refresh]);

  return {
    counts,
    items: loaded.items,
    more: loaded.next !== null,
    error,
    need: useCallback(
      (count) => {
        if (count <= state.current.wanted) return;
        state.current.wanted = count;
        void readOn();
      },
      [readOn],
    ),
    refresh: useCallback(() => void refresh(true), [refresh]),
  };
}
