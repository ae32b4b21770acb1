import type { RunEvent } from '@cua-forge/spec/store-port';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followFeed, type Stream } from './event-feed.ts';

/** What a browser has for a stream of events, as far as the feed uses it. */
class Source {
  static readonly CLOSED = 2;
  static readonly opened: Source[] = [];
  readyState = 1;
  onopen = () => {};
  onerror = () => {};
  onmessage: (message: { data: string }) => void = () => {};
  readonly url: string;
  constructor(url: string) {
    this.url = url;
    Source.opened.push(this);
  }
  addEventListener(): void {}
  close(): void {
    this.readyState = Source.CLOSED;
  }
}

const event = (id: number): RunEvent => ({ id, runId: 'r1', type: 'run', data: {}, at: 1 });
const send = (source: Source | undefined, id: number) => source?.onmessage({ data: JSON.stringify(event(id)) });

beforeEach(() => {
  Source.opened.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Source);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the feed of events', () => {
  it('goes on behind the last event after a break that the browser gives up on, and tells each event once', () => {
    const seen: number[] = [];
    const streams: Stream[] = [];
    const stop = followFeed(
      {},
      ({ id }) => seen.push(id),
      (stream) => streams.push(stream),
    );
    const [first] = Source.opened;
    first?.onopen();
    send(first, 7);
    first?.onerror();
    // The browser tries again by itself for as long as it has not closed the stream.
    vi.advanceTimersByTime(60_000);
    expect(Source.opened.length).toBe(1);
    first?.close();
    first?.onerror();
    vi.advanceTimersByTime(2_000);
    const second = Source.opened[1];
    expect(second?.url).toContain('after=7');
    second?.onopen();
    send(second, 7);
    send(second, 8);
    expect(seen).toEqual([7, 8]);
    expect(streams).toEqual(['connecting', 'live', 'reconnecting', 'reconnecting', 'live']);
    stop();
    expect(second?.readyState).toBe(Source.CLOSED);
  });

  it('opens nothing after its end', () => {
    const stop = followFeed(
      { run: 'r1' },
      () => {},
      () => {},
    );
    const [only] = Source.opened;
    expect(only?.url).toContain('run=r1');
    only?.close();
    only?.onerror();
    stop();
    vi.advanceTimersByTime(10_000);
    expect(Source.opened.length).toBe(1);
  });
});
