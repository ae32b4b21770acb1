import { openapiDocument } from '@cua-forge/spec/openapi';
import manifest from '../../package.json' with { type: 'json' };
import type { HandlersOf } from '../http/handlers.ts';
import { unchanging } from '../http/unchanging.ts';
import type { Services } from '../services.ts';
import { temporalUiPath } from './temporal-ui.ts';

export const healthRoutes = ({ env, engine, kinds }: Services): HandlersOf<'openapi' | 'health' | 'kinds'> => {
  const allKinds = unchanging([...kinds]);
  return {
    openapi: async () => openapiDocument(manifest.version),
    health: async () => {
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
    },
    kinds: async () => allKinds,
  };
};
