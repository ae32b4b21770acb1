import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import { skillViews } from '../skills/skill-views.ts';

/** Epoch milliseconds; a day begins at midnight UTC. */
const momentOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

export function costRoutes({ store, now }: Services): HandlersOf<'costs' | 'spendingOverTime' | 'skills'> {
  return {
    costs: ({ query: { by, run, batch, from, to, limit } }) =>
      store.meta.costs({ by, limit, ...given({ runId: run, batchId: batch, from: momentOf(from), to: momentOf(to) }) }),

    spendingOverTime: async ({ query: { run, batch, skill, from, to, points } }) => ({
      points: await store.meta.spendingOverTime({
        from: Date.parse(from),
        to: momentOf(to) ?? now() + 1,
        points,
        ...given({ runId: run, batchId: batch, skill }),
      }),
    }),

    skills: async () => ({ skills: await skillViews(store.meta) }),
  };
}
