import { viewBatch } from '../batches/batch-view.ts';
import { retryBatch } from '../batches/retry-batch.ts';
import { startBatch } from '../batches/start-batch.ts';
import { cancelBatch, pauseBatch, resumeBatch } from '../batches/steer-batch.ts';
import { nextCursor, readCursor } from '../http/cursor.ts';
import type { HandlersOf } from '../http/handlers.ts';
import type { Services } from '../services.ts';

type Names = 'startBatch' | 'batches' | 'batch' | 'retryBatch' | 'pauseBatch' | 'resumeBatch' | 'cancelBatch';

export function batchRoutes(services: Services): HandlersOf<Names> {
  const { store } = services;
  return {
    startBatch: ({ body }) => startBatch(services, body),
    batches: async ({ query: { limit, cursor } }) => {
      const batches = await store.meta.listBatches(limit, cursor === undefined ? undefined : readCursor(cursor));
      return { batches, next: nextCursor(batches, limit) };
    },
    batch: ({ params }) => viewBatch(store.meta, params.id),
    retryBatch: async ({ params, body }) => ({ runs: await retryBatch(services, params.id, body.failureCode) }),
    pauseBatch: ({ params }) => pauseBatch(services, params.id),
    resumeBatch: ({ params, body }) => resumeBatch(services, params.id, body),
    cancelBatch: async ({ params }) => {
      await cancelBatch(services, params.id);
      return { ok: true };
    },
  };
}
