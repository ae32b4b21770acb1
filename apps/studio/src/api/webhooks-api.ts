import { methodsOf } from '@cua-forge/api-client/methods';
import { webhooksRoutes } from '@cua-forge/spec/routes/webhooks.routes';
import { http } from './http.ts';

export const webhooksApi = methodsOf(http, webhooksRoutes);
