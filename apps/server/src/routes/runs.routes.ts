import { NodeDetail, NodeList, RunList, RunView, StartRun } from '@cua-forge/spec/api';
import { GraphDocument } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import { JsonObject } from '@cua-forge/spec/json';
import { Plan } from '@cua-forge/spec/plan';
import { NodeStatus, RunRecord, RunState } from '@cua-forge/spec/store-port';
import { Router } from 'express';
import { z } from 'zod';
import { endpoint, read } from '../http/endpoint.ts';
import { findRun } from '../runs/find-run.ts';
import { getJson } from '../runs/json-artifact.ts';
import { planNodeAt } from '../runs/plan-node.ts';
import { startRun } from '../runs/start-run.ts';
import { topLevelViews } from '../runs/top-level-views.ts';
import type { Services } from '../services.ts';
import { workflowUrl } from './temporal-ui.ts';

const Path = z.object({ id: z.string().min(1) });
const limit = z.coerce.number().int().min(1).max(1000);

const Cursor = z.string().transform((text, context) => {
  const match = /^(\d+):(.+)$/.exec(Buffer.from(text, 'base64url').toString('utf8'));
  if (match?.[1] === undefined || match[2] === undefined) {
    context.addIssue({ code: 'custom', message: 'not a cursor of this server' });
    return z.NEVER;
  }
  return { createdAt: Number(match[1]), id: match[2] };
});
const cursorOf = (run: RunRecord): string => Buffer.from(`${run.createdAt}:${run.id}`).toString('base64url');

const ListQuery = z.strictObject({
  documentId: z.string().optional(),
  batchId: z.string().optional(),
  state: RunState.optional(),
  failureCode: z.string().optional(),
  limit: limit.default(50),
  cursor: Cursor.optional(),
});
const NodesQuery = z.strictObject({
  prefix: z.string().optional(),
  status: NodeStatus.optional(),
  limit: limit.default(200),
  after: z.string().optional(),
});

/** The members that are there. */
function given<T extends Record<string, unknown>>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const result: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in members) {
    const value = members[key];
    if (value !== undefined) result[key] = value as Exclude<T[typeof key], undefined>;
  }
  return result;
}

export function runRoutes(services: Services): Router {
  const { store, env } = services;
  const router = Router();

  router.post(
    '/runs',
    endpoint(RunRecord, (request) => startRun(services, read(StartRun, request.body, 'body')), 201),
  );

  router.get(
    '/runs',
    endpoint(RunList, async (request) => {
      const { limit: size, cursor, ...filter } = read(ListQuery, request.query, 'query');
      const runs = await store.meta.listRuns({ ...given({ ...filter, before: cursor }), limit: size });
      const last = runs.at(-1);
      return { runs, next: last !== undefined && runs.length === size ? cursorOf(last) : null };
    }),
  );

  router.get(
    '/runs/:id',
    endpoint(RunView, async (request) => {
      const { id } = read(Path, request.params, 'path');
      const run = await findRun(store.meta, id);
      const [document, nodes, usage] = await Promise.all([
        getJson(store.artifacts, run.documentHash, GraphDocument, 'document'),
        topLevelViews(store.meta, id),
        store.meta.usageOf({ runId: id }),
      ]);
      return { run, document, nodes, usage, temporalUrl: workflowUrl(env, run.workflowId) };
    }),
  );

  router.get(
    '/runs/:id/nodes',
    endpoint(NodeList, async (request) => {
      const { id } = read(Path, request.params, 'path');
      const { limit: size, ...filter } = read(NodesQuery, request.query, 'query');
      await findRun(store.meta, id);
      const nodes = await store.meta.listNodeViews(id, { ...given(filter), limit: size });
      return { nodes, next: nodes.length === size ? (nodes.at(-1)?.key ?? null) : null };
    }),
  );

  router.get(
    '/runs/:id/node',
    endpoint(NodeDetail, async (request) => {
      const { id } = read(Path, request.params, 'path');
      const { key } = read(z.strictObject({ key: z.string().min(1) }), request.query, 'query');
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
    }),
  );
  return router;
}
