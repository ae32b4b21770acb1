import { Router } from 'express';
import type { ServerMetrics } from '../http/metrics.ts';

/** GET /metrics, for Prometheus. Where the server asks for a token, so does this. */
export function metricsRoute(metrics: ServerMetrics): Router {
  const router = Router();
  router.get('/metrics', async (_request, response) => {
    const text = await metrics.text();
    response.setHeader('Content-Type', metrics.contentType);
    response.send(text);
  });
  return router;
}
