import { methodsOf } from '@cua-forge/api-client/methods';
import { schedulesRoutes } from '@cua-forge/spec/routes/schedules.routes';
import { http } from './http.ts';

export const schedulesApi = methodsOf(http, schedulesRoutes);
