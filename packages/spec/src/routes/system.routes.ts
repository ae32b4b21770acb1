import { z } from 'zod';
import { Health, KindList } from '../api/system.ts';
import type { ApiRoute } from '../api-route.ts';
import { Json } from '../json.ts';

/** What the server is and holds. */
export const systemRoutes = {
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description of the API, as OpenAPI 3.1.',
    role: 'anyone',
    answers: z.record(z.string(), Json),
  },
  health: {
    method: 'GET',
    path: '/health',
    summary: 'Version, Temporal, workers by queue, model provider.',
    role: 'viewer',
    answers: Health,
  },
  kinds: {
    method: 'GET',
    path: '/kinds',
    summary: 'Every node kind: ports, JSON Schema of the params, policy.',
    role: 'viewer',
    answers: KindList,
  },
} as const satisfies Record<string, ApiRoute>;
