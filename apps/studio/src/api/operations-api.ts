import { methodsOf } from '@cua-forge/api-client/methods';
import { operationsRoutes } from '@cua-forge/spec/routes/operations.routes';
import { http } from './http.ts';

export const operationsApi = methodsOf(http, operationsRoutes);
