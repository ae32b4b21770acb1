import { type ApiRoute, pathNames } from '@cua-forge/spec/api-route';
import { apiRoutes, routeNames } from '@cua-forge/spec/api-routes';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { refuseUnlessAllowed } from '../security/allowed-users.ts';
import { auditEntryOf } from '../security/audit.ts';
import { seesHidden, withoutHidden } from '../security/hidden-values.ts';
import { userOf } from '../security/user.ts';
import type { Services } from '../services.ts';
import { sendDownload } from './download.ts';
import type { AnyCall, Download, Handlers } from './handlers.ts';
import { answeredOnce, keyOf } from './idempotency.ts';
import { read } from './read.ts';
import { keptJson } from './unchanging.ts';

export interface BodyLimits {
  jsonBytes: number;
  uploadBytes: number;
}

type AnyHandler = (call: AnyCall) => Promise<unknown>;

/**
 * Serves every route of the table: lets in who has the role, reads the body as the route says, checks all parts of the request and the
 * answer, answers keyed starts once, and writes the audit trail.
 */
export function registerRoutes(services: Services, handlers: Handlers, limits: BodyLimits): Router {
  const router = Router();
  const methods = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;
  for (const name of routeNames) {
    const route: ApiRoute = apiRoutes[name];
    // Each part is parsed by the schema that the handler's type is made from.
    const handler = handlers[name] as AnyHandler;
    const allowed: RequestHandler = async (request, _response, next) => {
      await refuseUnlessAllowed(services, route, userOf(request), String(request.params.id ?? ''));
      next();
    };
    router[methods[route.method]](
      route.path,
      allowed,
      ...bodyParsers(route, limits),
      serve(services, name, route, handler),
    );
  }
  return router;
}

function bodyParsers({ body }: ApiRoute, { jsonBytes, uploadBytes }: BodyLimits): RequestHandler[] {
  if (body === undefined) return [];
  return [
    body === 'bytes' ? express.raw({ type: () => true, limit: uploadBytes }) : express.json({ limit: jsonBytes }),
  ];
}

function serve(services: Services, name: string, route: ApiRoute, handler: AnyHandler): RequestHandler {
  const path = z.strictObject(
    Object.fromEntries(pathNames(route.path).map((part) => [part, route.params?.[part] ?? z.string().min(1)])),
  );
  const { answers, status = 200 } = route;
  return async (request, response) => {
    const call: AnyCall = {
      params: read(path, request.params, 'path'),
      query: route.query === undefined ? undefined : read(route.query, request.query, 'query'),
      body: readBody(route, request),
      user: userOf(request),
      request,
      response,
    };
    const act = async (keyed: AnyCall): Promise<unknown> => {
      const given = await handler(keyed);
      const all = seesHidden(call.user);
      const checked = (): unknown => {
        const whole = typeof answers === 'string' ? given : answers.parse(given);
        return typeof answers === 'string' || all ? whole : withoutHidden(whole);
      };
      const answer = keptJson(given, all ? 'whole' : 'masked', checked) ?? checked();
      const entry = auditEntryOf(route, call, answer, services.now());
      if (entry !== null) await services.store.meta.addAudit(entry);
      return answer;
    };
    const key = route.starts === true ? keyOf(call) : null;
    const answer = key === null ? await act(call) : await answeredOnce(services, name, key, call, act);
    if (answers === 'events') return;
    if (answers === 'bytes') sendBytes(response, answer as Download);
    else if (Buffer.isBuffer(answer)) response.status(status).type('application/json').send(answer);
    else response.status(status).json(answer);
  };
}

function readBody({ body: schema }: ApiRoute, request: Request): unknown {
  if (schema === undefined) return undefined;
  const body: unknown = request.body;
  if (schema === 'bytes') return read(z.instanceof(Uint8Array, { error: 'it has no content' }), body, 'body');
  // A request without a body stands for one with no members.
  return read(schema, body ?? (request.headers['content-length'] === undefined ? {} : body), 'body');
}

function sendBytes(response: Response, { bytes, name, mediaType }: Download): void {
  sendDownload(response, bytes, name, mediaType);
}
