import type { Ended } from '@cua-forge/spec/api/runs';
import { GraphDocument } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import { JsonObject } from '@cua-forge/spec/json';
import { Plan, type PlanNode } from '@cua-forge/spec/plan';
import type { Outcome, RunRecord } from '@cua-forge/spec/store-port';
import { nextCursor, readCursor } from '../http/cursor.ts';
import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { findRun } from '../runs/find-run.ts';
import { handledNodes } from '../runs/handled-nodes.ts';
import { getJson } from '../runs/json-artifact.ts';
import { planNodeAt } from '../runs/plan-node.ts';
import { startRun } from '../runs/start-run.ts';
import { startRuns } from '../runs/start-runs.ts';
import { seesHidden } from '../security/hidden-values.ts';
import type { Services } from '../services.ts';
import { workflowUrl } from './temporal-ui.ts';

export function runRoutes(
  services: Services,
): HandlersOf<
  'startRun' | 'startRuns' | 'runs' | 'run' | 'nodes' | 'node' | 'scope' | 'items' | 'itemCounts' | 'nodeLog'
> {
  const { store, env } = services;
  return {
    startRun: ({ body }) => startRun(services, body),

    startRuns: ({ body }) => startRuns(services, body),

    runs: async ({ query: { limit, cursor, ...filter } }) => {
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const runs = await store.meta.listRuns({ ...given({ ...filter, before }), limit });
      return { runs, next: nextCursor(runs, limit) };
    },

    run: async ({ params: { id } }) => {
      const eventId = await store.meta.lastEventId();
      const run = await findRun(store.meta, id);
      const [document, nodes, outcomes, usage, spent] = await Promise.all([
        getJson(store.artifacts, run.documentHash, GraphDocument, 'document'),
        store.meta.listNodeViews(id, { outsideItems: true }),
        store.meta.listOutcomes(id, { outsideItems: true }),
        store.meta.usageOf({ runId: id }),
        store.meta.spentOf({ runId: id }),
      ]);
      return {
        run,
        document,
        eventId,
        nodes,
        ended: newest(outcomes),
        usage,
        spent,
        temporalUrl: workflowUrl(env, run.workflowId),
      };
    },

    nodes: async ({ params: { id }, query: { limit, ...filter } }) => {
      await findRun(store.meta, id);
      const nodes = await store.meta.listNodeViews(id, { ...given(filter), limit });
      return { nodes, next: nodes.length === limit ? (nodes.at(-1)?.key ?? null) : null };
    },

    scope: async ({ params: { id }, query: { prefix } }) => {
      const eventId = await store.meta.lastEventId();
      await findRun(store.meta, id);
      const [nodes, outcomes] = await Promise.all([
        store.meta.listNodeViews(id, { prefix, outsideItems: true }),
        store.meta.listOutcomes(id, { prefix, outsideItems: true }),
      ]);
      return { eventId, nodes, outcomes };
    },

    itemCounts: async ({ params: { id }, query: { map } }) => {
      const handled = await handledIn(services, id, map);
      const [counts, views] = await Promise.all([
        store.meta.countItems(id, { map, handled }),
        store.meta.listNodeViews(id, { prefix: map, limit: 1 }),
      ]);
      return { total: views.find((view) => view.key === map)?.counts?.total ?? null, counts };
    },

    items: async ({ params: { id }, query: { map, limit, ...filter } }) => {
      const handled = await handledIn(services, id, map);
      const items = await store.meta.listItems(id, { map, handled, limit, ...given(filter) });
      return { items, next: items.length === limit ? (items.at(-1)?.index ?? null) : null };
    },

    nodeLog: async ({ params: { id }, query: { key, limit, cursor } }) => {
      await nodeOf(services, id, key);
      const events = await store.meta.listEvents({ runId: id, key, after: Number(cursor ?? 0), limit });
      return { events, next: events.length === limit ? String(events.at(-1)?.id) : null };
    },

    node: async ({ params: { id }, query: { key }, user }) => {
      const { run, node } = await nodeOf(services, id, key);
      const [views, outcomes, calls, params] = await Promise.all([
        store.meta.listNodeViews(id, { prefix: key, limit: 1 }),
        store.meta.listOutcomes(id, { key }),
        store.meta.listModelCalls(id, key),
        getJson(store.artifacts, run.edits[key]?.params ?? node.params, JsonObject, 'params'),
      ]);
      // What a model was shown and said of hidden values is hidden with them.
      const kept = !seesHidden(user) && outcomes.some(touchesHidden);
      return {
        view: views.find((view) => view.key === key) ?? null,
        outcomes: outcomes.reverse(),
        calls: kept ? calls.map((call) => ({ ...call, prompt: null, response: null })) : calls,
        params,
      };
    },
  };
}

const touchesHidden = ({ inputs, outputs }: Outcome): boolean =>
  [...Object.values(inputs).flat(), ...Object.values(outputs)].some((ref) => ref.hidden === true);

/** @throws ForgeError `run.not-found`, or `not-found` for a path that the run's plan does not have */
async function nodeOf(
  { store }: Services,
  id: string,
  key: string,
): Promise<{ run: RunRecord; plan: Plan; node: PlanNode }> {
  const run = await findRun(store.meta, id);
  const plan = await getJson(store.artifacts, run.planHash, Plan, 'plan');
  const node = planNodeAt(plan, key);
  if (node !== null) return { run, plan, node };
  throw new ForgeError('not-found', `Run "${id}" has no node "${key}".`, {
    fix: 'Give the path as the run shows it.',
    place: { node: key },
  });
}

/** Nodes inside the items of a map whose failures an edge handles. */
async function handledIn(services: Services, id: string, map: string): Promise<string[]> {
  const { plan, node } = await nodeOf(services, id, map);
  if (node.op.type === 'map') return handledNodes(plan, node.op.scope);
  throw new ForgeError('input.invalid', `"${map}" of run "${id}" is no map.`, {
    fix: 'Give the path of a map node.',
    place: { node: map },
  });
}

/** How the newest execution of each node ended. `outcomes` are by token. */
function newest(outcomes: readonly Outcome[]): Ended[] {
  const ended = new Map<string, Ended>();
  for (const { key, token, origin, madeBy, usage, startedAt, endedAt } of outcomes)
    ended.set(key, { key, token, origin, madeBy, usage, startedAt, endedAt });
  return [...ended.values()];
}
