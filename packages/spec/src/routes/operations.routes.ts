import { z } from 'zod';
import { Done } from '../api/done.ts';
import type { ApiRoute } from '../api-route.ts';
import { SetCurrentBuild, WorkersView } from '../operations.ts';
import { CollectionView, StartCollection } from '../upkeep.ts';

/** Workers, builds, upkeep. */
export const operationsRoutes = {
  workers: {
    method: 'GET',
    path: '/workers',
    summary: 'Backlog, workers and builds by queue, and activities of open workflows that are in trouble.',
    role: 'viewer',
    query: z.strictObject({ examine: z.coerce.number<number>().int().min(0).max(1_000).default(100) }),
    answers: WorkersView,
  },
  startCollection: {
    method: 'POST',
    path: '/upkeep/collection',
    summary: 'Begins to delete what is past its retention and artifacts that nothing refers to; answers at once.',
    role: 'operator',
    body: StartCollection,
    answers: CollectionView,
    repeatable: true,
    audit: { action: 'garbage.collect', keep: ['dryRun', 'graceHours'] },
  },
  collection: {
    method: 'GET',
    path: '/upkeep/collection',
    summary: 'How the collection of garbage that this server began last stands.',
    role: 'operator',
    answers: CollectionView,
  },
  setCurrentBuild: {
    method: 'POST',
    path: '/workers/current',
    summary: 'Starts new runs on this build of the worker; open runs stay on theirs.',
    role: 'operator',
    body: SetCurrentBuild,
    answers: Done,
    repeatable: true,
    audit: { action: 'workers.use', keep: ['build'] },
  },
} as const satisfies Record<string, ApiRoute>;
