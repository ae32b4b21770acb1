import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { RunEvent } from '@cua-forge/spec/store-port';
import { type DependencyList, useCallback, useEffect, useRef, useState } from 'react';
import { type FeedFilter, followFeed, type Stream } from './event-feed.ts';
import { checkHealthNow } from './server-store.ts';
import type { Load } from './use-load.ts';

export interface Live<T> {
  load: Load<T>;
  /** Why the last refresh failed: what is shown is what was last known. */
  stale: ForgeError | null;
  stream: Stream;
  again(): void;
}

interface LiveOptions {
  feed: FeedFilter;
  /** Whether what is shown may have changed by this event. */
  wants(event: RunEvent): boolean;
  onEvent?(event: RunEvent): void;
  /** Milliseconds between refreshes, however many events come. */
  paceMs?: number;
}

/** Loads something, and loads it anew after events that concern it and after gaps in the stream. What was loaded stays while a refresh fails. */
export function useLive<T>(load: () => Promise<T>, dependencies: DependencyList, options: LiveOptions): Live<T> {
  const [state, setState] = useState<Load<T>>({ status: 'loading' });
  const [stale, setStale] = useState<ForgeError | null>(null);
  const [stream, setStream] = useState<Stream>('connecting');
  const latest = useRef({ load, options });
  latest.current = { load, options };
  const refresh = useRef<() => void>(() => {});
  const { run, batch } = options.feed;

  useEffect(() => {
    let current = true;
    let busy = false;
    let wanted = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const now = async () => {
      clearTimeout(timer);
      timer = undefined;
      if (busy) {
        wanted = true;
        return;
      }
      busy = true;
      try {
        const value = await latest.current.load();
        if (!current) return;
        setState({ status: 'loaded', value });
        setStale(null);
      } catch (thrown) {
        if (!current) return;
        const error = toForgeError(thrown);
        setState((before) => (before.status === 'loaded' ? before : { status: 'failed', error }));
        setStale(error);
      } finally {
        busy = false;
        if (wanted && current) soon();
        wanted = false;
      }
    };
    const soon = () => {
      timer ??= setTimeout(() => void now(), latest.current.options.paceMs ?? 1_000);
    };
    refresh.current = () => void now();
    setState({ status: 'loading' });
    void now();
    const stop = followFeed(
      { ...(run === undefined ? {} : { run }), ...(batch === undefined ? {} : { batch }) },
      (event) => {
        latest.current.options.onEvent?.(event);
        if (latest.current.options.wants(event)) soon();
      },
      (next) => {
        setStream(next);
        // Something may have changed before the stream was there.
        if (next === 'live') soon();
        if (next === 'reconnecting') checkHealthNow();
      },
    );
    return () => {
      current = false;
      clearTimeout(timer);
      stop();
    };
  }, [...dependencies, run, batch]);
  return { load: state, stale, stream, again: useCallback(() => refresh.current(), []) };
}
