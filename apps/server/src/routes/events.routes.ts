import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';
import { streamEvents } from '../events/event-stream.ts';
import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import type { Services } from '../services.ts';

const LastEventId = z.coerce.number().int().nonnegative();

export interface EventTimes {
  heartbeatMs: number;
  patienceMs: number;
}

/**
 * Without `Last-Event-ID` and `after`, the stream of a run begins with the run's first event, any other with the next one.
 * Drops nothing: what a client missed comes when it resumes.
 */
export const eventRoutes = (
  { store, events, env, log }: Services,
  times: EventTimes,
): HandlersOf<'events' | 'eventLog'> => ({
  events: async ({ query: { run, batch, after, inside }, request, response }) => {
    if (events.size >= env.eventClients) {
      throw new ForgeError('server.busy', `${events.size} clients follow events already, which is the limit.`, {
        fix: 'Close other studio windows, or raise FORGE_EVENT_CLIENTS.',
        retryAfterMs: 5_000,
      });
    }
    const resumed = LastEventId.safeParse(request.headers['last-event-id']);
    const start = resumed.success ? resumed.data : (after ?? (run === undefined ? await store.meta.lastEventId() : 0));
    try {
      await streamEvents(response, store.meta, events, { after: start, runId: run, batchId: batch, inside, ...times });
    } catch (thrown) {
      log.warn({ err: thrown }, 'an event stream broke off');
    }
  },

  eventLog: async ({ query: { run, batch, cursor, limit } }) => {
    const filter = given({ runId: run, batchId: batch });
    const found = await store.meta.listEvents({ after: Number(cursor ?? 0), limit, ...filter });
    const last = found.at(-1);
    return { events: found, next: last !== undefined && found.length === limit ? String(last.id) : null };
  },
});
