import { ApproveNode, Done, RetryResult, RetryRun } from '@cua-forge/spec/api';
import { Router } from 'express';
import { z } from 'zod';
import { endpoint, read } from '../http/endpoint.ts';
import { approveNode } from '../runs/approve-node.ts';
import { cancelRun } from '../runs/cancel-run.ts';
import { retryRun } from '../runs/retry-run.ts';
import type { Services } from '../services.ts';

const Path = z.object({ id: z.string().min(1) });

export function runActionRoutes(services: Services): Router {
  const router = Router();
  router.post(
    '/runs/:id/retry',
    endpoint(RetryResult, (request) =>
      retryRun(services, read(Path, request.params, 'path').id, read(RetryRun, request.body ?? {}, 'body')),
    ),
  );
  router.post(
    '/runs/:id/approve',
    endpoint(Done, async (request) => {
      await approveNode(services, read(Path, request.params, 'path').id, read(ApproveNode, request.body, 'body'));
      return { ok: true as const };
    }),
  );
  router.post(
    '/runs/:id/cancel',
    endpoint(Done, async (request) => {
      await cancelRun(services, read(Path, request.params, 'path').id);
      return { ok: true as const };
    }),
  );
  return router;
}
