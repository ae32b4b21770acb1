import express, { type Express, Router } from 'express';
import { errorHandler, unknownRoute } from './http/error-handler.ts';
import type { Handlers } from './http/handlers.ts';
import { serverMetrics } from './http/metrics.ts';
import { type BodyLimits, registerRoutes } from './http/register-routes.ts';
import { requestLog } from './http/request-log.ts';
import { traceRequests } from './http/trace-requests.ts';
import { accessRoutes } from './routes/access.routes.ts';
import { batchRoutes } from './routes/batches.routes.ts';
import { costRoutes } from './routes/costs.routes.ts';
import { desktopRoutes } from './routes/desktops.routes.ts';
import { documentRoutes } from './routes/documents.routes.ts';
import { evaluationRoutes } from './routes/evaluations.routes.ts';
import { type EventTimes, eventRoutes } from './routes/events.routes.ts';
import { fileRoutes } from './routes/files.routes.ts';
import { healthRoutes } from './routes/health.routes.ts';
import { hookRoutes } from './routes/hooks.routes.ts';
import { loginRoutes } from './routes/login.routes.ts';
import { metricsRoute } from './routes/metrics.routes.ts';
import { modelRoutes } from './routes/models.routes.ts';
import { packageRoutes } from './routes/packages.routes.ts';
import { pinRoutes } from './routes/pins.routes.ts';
import { reviewRoutes } from './routes/reviews.routes.ts';
import { runActionRoutes } from './routes/run-actions.routes.ts';
import { runArchiveRoutes } from './routes/run-archives.routes.ts';
import { runRoutes } from './routes/runs.routes.ts';
import { scheduleRoutes } from './routes/schedules.routes.ts';
import { studioRoutes } from './routes/studio.routes.ts';
import { temporalUiProxy } from './routes/temporal-ui.ts';
import { upkeepRoutes } from './routes/upkeep.routes.ts';
import { webhookRoutes } from './routes/webhooks.routes.ts';
import { workerRoutes } from './routes/workers.routes.ts';
import { checkHostAndOrigin } from './security/allowed-hosts.ts';
import { authenticate, operatorsOnly, usersOnly } from './security/authenticate.ts';
import { apiHeaders, commonHeaders } from './security/response-headers.ts';
import type { User } from './security/user.ts';
import type { Services } from './services.ts';

const bodyLimits: BodyLimits = { jsonBytes: 8 * 1_048_576, uploadBytes: 50 * 1_048_576 };
const eventTimes: EventTimes = { heartbeatMs: 15_000, patienceMs: 15_000 };

/** The HTTP application: API under /api, the Temporal UI under /temporal, the studio everywhere else. */
export function createApp(services: Services, times: EventTimes = eventTimes): Express {
  const { env, log, access, store } = services;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  const metrics = serverMetrics({
    engine: services.engine,
    events: services.events,
    countRuns: () => services.store.meta.countRuns({}),
  });
  if (services.tracing) app.use(traceRequests(services.tracing.tracer));
  app.use(requestLog(log), metrics.measure, commonHeaders, checkHostAndOrigin(env), authenticate(access));
  app.use('/metrics', usersOnly);
  app.use(metricsRoute(metrics));

  const handlers: Handlers = {
    ...healthRoutes(services),
    ...documentRoutes(services),
    ...pinRoutes(services),
    ...fileRoutes(services),
    ...runRoutes(services),
    ...runActionRoutes(services),
    ...runArchiveRoutes(services),
    ...batchRoutes(services),
    ...evaluationRoutes(services),
    ...scheduleRoutes(services),
    ...hookRoutes(services),
    ...webhookRoutes(services),
    ...packageRoutes(services),
    ...reviewRoutes(services),
    ...costRoutes(services),
    ...workerRoutes(services),
    ...modelRoutes(services),
    ...desktopRoutes(services),
    ...upkeepRoutes(services),
    ...eventRoutes(services, times),
    ...accessRoutes(services),
  };
  const api = Router();
  api.use(apiHeaders, registerRoutes(services, handlers, bodyLimits), unknownRoute);
  app.use('/api', api);

  const onLogin = ({ name, via }: User) =>
    store.meta.addAudit({ at: services.now(), user: name, action: 'session.open', target: '', detail: via });
  app.use(loginRoutes(access, { publicUrl: env.publicUrl, onLogin }));
  app.use('/temporal', operatorsOnly);
  if (env.temporalUi !== undefined) app.use(temporalUiProxy(env.temporalUi));
  app.use(studioRoutes(env.studioFolder), unknownRoute, errorHandler(log, services.redactor));
  return app;
}
