import { methodsOf } from '@cua-forge/api-client/methods';
import { costsRoutes } from '@cua-forge/spec/routes/costs.routes';
import { http } from './http.ts';

export const costsApi = methodsOf(http, costsRoutes);
