import { methodsOf } from '@cua-forge/api-client/methods';
import { evaluationsRoutes } from '@cua-forge/spec/routes/evaluations.routes';
import { http } from './http.ts';

export const evaluationsApi = methodsOf(http, evaluationsRoutes);
