import { ForgeError } from '@cua-forge/spec/errors';
import { findBatch, viewBatch } from '../batches/batch-view.ts';
import { retryBatch } from '../batches/retry-batch.ts';
import { startBatch } from '../batches/start-batch.ts';
import { nextCursor, readCursor } from '../http/cursor.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { isOpen } from '../runs/find-run.ts';
import type { Services } from '../services.ts';

type Names = 'startBatch' | 'batches' | 'batch' | 'retryBatch' | 'cancelBatch';

export function batchRoutes(services: Services): HandlersOf<Names> {
  const { store, engine } = services;
  return {
    startBatch: ({ body }) => startBatch(services, body),
    batches: async ({ query: { limit, cursor } }) => {
      const batches = await store.meta.listBatches(limit, cursor === undefined ? undefined : readCursor(cursor));
      return { batches, next: nextCursor(batches, limit) };
    },
    batch: ({ params }) => viewBatch(store.meta, params.id),
    retryBatch: async ({ params, body }) => ({ runs: await retryBatch(services, params.id, body.failureCode) }),
    cancelBatch: async ({ params }) => {
      const batch = await findBatch(store.meta, params.id);
      if (!isOpen(batch.state)) {
        throw new ForgeError('run.state', `Batch "${batch.id}" has ended already (${batch.state}).`, {
          fix: 'There is nothing to cancel.',
        });
      }
      await engine.cancel(batch.workflowId);
      return { ok: true };
    },
  };
}
