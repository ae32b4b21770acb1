import type { ApiRoute } from './api-route.ts';
import { accessRoutes } from './routes/access.routes.ts';
import { batchesRoutes } from './routes/batches.routes.ts';
import { costsRoutes } from './routes/costs.routes.ts';
import { desktopsRoutes } from './routes/desktops.routes.ts';
import { documentsRoutes } from './routes/documents.routes.ts';
import { evaluationsRoutes } from './routes/evaluations.routes.ts';
import { eventsRoutes } from './routes/events.routes.ts';
import { filesRoutes } from './routes/files.routes.ts';
import { hooksRoutes } from './routes/hooks.routes.ts';
import { modelsRoutes } from './routes/models.routes.ts';
import { operationsRoutes } from './routes/operations.routes.ts';
import { packagesRoutes } from './routes/packages.routes.ts';
import { runsRoutes } from './routes/runs.routes.ts';
import { schedulesRoutes } from './routes/schedules.routes.ts';
import { systemRoutes } from './routes/system.routes.ts';
import { webhooksRoutes } from './routes/webhooks.routes.ts';

/** Every address of the HTTP API by the name that clients call it by. Errors are always `ApiError`. */
export const apiRoutes = {
  ...systemRoutes,
  ...modelsRoutes,
  ...desktopsRoutes,
  ...operationsRoutes,
  ...documentsRoutes,
  ...filesRoutes,
  ...runsRoutes,
  ...batchesRoutes,
  ...evaluationsRoutes,
  ...hooksRoutes,
  ...webhooksRoutes,
  ...schedulesRoutes,
  ...costsRoutes,
  ...packagesRoutes,
  ...eventsRoutes,
  ...accessRoutes,
} as const satisfies Record<string, ApiRoute>;

export type ApiRoutes = typeof apiRoutes;
export type RouteName = keyof ApiRoutes;
export const routeNames = Object.keys(apiRoutes) as RouteName[];
