import { methodsOf } from '@cua-forge/api-client/methods';
import { systemRoutes } from '@cua-forge/spec/routes/system.routes';
import { http } from './http.ts';

export const systemApi = methodsOf(http, systemRoutes);
