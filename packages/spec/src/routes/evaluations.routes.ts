import { z } from 'zod';
import { Done } from '../api/done.ts';
import type { ApiRoute } from '../api-route.ts';
import { EvaluationRecord } from '../evaluation.ts';
import { EvaluationList, EvaluationView, StartEvaluation } from '../evaluation-view.ts';

/** Evaluations of versions and models. */
export const evaluationsRoutes = {
  startEvaluation: {
    method: 'POST',
    path: '/evaluations',
    summary:
      'Runs revisions of a document, or models, on the same seeds, each in a batch of its own that takes no earlier result.',
    role: 'operator',
    body: StartEvaluation,
    answers: EvaluationRecord,
    status: 201,
    starts: true,
    audit: { action: 'evaluation.start', keep: ['documentId', 'revisions', 'models', 'count', 'seed'] },
  },
  evaluations: {
    method: 'GET',
    path: '/evaluations',
    summary: 'Evaluations, newest first, and how many of their runs have ended.',
    role: 'viewer',
    query: z.strictObject({ limit: z.coerce.number<number>().int().min(1).max(200).default(50) }),
    answers: EvaluationList,
  },
  evaluation: {
    method: 'GET',
    path: '/evaluations/:id',
    summary:
      'One evaluation: acceptance with its bounds, failures, tokens and money of each variant, and what each made of each seed.',
    role: 'viewer',
    answers: EvaluationView,
  },
  cancelEvaluation: {
    method: 'POST',
    path: '/evaluations/:id/cancel',
    summary: 'Cancels the batches of an evaluation that have not ended.',
    role: 'operator',
    answers: Done,
    repeatable: true,
    audit: { action: 'evaluation.cancel' },
  },
} as const satisfies Record<string, ApiRoute>;
