import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chainedSecrets } from '@cua-forge/secrets/chained-secrets';
import { envSecrets } from '@cua-forge/secrets/env-secrets';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { JsonObject } from '@cua-forge/spec/json';
import type { ExecuteContext } from '@cua-forge/spec/kind';
import { FileValue } from '@cua-forge/spec/value';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import { parseAllowList } from '@cua-forge/worker/http/allow-list';
import { AllowedHttp } from '@cua-forge/worker/http/allowed-http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { request } from './request.node.ts';

const CANARY = 'canary/+"7';
type Reply = { status?: number; headers?: Record<string, string>; body?: string | Buffer };

let server: Server;
let base = '';
let reply: (incoming: IncomingMessage) => Reply = () => ({ body: '{}' });
let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];

beforeAll(async () => {
  server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString();
    seen.push({ method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers, body });
    const { status = 200, headers = {}, body: answer = '' } = reply(incoming);
    outgoing.writeHead(status, headers).end(answer);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));
beforeEach(() => {
  seen = [];
  reply = () => ({ body: '{}' });
});

const run = (params: JsonObject, inputs: Record<string, unknown> = {}, files = new MemoryFiles()) => {
  const context: Partial<ExecuteContext> = {
    http: new AllowedHttp(parseAllowList('127.0.0.1:*')),
    secrets: chainedSecrets([envSecrets({ FORGE_SECRET_KEY: CANARY })]),
  };
  return runKind(request, { params: { ...params, url: `${base}${String(params.url)}` }, inputs, files, context });
};

describe('http.request', () => {
  it('fills address, headers and body, and reads JSON', async () => {
    reply = () => ({ body: '{"id":7}', headers: { 'content-type': 'application/json', 'set-cookie': 'a=b' } });
    const outputs = await run(
      {
        method: 'POST',
        url: '/items/{{ name | url_encode }}',
        headers: { 'X-Kind': '{{ order.kind }}' },
        body: { order: '{{ order }}', note: 'for {{ name }}' },
        inputs: { name: 'text', order: 'json' },
      },
      { name: 'a b/c', order: { kind: 'paper', count: 2 } },
    );
    expect(outputs).toMatchObject({ status: 200, json: { id: 7 }, headers: { 'content-type': 'application/json' } });
    expect(outputs).not.toHaveProperty(['headers', 'set-cookie']);
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/items/a+b%2Fc',
      headers: { 'x-kind': 'paper', 'content-type': 'application/json', 'idempotency-key': 'run-test/node/1' },
    });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ order: { kind: 'paper', count: 2 }, note: 'for a b/c' });
  });

  it('reads text in its character set, files as they are, and leaves an empty answer out', async () => {
    reply = () => ({ body: Buffer.from([0xe9]), headers: { 'content-type': 'text/plain; charset=latin1' } });
    expect(await run({ url: '/', answer: 'text' })).toMatchObject({ text: 'é' });
    const files = new MemoryFiles();
    const { file } = await run({ url: '/', answer: 'file', fileName: 'letter.txt' }, {}, files);
    expect(FileValue.parse(file)).toMatchObject({ name: 'letter.txt', mediaType: 'text/plain', size: 1 });
    expect([...files.get(FileValue.parse(file).hash)]).toEqual([0xe9]);
    reply = () => ({ status: 204 });
    expect(await run({ url: '/' })).not.toHaveProperty('json');
  });

  it('sends a file', async () => {
    const files = new MemoryFiles();
    const file = files.put('a.csv', 'text/csv', Buffer.from('a,b'));
    await run({ method: 'PUT', url: '/' }, { file }, files);
    expect(seen[0]).toMatchObject({ body: 'a,b', headers: { 'content-type': 'text/csv' } });
  });

  it('repeats what may be repeated, when the server asks for it', async () => {
    reply = () => ({ status: 503, headers: { 'retry-after': '7' } });
    await expect(run({ url: '/' })).rejects.toMatchObject({ code: 'http.unavailable', retryAfterMs: 7_000 });
    await expect(run({ url: '/', method: 'POST' })).rejects.toMatchObject({ code: 'http.failed' });
    await expect(run({ url: '/', method: 'POST', repeat: 'always' })).rejects.toMatchObject({
      code: 'http.unavailable',
    });
    await expect(run({ url: '/', repeat: 'never' })).rejects.toMatchObject({ code: 'http.failed' });
    await expect(run({ url: '/', repeatStatuses: [500] })).rejects.toMatchObject({ code: 'http.failed' });
    reply = () => ({
      status: 429,
      headers: { 'retry-after': 'Mon, 02 Jun 2025 10:00:30 GMT', date: 'Mon, 02 Jun 2025 10:00:00 GMT' },
    });
    await expect(run({ url: '/' })).rejects.toMatchObject({ retryAfterMs: 30_000 });
  });

  it('says what the server answered, unless the status was expected', async () => {
    reply = () => ({ status: 404, body: 'no such item' });
    await expect(run({ url: '/' })).rejects.toMatchObject({
      code: 'http.failed',
      message: 'The server answered with status 404: "no such item"',
    });
    expect(await run({ url: '/', statuses: [404], answer: 'text' })).toMatchObject({
      status: 404,
      text: 'no such item',
    });
    reply = () => ({ body: '<html>' });
    await expect(run({ url: '/' })).rejects.toMatchObject({
      code: 'http.failed',
      message: expect.stringContaining('<html>'),
    });
  });

  it('refuses headers of the connection, secrets elsewhere than in headers, and hidden inputs', () => {
    const parse = (more: JsonObject) => request.params.safeParse({ url: 'https://a.example', ...more }).success;
    expect(parse({ headers: { Accept: 'x' } })).toBe(true);
    expect(parse({ headers: { Host: 'b.example' } })).toBe(false);
    expect(parse({ headers: { 'a b': 'x' } })).toBe(false);
    expect(parse({ url: 'https://a.example/?k={{secret:KEY}}' })).toBe(false);
    expect(parse({ body: { k: ['{{ secret:KEY }}'] } })).toBe(false);
    expect(parse({ inputs: { answers: 'hidden' } })).toBe(false);
  });
});

