import { z } from 'zod';
import { EventList } from '../api/events.ts';
import type { ApiRoute } from '../api-route.ts';
import { eventCursor, limit, whole } from './params.ts';

/** Events as they happen, and the log of them. */
export const eventsRoutes = {
  events: {
    method: 'GET',
    path: '/events',
    summary:
      'Server-sent events: `id` is the id of the event, `data` a RunEvent. Resumes after `Last-Event-ID` or `after`.',
    role: 'viewer',
    query: z.strictObject({
      run: z.string().optional(),
      batch: z.string().optional(),
      after: whole.optional(),
      inside: z.string().optional().describe('of what happens in map items, only what lies right below this path'),
    }),
    answers: 'events',
  },
  eventLog: {
    method: 'GET',
    path: '/event-log',
    summary: 'Events that happened, oldest first; `next` is the cursor of the next page.',
    role: 'viewer',
    query: z.strictObject({
      run: z.string().optional(),
      batch: z.string().optional(),
      limit: limit.default(200),
      cursor: eventCursor,
    }),
    answers: EventList,
  },
} as const satisfies Record<string, ApiRoute>;
