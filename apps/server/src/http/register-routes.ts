import { type ApiRoute, pathNames } from '@cua-forge/spec/api-route';
import { apiRoutes, routeNames } from '@cua-forge/spec/api-routes';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { sendDownload } from './download.ts';
import type { Download, Handlers } from './handlers.ts';
import { read } from './read.ts';

export interface BodyLimits {
  jsonBytes: number;
  uploadBytes: number;
}

interface AnyCall {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  request: Request;
  response: Response;
}
type AnyHandler = (call: AnyCall) => Promise<unknown>;

/** Serves every route of the table: reads the body as the route says, checks all parts of the request and the answer. */
export function registerRoutes(handlers: Handlers, limits: BodyLimits): Router {
  const router = Router();
  const methods = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;
  for (const name of routeNames) {
    const route: ApiRoute = apiRoutes[name];
    // Each part is parsed by the schema that the handler's type is made from.
    const handler = handlers[name] as AnyHandler;
    router[methods[route.method]](route.path, ...bodyParsers(route, limits), serve(route, handler));
  }
  return router;
}

function bodyParsers({ body }: ApiRoute, { jsonBytes, uploadBytes }: BodyLimits): RequestHandler[] {
  if (body === undefined) return [];
  return [
    body === 'bytes' ? express.raw({ type: () => true, limit: uploadBytes }) : express.json({ limit: jsonBytes }),
  ];
}

function serve(route: ApiRoute, handler: AnyHandler): RequestHandler {
  const path = z.strictObject(
    Object.fromEntries(pathNames(route.path).map((name) => [name, route.params?.[name] ?? z.string().min(1)])),
  );
  return async (request, response) => {
    const call: AnyCall = {
      params: read(path, request.params, 'path'),
      query: route.query === undefined ? undefined : read(route.query, request.query, 'query'),
      body: readBody(route, request),
      request,
      response,
    };
    const answer = await handler(call);
    if (route.answers === 'events') return;
    if (route.answers === 'bytes') sendBytes(response, answer as Download);
    else response.status(route.status ?? 200).json(route.answers.parse(answer));
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
