import { z } from 'zod';
import * as accessBodies from './api/access.ts';
import * as errorBodies from './api/api-error.ts';
import * as batchesBodies from './api/batches.ts';
import * as documentsBodies from './api/documents.ts';
import * as doneBodies from './api/done.ts';
import * as eventsBodies from './api/events.ts';
import * as packagesBodies from './api/packages.ts';
import * as runsBodies from './api/runs.ts';
import * as systemBodies from './api/system.ts';
import { type ApiRoute, pathNames } from './api-route.ts';
import { apiRoutes, routeNames } from './api-routes.ts';
import { Finding, GraphDocument } from './document.ts';
import { Json } from './json.ts';
import { KindMeta } from './kind.ts';
import * as Records from './store-port.ts';
import { TaskPackage } from './task.ts';
import { FileValue, ValueRef } from './value.ts';

type Schema = Record<string, unknown>;

/** Schemas that stand in the document under their own name. */
const named: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries({
    ...Records,
    ...accessBodies,
    ...errorBodies,
    ...batchesBodies,
    ...documentsBodies,
    ...doneBodies,
    ...eventsBodies,
    ...packagesBodies,
    ...runsBodies,
    ...systemBodies,
    Finding,
    GraphDocument,
    KindMeta,
    TaskPackage,
    FileValue,
    ValueRef,
    Json,
  }).filter(([, schema]) => schema instanceof z.ZodType),
);

const errorStatuses = [
  [400, 'The request is not right.'],
  [401, 'A login is needed.'],
  [403, 'The role, the host name or the origin does not allow it.'],
  [404, 'There is no such thing.'],
  [409, 'It is in conflict with the present state.'],
  [503, 'Try again; `Retry-After` says when, where that is known.'],
] as const;

/** JSON Schemas of all named schemas and of the given ones, which refer to each other by `#/components/schemas/…`. */
function schemasOf(extra: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Record<string, Schema> {
  const suffix = io === 'input' ? 'Input' : '';
  const registry = z.registry<{ id: string }>();
  const known = new Set<z.ZodType>();
  for (const [name, schema] of Object.entries({ ...named, ...extra })) {
    if (known.has(schema)) continue;
    known.add(schema);
    registry.add(schema, { id: `${name}${suffix}` });
  }
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { io, uri, unrepresentable: 'any' });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]));
}

/** Those of `schemas` that `used` refers to, and those that they refer to. */
function reachable(schemas: Record<string, Schema>, used: unknown): Record<string, Schema> {
  const found = new Set<string>();
  const look = (value: unknown) => {
    for (const [, id = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(id)) continue;
      found.add(id);
      look(schemas[id] ?? null);
    }
  };
  look(used);
  return Object.fromEntries(Object.entries(schemas).filter(([id]) => found.has(id)));
}

const json = (schema: Schema) => ({ 'application/json': { schema } });
const ref = (id: string): Schema => ({ $ref: `#/components/schemas/${id}` });

/** The OpenAPI 3.1 document of the API, made from the table that the server registers its routes by. */
export function openapiDocument(version: string): Record<string, Json> {
  const inputs: Record<string, z.ZodType> = {};
  const outputs: Record<string, z.ZodType> = {};
  const byName = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));
  /** Name under which a schema stands in the document; one without a name of its own gets that of its route. */
  const put = (into: Record<string, z.ZodType>, schema: z.ZodType, name: string): string => {
    const known = byName.get(schema);
    if (known !== undefined) return known;
    into[name] = schema;
    byName.set(schema, name);
    return name;
  };
  const capital = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

  const operations = routeNames.map((name) => {
    const route: ApiRoute = apiRoutes[name];
    const { body, answers } = route;
    return {
      name,
      route,
      body: body === undefined || body === 'bytes' ? body : ref(`${put(inputs, body, `${capital(name)}Body`)}Input`),
      answers: typeof answers === 'string' ? answers : ref(put(outputs, answers, `${capital(name)}Answer`)),
    };
  });
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const { route, name } = operation;
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(name, route, operation) };
  }
  const errors = {
    responses: Object.fromEntries(errorStatuses.map(([status, text]) => [`E${status}`, errorAnswer(text)])),
  };
  const schemas = { ...schemasOf(inputs, 'input'), ...schemasOf(outputs, 'output') };
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'CUA Forge',
      version,
      description: 'Workflow graphs that synthesize computer-use tasks: documents, runs, batches, task packages.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { session: [] }],
    paths,
    components: {
      schemas: reachable(schemas, [paths, errors]),
      ...errors,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'forge_session' },
      },
    },
  };
  return z.record(z.string(), Json).parse(JSON.parse(JSON.stringify(document)));
}

const errorAnswer = (description: string) => ({ description, content: json(ref('ApiError')) });

function operationOf(
  name: string,
  route: ApiRoute,
  made: { body: Schema | 'bytes' | undefined; answers: Schema | 'bytes' | 'events' },
) {
  const { role, status = 200 } = route;
  const who =
    role === 'anyone'
      ? 'Needs no login.'
      : `Needs the role \`${role}\`${route.own ? ' for own runs, `operator` for those of others' : ''}.`;
  return {
    operationId: name,
    summary: route.summary,
    description: who,
    ...(role === 'anyone' ? { security: [] } : {}),
    'x-role': role,
    parameters: parametersOf(route),
    ...(made.body === undefined ? {} : { requestBody: requestBodyOf(made.body) }),
    responses: {
      [status]: { description: 'Done.', content: contentOf(made.answers) },
      ...Object.fromEntries(errorStatuses.map(([code]) => [code, { $ref: `#/components/responses/E${code}` }])),
    },
  };
}

const requestBodyOf = (body: Schema | 'bytes') =>
  body === 'bytes'
    ? { required: true, content: { 'application/octet-stream': {} } }
    : { required: true, content: json(body) };

function contentOf(answers: Schema | 'bytes' | 'events') {
  if (answers === 'bytes') return { 'application/octet-stream': {} };
  if (answers === 'events') return { 'text/event-stream': { schema: { type: 'string' } } };
  return json(answers);
}

/** JSON Schema of a part of an address. */
function partSchema(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

function parametersOf(route: ApiRoute): unknown[] {
  const inPath = pathNames(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: partSchema(route.params?.[name] ?? z.string().min(1)),
  }));
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !z.safeParse(schema, undefined).success,
    schema: partSchema(schema),
  }));
  const headers = [
    ...(route.starts === true
      ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }]
      : []),
    ...(route.answers === 'events'
      ? [{ name: 'Last-Event-ID', in: 'header', schema: { type: 'integer', minimum: 0 } }]
      : []),
  ];
  return [...inPath, ...inQuery, ...headers];
}
