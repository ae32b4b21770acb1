import { methodsOf } from '@cua-forge/api-client/methods';
import { modelsRoutes } from '@cua-forge/spec/routes/models.routes';
import { http } from './http.ts';

export const modelsApi = methodsOf(http, modelsRoutes);
