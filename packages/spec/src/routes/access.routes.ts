import { z } from 'zod';
import { AuditList, OpenSession, SessionView } from '../api/access.ts';
import { Done } from '../api/done.ts';
import type { ApiRoute } from '../api-route.ts';
import { AuditAction } from '../api-route.ts';
import { eventCursor, limit } from './params.ts';

/** Sessions and the audit trail. */
export const accessRoutes = {
  session: {
    method: 'GET',
    path: '/session',
    summary: 'Who asks, and which logins there are.',
    role: 'anyone',
    answers: SessionView,
  },
  openSession: {
    method: 'POST',
    path: '/session',
    summary: 'Opens a session for the owner of a token: a cookie for browsers.',
    role: 'anyone',
    body: OpenSession,
    answers: SessionView,
    repeatable: true,
  },
  closeSession: {
    method: 'DELETE',
    path: '/session',
    summary: 'Ends the session of this browser.',
    role: 'anyone',
    answers: Done,
    repeatable: true,
  },
  audit: {
    method: 'GET',
    path: '/audit',
    summary: 'Who did what, newest first; `next` is the cursor of the next page.',
    role: 'operator',
    query: z.strictObject({
      user: z.string().optional(),
      action: AuditAction.optional(),
      target: z.string().optional(),
      limit: limit.default(50),
      cursor: eventCursor,
    }),
    answers: AuditList,
  },
} as const satisfies Record<string, ApiRoute>;
