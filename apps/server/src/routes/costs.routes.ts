import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import type { Services } from '../services.ts';

/** Epoch milliseconds; a day begins at midnight UTC. */
const momentOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

export function costRoutes({ store }: Services): HandlersOf<'costs'> {
  return {
    costs: ({ query: { by, run, batch, from, to, limit } }) =>
      store.meta.costs({ by, limit, ...given({ runId: run, batchId: batch, from: momentOf(from), to: momentOf(to) }) }),
  };
}
