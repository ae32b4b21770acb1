import { z } from 'zod';
import { RunEvent } from '../store-port.ts';

/**
 * GET /api/event-log?run=&batch=&after=&limit=: `next` is the id to go on after. GET /api/events?run=&batch= gives the same as server-sent events: `id` is the
 * event id, `data` a RunEvent; it resumes by Last-Event-ID (or ?after=).
 */
export const EventList = z.strictObject({ events: z.array(RunEvent), next: z.string().nullable() });
