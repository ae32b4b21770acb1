import type { HandlersOf } from '../http/handlers.ts';
import { approveNode } from '../runs/approve-node.ts';
import { cancelRun } from '../runs/cancel-run.ts';
import { retryRun } from '../runs/retry-run.ts';
import type { Services } from '../services.ts';

export const runActionRoutes = (services: Services): HandlersOf<'retryRun' | 'approve' | 'cancelRun'> => ({
  retryRun: ({ params, body }) => retryRun(services, params.id, body),
  approve: async ({ params, body, user }) => {
    const by = user === null || user.via === 'local' ? body.by : user.name;
    await approveNode(services, params.id, { ...body, by });
    return { ok: true };
  },
  cancelRun: async ({ params }) => {
    await cancelRun(services, params.id);
    return { ok: true };
  },
});
