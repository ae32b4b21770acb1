import { methodsOf } from '@cua-forge/api-client/methods';
import { batchesRoutes } from '@cua-forge/spec/routes/batches.routes';
import { http } from './http.ts';

export const batchesApi = methodsOf(http, batchesRoutes);
