import type { Ended } from '@cua-forge/spec/api/runs';
import { Usage } from '@cua-forge/spec/model-port';
import { NodeView, Outcome, type RunEvent } from '@cua-forge/spec/store-port';
import { z } from 'zod';

/** What a card shows of how a node ended. */
const OutcomeSummary = z.object({
  key: z.string(),
  token: z.number(),
  origin: Outcome.shape.origin,
  madeBy: z.string().nullable().default(null),
  usage: Usage.default({ input: 0, cached: 0, output: 0 }),
  /** Milliseconds since 1970; null where the event does not tell. */
  startedAt: z.number().nullable().default(null),
  endedAt: z.number().nullable().default(null),
});
export type OutcomeSummary = z.infer<typeof OutcomeSummary>;

const ProgressData = z.object({ key: z.string(), message: z.string(), fraction: z.number().optional() });
export type ProgressData = z.infer<typeof ProgressData>;

/** States of a run's nodes by node path, as told by events. */
export interface Progress {
  nodes: ReadonlyMap<string, NodeView>;
  outcomes: ReadonlyMap<string, OutcomeSummary>;
  messages: ReadonlyMap<string, ProgressData>;
}

export const noProgress: Progress = { nodes: new Map(), outcomes: new Map(), messages: new Map() };

/** Folds views in; an older report never replaces a newer one. */
export function withViews(progress: Progress, views: readonly NodeView[]): Progress {
  if (views.length === 0) return progress;
  const nodes = new Map(progress.nodes);
  for (const view of views) {
    const known = nodes.get(view.key);
    if (known === undefined || known.seq <= view.seq) nodes.set(view.key, view);
  }
  return { ...progress, nodes };
}

/** Folds in how nodes ended; the newest execution of each counts. */
export function withEnded(progress: Progress, ended: readonly Ended[]): Progress {
  if (ended.length === 0) return progress;
  const outcomes = new Map(progress.outcomes);
  for (const { key, token, origin, madeBy, usage, startedAt, endedAt } of ended) {
    if ((outcomes.get(key)?.token ?? 0) <= token)
      outcomes.set(key, { key, token, origin, madeBy, usage, startedAt, endedAt });
  }
  return { ...progress, outcomes };
}

/** Folds a batch of events in. Events of a shape that is not known here change nothing. */
export function withEvents(progress: Progress, events: readonly RunEvent[]): Progress {
  const views: NodeView[] = [];
  const outcomes = new Map(progress.outcomes);
  const messages = new Map(progress.messages);
  for (const event of events) {
    if (event.type === 'node') {
      const view = NodeView.safeParse(event.data);
      if (view.success) views.push(view.data);
    } else if (event.type === 'outcome') {
      const outcome = OutcomeSummary.safeParse(event.data);
      if (outcome.success && (outcomes.get(outcome.data.key)?.token ?? 0) <= outcome.data.token)
        outcomes.set(outcome.data.key, outcome.data);
    } else if (event.type === 'progress') {
      const message = ProgressData.safeParse(event.data);
      if (message.success) messages.set(message.data.key, message.data);
    }
  }
  return { ...withViews(progress, views), outcomes, messages };
}
