import { methodsOf } from '@cua-forge/api-client/methods';
import { hooksRoutes } from '@cua-forge/spec/routes/hooks.routes';
import { http } from './http.ts';

export const hooksApi = methodsOf(http, hooksRoutes);
