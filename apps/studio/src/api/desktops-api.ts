import { methodsOf } from '@cua-forge/api-client/methods';
import { desktopsRoutes } from '@cua-forge/spec/routes/desktops.routes';
import { http } from './http.ts';

export const desktopsApi = methodsOf(http, desktopsRoutes);
