import { ForgeError } from '@cua-forge/spec/errors';
import { Router } from 'express';
import { z } from 'zod';
import { streamEvents } from '../events/event-stream.ts';
import { read } from '../http/endpoint.ts';
import type { Services } from '../services.ts';

const Query = z.strictObject({
  run: z.string().optional(),
  batch: z.string().optional(),
  after: z.coerce.number().int().nonnegative().optional(),
});
const LastEventId = z.coerce.number().int().nonnegative();

export interface EventTimes {
  heartbeatMs: number;
  patienceMs: number;
}

/**
 * Without `Last-Event-ID` and `after`, the stream of a run begins with the run's first event, any other with the next one.
 * Drops nothing: what a client missed comes when it resumes.
 */
export function eventRoutes({ store, events, env, log }: Services, times: EventTimes): Router {
  const router = Router();
  router.get('/events', async (request, response) => {
    const { run, batch, after } = read(Query, request.query, 'query');
    if (events.size >= env.eventClients) {
      throw new ForgeError('server.busy', `${events.size} clients follow events already, which is the limit.`, {
        fix: 'Close other studio windows, or raise FORGE_EVENT_CLIENTS.',
        retryAfterMs: 5_000,
      });
    }
    const resumed = LastEventId.safeParse(request.headers['last-event-id']);
    const start = resumed.success ? resumed.data : (after ?? (run === undefined ? await store.meta.lastEventId() : 0));
    try {
      await streamEvents(response, store.meta, events, { after: start, runId: run, batchId: batch, ...times });
    } catch (thrown) {
      log.warn({ err: thrown }, 'an event stream broke off');
    }
  });
  return router;
}
