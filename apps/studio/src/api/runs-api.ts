import { methodsOf } from '@cua-forge/api-client/methods';
import { runsRoutes } from '@cua-forge/spec/routes/runs.routes';
import { http } from './http.ts';

export const runsApi = methodsOf(http, runsRoutes);
