import type { ServerResponse } from 'node:http';
import { type MetaStore, RunEvent } from '@cua-forge/spec/store-port';
import { z } from 'zod';
import type { EventHub } from './event-hub.ts';

export interface StreamOptions {
  /** Id of the last event the client has. */
  after: number;
  runId?: string | undefined;
  batchId?: string | undefined;
  /** Of what happens in map items, only what lies right below this path; of the rest an `items` event names the maps. */
  inside?: string | undefined;
  /** Milliseconds between comments that keep the connection open. */
  heartbeatMs: number;
  /** Milliseconds a client may leave what was sent unread before it is dropped. It resumes by Last-Event-ID. */
  patienceMs: number;
}

const pageSize = 200;

const frameOf = (event: RunEvent): string => `id: ${event.id}\ndata: ${JSON.stringify(RunEvent.parse(event))}\n\n`;

const OfNode = z.object({ key: z.string() });

/** Whether it happened outside of all map items, or in the one that the prefix names and in none within. */
function isInside({ data }: RunEvent, prefix: string): boolean {
  const node = OfNode.safeParse(data);
  if (!node.success) return true;
  const { key } = node.data;
  return !key.includes('[') || (prefix !== '' && key.startsWith(prefix) && !key.slice(prefix.length).includes('['));
}

/** The maps in whose items something happened that the client does not want, seen from where it looks. */
function mapsOf(events: readonly RunEvent[], prefix: string): string[] {
  const maps = events.flatMap((event) => {
    const node = OfNode.safeParse(event.data);
    if (!node.success || isInside(event, prefix)) return [];
    const { key } = node.data;
    const from = prefix !== '' && key.startsWith(prefix) ? prefix.length : 0;
    return [key.slice(0, key.indexOf('[', from))];
  });
  return [...new Set(maps)];
}

/** Resolves to true when the socket took everything, to false when it did not in time or closed. */
function drained(response: ServerResponse, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (taken: boolean) => {
      clearTimeout(timer);
      response.off('drain', onDrain);
      response.off('close', onClose);
      resolve(taken);
    };
    const onDrain = () => end(true);
    const onClose = () => end(false);
    const timer = setTimeout(() => end(false), milliseconds);
    response.once('drain', onDrain);
    response.once('close', onClose);
  });
}

/**
 * Sends the events of the store as server-sent events until the client leaves. Each client reads the store at its own pace, a page at a
 * time, so that a slow one costs no memory; one that does not read at all is dropped.
 */
export async function streamEvents(
  response: ServerResponse,
  meta: MetaStore,
  hub: EventHub,
  options: StreamOptions,
): Promise<void> {
  const { runId, batchId, inside, heartbeatMs, patienceMs } = options;
  let after = Math.min(options.after, await meta.lastEventId());
  let open = true;
  let changed = true;
  let wake: () => void = () => {};

  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const signal = () => {
    changed = true;
    wake();
  };
  const stopListening = hub.listen(signal, () => {
    open = false;
    response.end();
    wake();
  });
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': beat\n\n');
  }, heartbeatMs);
  response.once('close', () => {
    open = false;
    wake();
  });

  try {
    // An id without data only tells the client where it stands.
    response.write(`retry: 1000\nid: ${after}\n\n`);
    while (open) {
      if (!changed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      changed = false;
      const events = await meta.listEvents({
        after,
        limit: pageSize,
        ...(runId === undefined ? {} : { runId }),
        ...(batchId === undefined ? {} : { batchId }),
      });
      const last = events.at(-1);
      if (last === undefined || !open) continue;
      after = last.id;
      if (events.length === pageSize) changed = true;
      const wanted = inside === undefined ? events : events.filter((event) => isInside(event, inside));
      const maps = inside === undefined ? [] : mapsOf(events, inside);
      // A client that resumes need not have what it does not want looked through again.
      const rest = maps.length === 0 ? '' : `event: items\nid: ${last.id}\ndata: ${JSON.stringify({ maps })}\n\n`;
      const frames = wanted.map(frameOf).join('') + rest;
      if (!response.write(frames) && !(await drained(response, patienceMs))) {
        response.destroy();
        return;
      }
    }
  } catch (thrown) {
    // The headers are out: the client can only be told by ending, and comes back for the rest.
    response.destroy();
    throw thrown;
  } finally {
    clearInterval(heartbeat);
    stopListening();
  }
}
