import { methodsOf } from '@cua-forge/api-client/methods';
import { accessRoutes } from '@cua-forge/spec/routes/access.routes';
import { http } from './http.ts';

export const accessApi = methodsOf(http, accessRoutes);
