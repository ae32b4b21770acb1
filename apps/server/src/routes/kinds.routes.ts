import { KindList } from '@cua-forge/spec/api';
import { Router } from 'express';
import { endpoint } from '../http/endpoint.ts';
import type { Services } from '../services.ts';

export function kindRoutes({ kinds }: Services): Router {
  const router = Router();
  router.get(
    '/kinds',
    endpoint(KindList, async () => [...kinds]),
  );
  return router;
}
