import { ApiError } from '@cua-forge/spec/api/api-error';
import type { ApiRoute } from '@cua-forge/spec/api-route';
import { apiRoutes, type RouteName, routeNames } from '@cua-forge/spec/api-routes';
import { faultOf } from '@cua-forge/spec/errors';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestServer, type TestServer, twoEchoes } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('PUT', '/api/documents/two-echoes', { document: twoEchoes, expectedRevision: null });
});
afterAll(() => server.stop());

const anyJson = fc.jsonValue({ maxDepth: 3 });

/** Bodies near the right one: some members right, others of any kind, others unknown. */
function bodyNear(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (!(schema instanceof z.ZodObject)) return anyJson;
  const names = Object.keys(schema.shape);
  return fc.oneof(
    anyJson,
    fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 })), anyJson, { maxKeys: 6 }),
  );
}

const part = fc.oneof(
  fc.constantFrom('two-echoes', 'none', '0'.repeat(64), '%00', '..', 'a'.repeat(300)),
  fc.string({ minLength: 1, maxLength: 20 }),
);
const queryText = fc.dictionary(
  fc.constantFrom('limit', 'cursor', 'after', 'index', 'name', 'key', 'state', 'unknown', 'prefix', 'action'),
  fc.oneof(fc.constantFrom('', '-1', '1e9', 'NaN', 'null', '{}'), fc.string({ maxLength: 12 })),
  { maxKeys: 4 },
);

/** Answers with a status and JSON; an event stream that began is left at once. */
async function send(name: RouteName, parts: string[], query: Record<string, string>, body: unknown) {
  const { method, path, body: schema }: ApiRoute = apiRoutes[name];
  let index = 0;
  const address = path.replace(/:\w+/g, () => encodeURIComponent(parts[index++] ?? 'x').replace(/^\.\.?$/, '%2e'));
  const leaving = new AbortController();
  const response = await fetch(`${server.url}/api${address}?${new URLSearchParams(query)}`, {
    method,
    signal: leaving.signal,
    ...(method === 'GET' || schema === undefined
      ? {}
      : {
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
  });
  const stream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = stream ? '' : await response.text();
  leaving.abort();
  return { status: response.status, text };
}

/** A refusal is an `ApiError` whose fault lies with the request. */
function expectNoBug({ status, text }: { status: number; text: string }): void {
  if (status < 400) return;
  const { error } = ApiError.parse(JSON.parse(text));
  expect(faultOf(error.code), error.message).not.toBe('bug');
  // A request that is right by chance may find that no worker is there to answer it.
  if (error.code !== 'temporal.unreachable') expect(status, error.message).toBeLessThan(500);
}

describe('requests that make no sense', () => {
  it.each(routeNames)('%s answers them with a refusal', async (name) => {
    const { body }: ApiRoute = apiRoutes[name];
    const schema = body === undefined || body === 'bytes' ? z.unknown() : body;
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 2, maxLength: 2 }),
        queryText,
        bodyNear(schema),
        async (parts, query, sent) => {
          expectNoBug(await send(name, parts, query, sent));
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each(routeNames.filter((name) => typeof (apiRoutes[name] as ApiRoute).body === 'object'))(
    '%s refuses a body that is no JSON, and one with an unknown member',
    async (name) => {
      const broken = await send(name, ['two-echoes', 'first'], {}, '{"a":');
      expect(broken.status).toBe(400);
      expectNoBug(broken);
      const unknown = await send(name, ['two-echoes', 'first'], {}, { 'no-such-member': 1 });
      expect(unknown.status).toBe(400);
      expect(unknown.text).toContain('no-such-member');
    },
  );
});
