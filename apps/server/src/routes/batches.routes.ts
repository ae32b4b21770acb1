import { BatchView, Done, RetryBatch, RetryBatchResult, StartBatch } from '@cua-forge/spec/api';
import { ForgeError } from '@cua-forge/spec/errors';
import { BatchRecord } from '@cua-forge/spec/store-port';
import { Router } from 'express';
import { z } from 'zod';
import { findBatch, viewBatch } from '../batches/batch-view.ts';
import { retryBatch } from '../batches/retry-batch.ts';
import { startBatch } from '../batches/start-batch.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { isOpen } from '../runs/find-run.ts';
import type { Services } from '../services.ts';

const Path = z.object({ id: z.string().min(1) });
const ListQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(1000).default(50) });

export function batchRoutes(services: Services): Router {
  const { store, engine } = services;
  const router = Router();

  router.post(
    '/batches',
    endpoint(BatchRecord, (request) => startBatch(services, read(StartBatch, request.body, 'body')), 201),
  );
  router.get(
    '/batches',
    endpoint(z.array(BatchRecord), (request) => store.meta.listBatches(read(ListQuery, request.query, 'query').limit)),
  );
  router.get(
    '/batches/:id',
    endpoint(BatchView, (request) => viewBatch(store.meta, read(Path, request.params, 'path').id)),
  );
  router.post(
    '/batches/:id/retry',
    endpoint(RetryBatchResult, async (request) => {
      const { id } = read(Path, request.params, 'path');
      const { failureCode } = read(RetryBatch, request.body ?? {}, 'body');
      return { runs: await retryBatch(services, id, failureCode) };
    }),
  );
  router.post(
    '/batches/:id/cancel',
    endpoint(Done, async (request) => {
      const batch = await findBatch(store.meta, read(Path, request.params, 'path').id);
      if (!isOpen(batch.state)) {
        throw new ForgeError('run.state', `Batch "${batch.id}" has ended already (${batch.state}).`, {
          fix: 'There is nothing to cancel.',
        });
      }
      await engine.cancel(batch.workflowId);
      return { ok: true as const };
    }),
  );
  return router;
}
