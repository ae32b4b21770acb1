import { z } from 'zod';
import { BatchList, BatchView, ResumeBatch, RetryBatch, RetryBatchResult, StartBatch } from '../api/batches.ts';
import { Done } from '../api/done.ts';
import type { ApiRoute } from '../api-route.ts';
import { BatchRecord } from '../store-port.ts';
import { cursor, limit } from './params.ts';

/** Batches. */
export const batchesRoutes = {
  startBatch: {
    method: 'POST',
    path: '/batches',
    summary: 'Starts `count` runs with consecutive seeds of a document, or of each of several.',
    role: 'operator',
    body: StartBatch,
    answers: BatchRecord,
    status: 201,
    starts: true,
    audit: { action: 'batch.start', keep: ['documentId', 'count', 'seed', 'window', 'budget'] },
  },
  batches: {
    method: 'GET',
    path: '/batches',
    summary: 'Batches, newest first; `next` is the cursor of the next page.',
    role: 'viewer',
    query: z.strictObject({ limit: limit.default(50), cursor }),
    answers: BatchList,
  },
  batch: {
    method: 'GET',
    path: '/batches/:id',
    summary: 'One batch: counts, failures by code, usage, pace, what an accepted run cost.',
    role: 'viewer',
    answers: BatchView,
  },
  retryBatch: {
    method: 'POST',
    path: '/batches/:id/retry',
    summary: 'Takes the failed runs of a batch up again in its window, all or those of one failure code.',
    role: 'operator',
    body: RetryBatch,
    answers: RetryBatchResult,
    audit: { action: 'batch.retry', keep: ['failureCode'] },
  },
  pauseBatch: {
    method: 'POST',
    path: '/batches/:id/pause',
    summary: 'Starts no more runs of a batch; those in progress go on to their ends.',
    role: 'operator',
    answers: BatchRecord,
    repeatable: true,
    audit: { action: 'batch.pause' },
  },
  resumeBatch: {
    method: 'POST',
    path: '/batches/:id/resume',
    summary:
      'Goes on with a batch that is paused, out of budget or was ended before its time; changes budget and window.',
    role: 'operator',
    body: ResumeBatch,
    answers: BatchRecord,
    repeatable: true,
    audit: { action: 'batch.resume', keep: ['budget', 'window'] },
  },
  cancelBatch: {
    method: 'POST',
    path: '/batches/:id/cancel',
    summary: 'Cancels a batch and its runs.',
    role: 'operator',
    answers: Done,
    audit: { action: 'batch.cancel' },
  },
} as const satisfies Record<string, ApiRoute>;
