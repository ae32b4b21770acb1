import { cancelEvaluation, listEvaluations, startEvaluation, viewEvaluation } from '../evaluations/evaluations.ts';
import type { HandlersOf } from '../http/handlers.ts';
import type { Services } from '../services.ts';

export function evaluationRoutes(
  services: Services,
): HandlersOf<'startEvaluation' | 'evaluations' | 'evaluation' | 'cancelEvaluation'> {
  return {
    startEvaluation: ({ body, user }) => startEvaluation(services, body, user?.name ?? ''),
    evaluations: ({ query }) => listEvaluations(services, query.limit),
    evaluation: ({ params }) => viewEvaluation(services, params.id),
    cancelEvaluation: async ({ params }) => {
      await cancelEvaluation(services, params.id);
      return { ok: true };
    },
  };
}