describe('secrets', () => {
  const secret = { url: '/', headers: { Authorization: 'Bearer {{secret:KEY}}' } };

  it('reach the server and nothing else, even when it sends them back', async () => {
    const forms = [CANARY, encodeURIComponent(CANARY), Buffer.from(CANARY).toString('base64')];
    reply = ({ headers }) => ({
      body: JSON.stringify({ you: headers.authorization, forms }),
      headers: { 'x-echo': headers.authorization ?? '' },
    });
    const outputs = await run(secret);
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${CANARY}`);
    expect(outputs.headers).toMatchObject({ 'x-echo': `Bearer ${'*'.repeat(CANARY.length)}` });
    const all = canonicalJson(outputs);
    for (const form of [...forms, JSON.stringify(CANARY).slice(1, -1)]) expect(all).not.toContain(form);
    reply = ({ headers }) => ({ status: 401, body: `bad key ${headers.authorization ?? ''}` });
    const thrown: unknown = await run(secret).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'http.failed', message: expect.stringContaining('bad key Bearer **') });
    expect(JSON.stringify(thrown)).not.toContain('canary');
  });

  it('are not given to an input that spells a placeholder', async () => {
    await run({ url: '/', headers: { 'X-Note': '{{ note }}' }, inputs: { note: 'text' } }, { note: '{{secret:KEY}}' });
    expect(seen[0]?.headers['x-note']).toBe('{{secret:KEY}}');
  });

  it('that are missing or have no proper name are told by name', async () => {
    await expect(run({ url: '/', headers: { A: '{{secret:OTHER}}' } })).rejects.toMatchObject({
      code: 'secret.missing',
    });
    await expect(run({ url: '/', headers: { A: '{{secret:lower}}' } })).rejects.toMatchObject({
      code: 'params.invalid',
    });
    expect(seen).toEqual([]);
  });

  it('and inputs cannot smuggle a further header in', async () => {
    const headers = { 'X-Note': '{{ note }}' };
    const sent = run({ url: '/', headers, inputs: { note: 'text' } }, { note: 'a\r\nX-Admin: 1' });
    await expect(sent).rejects.toMatchObject({ code: 'params.invalid' });
    expect(seen).toEqual([]);
  });
});
