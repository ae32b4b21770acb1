import type { HandlersOf } from '../http/handlers.ts';
import type { Services } from '../services.ts';

export const workerRoutes = ({
  engine,
  log,
}: Pick<Services, 'engine' | 'log'>): HandlersOf<'workers' | 'setCurrentBuild'> => ({
  workers: async ({ query }) => {
    const { operations } = engine;
    const queues = await operations.queues();
    const builds = await operations.builds();
    return { queues, builds, ...(await operations.pendingProblems(query.examine)) };
  },
  setCurrentBuild: async ({ body }) => {
    await engine.operations.setCurrentBuild(body.build);
    log.info({ build: body.build }, 'new runs start on this build');
    return { ok: true };
  },
});
