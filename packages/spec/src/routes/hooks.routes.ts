import { z } from 'zod';
import { Done } from '../api/done.ts';
import type { ApiRoute } from '../api-route.ts';
import { CallHook, CreateHook, HookAnswer, HookList, HookMade } from '../hook.ts';

/** Addresses that start a batch for whoever calls them. */
export const hooksRoutes = {
  createHook: {
    method: 'POST',
    path: '/hooks',
    summary: 'Makes an address that starts a batch of a document for whoever calls it; its token is shown once.',
    role: 'operator',
    body: CreateHook,
    answers: HookMade,
    status: 201,
    audit: { action: 'hook.create', keep: ['title', 'documentId', 'count'] },
  },
  hooks: {
    method: 'GET',
    path: '/hooks',
    summary: 'Hooks, newest first, without their tokens.',
    role: 'operator',
    query: z.strictObject({ limit: z.coerce.number<number>().int().min(1).max(500).default(100) }),
    answers: HookList,
  },
  rotateHook: {
    method: 'POST',
    path: '/hooks/:id/rotate',
    summary: 'Gives a hook a new token, shown once, and ends the one before.',
    role: 'operator',
    answers: HookMade,
    audit: { action: 'hook.rotate' },
  },
  deleteHook: {
    method: 'DELETE',
    path: '/hooks/:id',
    summary: 'Ends a hook.',
    role: 'operator',
    answers: Done,
    audit: { action: 'hook.delete' },
  },
  callHook: {
    method: 'POST',
    path: '/hooks/:token',
    summary: 'Starts the batch of the hook that this token belongs to. Calls with one idempotency key start one batch.',
    role: 'anyone',
    body: CallHook,
    answers: HookAnswer,
    status: 201,
    audit: { action: 'hook.call' },
  },
} as const satisfies Record<string, ApiRoute>;
