import { GraphDocument } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import { JsonObject } from '@cua-forge/spec/json';
import { Plan } from '@cua-forge/spec/plan';
import { nextCursor, readCursor } from '../http/cursor.ts';
import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { findRun } from '../runs/find-run.ts';
import { getJson } from '../runs/json-artifact.ts';
import { planNodeAt } from '../runs/plan-node.ts';
import { startRun } from '../runs/start-run.ts';
import { topLevelViews } from '../runs/top-level-views.ts';
import type { Services } from '../services.ts';
import { workflowUrl } from './temporal-ui.ts';

export function runRoutes(services: Services): HandlersOf<'startRun' | 'runs' | 'run' | 'nodes' | 'node'> {
  const { store, env } = services;
  return {
    startRun: ({ body }) => startRun(services, body),

    runs: async ({ query: { limit, cursor, ...filter } }) => {
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const runs = await store.meta.listRuns({ ...given({ ...filter, before }), limit });
      return { runs, next: nextCursor(runs, limit) };
    },

    run: async ({ params: { id } }) => {
      const run = await findRun(store.meta, id);
      const [document, nodes, usage, spent] = await Promise.all([
        getJson(store.artifacts, run.documentHash, GraphDocument, 'document'),
        topLevelViews(store.meta, id),
        store.meta.usageOf({ runId: id }),
        store.meta.spentOf({ runId: id }),
      ]);
      return { run, document, nodes, usage, spent, temporalUrl: workflowUrl(env, run.workflowId) };
    },

    nodes: async ({ params: { id }, query: { limit, ...filter } }) => {
      await findRun(store.meta, id);
      const nodes = await store.meta.listNodeViews(id, { ...given(filter), limit });
      return { nodes, next: nodes.length === limit ? (nodes.at(-1)?.key ?? null) : null };
    },

    node: async ({ params: { id }, query: { key } }) => {
      const run = await findRun(store.meta, id);
      const node = planNodeAt(await getJson(store.artifacts, run.planHash, Plan, 'plan'), key);
      if (node === null) {
        throw new ForgeError('not-found', `Run "${id}" has no node "${key}".`, {
          fix: 'Give the path as the run shows it.',
          place: { node: key },
        });
      }
      const [views, outcomes, calls, params] = await Promise.all([
        store.meta.listNodeViews(id, { prefix: key, limit: 1 }),
        store.meta.listOutcomes(id, { key }),
        store.meta.listModelCalls(id, key),
        getJson(store.artifacts, run.edits[key]?.params ?? node.params, JsonObject, 'params'),
      ]);
      return { view: views.find((view) => view.key === key) ?? null, outcomes: outcomes.reverse(), calls, params };
    },
  };
}
