import { Health } from '@cua-forge/spec/api';
import { Router } from 'express';
import manifest from '../../package.json' with { type: 'json' };
import { endpoint } from '../http/endpoint.ts';
import type { Services } from '../services.ts';
import { temporalUiPath } from './temporal-ui.ts';

export function healthRoutes({ env, engine }: Services): Router {
  const router = Router();
  router.get(
    '/health',
    endpoint(Health, async () => {
      const { reachable, detail, workers } = await engine.health();
      const { address, namespace } = env.temporal;
      return {
        version: manifest.version,
        temporal: { reachable, address, namespace, detail },
        temporalUi: temporalUiPath(env),
        workers,
        provider: env.modelProvider,
        rehearsed: env.modelProvider === 'rehearsal',
      };
    }),
  );
  return router;
}
