import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { HttpRequest } from '@cua-forge/spec/http-port';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseAllowList } from './allow-list.ts';
import { AllowedHttp } from './allowed-http.ts';

let server: Server;
let port = 0;
let seen: { path: string; method: string; headers: IncomingMessage['headers']; body: string }[] = [];

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const url = new URL(incoming.url ?? '/', 'http://here');
  const body = Buffer.concat(chunks).toString();
  seen.push({ path: url.pathname, method: incoming.method ?? '', headers: incoming.headers, body });
  const to = url.searchParams.get('to');
  if (to !== null) outgoing.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end();
  else if (url.pathname === '/big') outgoing.end('x'.repeat(5_000));
  else if (url.pathname === '/bomb')
    outgoing.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000)));
  else if (url.pathname === '/zipped')
    outgoing.writeHead(200, { 'content-encoding': 'gzip', 'set-cookie': 'id=1' }).end(gzipSync('unpacked'));
  else if (url.pathname === '/torn')
    outgoing.writeHead(200, { 'content-length': '100' }).write('half', () => outgoing.destroy());
  else if (url.pathname !== '/slow') outgoing.writeHead(url.pathname === '/no' ? 404 : 200).end('hello');
}

beforeAll(async () => {
  server = createServer((incoming, outgoing) => void answer(incoming, outgoing).catch(() => outgoing.destroy()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
beforeEach(() => {
  seen = [];
});

const names = async () => [{ address: '127.0.0.1', family: 4 }];
/** Names lead to this machine, and the list has its address besides the names. */
const http = (list = `127.0.0.1:${port} a.example:* b.example:*`, resolve = names) =>
  new AllowedHttp(parseAllowList(list), resolve);
const request = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url: url.replace('PORT', String(port)),
  headers: {},
  secretHeaders: {},
  body: null,
  timeoutMs: 5_000,
  maxBytes: 1_000_000,
  maxRedirects: 3,
  ...more,
});
const send = (url: string, more: Partial<HttpRequest> = {}, signal = new AbortController().signal) =>
  http().request(request(url, more), signal);
const text = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

describe('an allowed host', () => {
  it('gets what is sent, and its answer comes back whatever the status', async () => {
    const body = Buffer.from('{"n":1}');
    const sent = await send('http://a.example:PORT/no?x=1', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(sent).toMatchObject({ status: 404, url: `http://a.example:${port}/no?x=1` });
    expect(text(sent)).toBe('hello');
    expect(seen[0]).toMatchObject({
      method: 'POST',
      body: '{"n":1}',
      headers: { host: `a.example:${port}`, 'content-length': '7' },
    });
  });

  it('may pack its answer; cookies are left out', async () => {
    const zipped = await send('http://127.0.0.1:PORT/zipped');
    expect(text(zipped)).toBe('unpacked');
    expect(zipped.headers).not.toHaveProperty('set-cookie');
  });

  it.each(['/big', '/bomb'])('may not answer with more than is wanted: %s', async (path) => {
    const answered = send(`http://a.example:PORT${path}`, { maxBytes: 4_999 });
    await expect(answered).rejects.toMatchObject({ code: 'http.too-large' });
  });

  it('that is late, breaks off, or is not there is unavailable', async () => {
    await expect(send('http://a.example:PORT/slow', { timeoutMs: 150 })).rejects.toMatchObject({
      code: 'http.unavailable',
    });
    await expect(send('http://a.example:PORT/torn')).rejects.toMatchObject({ code: 'http.unavailable' });
    await expect(send('http://a.example:1/')).rejects.toMatchObject({
      code: 'http.unavailable',
      message: 'http://a.example:1 cannot be reached: ECONNREFUSED.',
    });
  });

  it('is left when the work is cancelled', async () => {
    const stop = new AbortController();
    const waiting = send('http://a.example:PORT/slow', {}, stop.signal);
    while (seen.length === 0) await new Promise((next) => setTimeout(next, 5));
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'node.cancelled' });
  });
});

describe('what is refused', () => {
  it.each([
    ['http://other.example:PORT/', /does not allow requests to other\.example/],
    ['http://127.0.0.1:1/', /does not allow/],
    ['http://0x7f.1:PORT/', undefined],
    ['http://[::1]:PORT/', /does not allow/],
    ['file:///etc/passwd', /no http or https/],
    ['gopher://a.example/', /no http or https/],
    ['not an address', /no http or https/],
    ['http://user:word@a.example:PORT/', /holds a user or a password/],
  ])('%s', async (url, message) => {
    if (message === undefined) {
      // Another spelling of the address that is on the list.
      expect((await send(url)).status).toBe(200);
      return;
    }
    await expect(send(url)).rejects.toMatchObject({ code: 'http.refused', message: expect.stringMatching(message) });
    expect(seen).toEqual([]);
  });

  it('a name that leads into the own network', async () => {
    const strict = http('a.example:*');
    await expect(strict.request(request('http://a.example:PORT/'), new AbortController().signal)).rejects.toMatchObject(
      {
        code: 'http.refused',
        message: 'a.example leads to an address that is not on the public internet.',
      },
    );
    expect(seen).toEqual([]);
  });

  it('a name that answers differently the second time: the connection goes to the address that was checked', async () => {
    let asked = 0;
    const rebinding = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    const response = await http(undefined, rebinding).request(
      request('http://a.example:PORT/'),
      new AbortController().signal,
    );
    expect(response.status).toBe(200);
    expect(asked).toBe(1);
    const mixed = async () => [
      { address: '10.0.0.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    expect(
      (await http(undefined, mixed).request(request('http://a.example:PORT/'), new AbortController().signal)).status,
    ).toBe(200);
  });

  it('a secret in clear over the internet', async () => {
    const outside = http('a.example', async () => [{ address: '93.184.216.34', family: 4 }]);
    const secretHeaders = { authorization: 'Bearer canary' };
    const sent = outside.request(request('http://a.example/', { secretHeaders }), new AbortController().signal);
    await expect(sent).rejects.toMatchObject({ code: 'http.refused', message: expect.not.stringContaining('canary') });
  });
});

describe('redirects', () => {
  it('are followed, and checked again', async () => {
    expect(text(await send('http://a.example:PORT/?to=/again'))).toBe('hello');
    expect(seen.map(({ path }) => path)).toEqual(['/', '/again']);
    await expect(send('http://a.example:PORT/?to=http://169.254.169.254/latest')).rejects.toMatchObject({
      code: 'http.refused',
    });
    await expect(send('http://a.example:PORT/?to=file:///etc/passwd')).rejects.toMatchObject({ code: 'http.refused' });
  });

  it('end', async () => {
    await expect(send('http://a.example:PORT/?to=?to=')).rejects.toMatchObject({
      code: 'http.refused',
      message: expect.stringContaining('more than 3 times'),
    });
    expect((await send('http://a.example:PORT/?to=/again', { maxRedirects: 0 })).status).toBe(302);
  });

  it('take secrets to the same origin alone', async () => {
    const secrets = { secretHeaders: { 'x-key': 'canary' }, headers: { cookie: 'c', accept: 'text/plain' } };
    await send('http://a.example:PORT/?to=/same', secrets);
    await send(`http://a.example:PORT/?to=${encodeURIComponent(`http://b.example:${port}/other`)}`, secrets);
    const [, same, , other] = seen;
    expect(same?.headers).toMatchObject({ 'x-key': 'canary', cookie: 'c', accept: 'text/plain' });
    expect(other?.headers).toMatchObject({ accept: 'text/plain', host: `b.example:${port}` });
    expect(other?.headers).not.toHaveProperty('x-key');
    expect(other?.headers).not.toHaveProperty('cookie');
  });

  it('turn POST into GET, but for 307 and 308', async () => {
    const post = { method: 'POST' as const, body: Buffer.from('x'), headers: { 'content-type': 'text/plain' } };
    await send('http://a.example:PORT/?to=/see&status=303', post);
    await send('http://a.example:PORT/?to=/keep&status=307', post);
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ['POST', 'x'],
      ['GET', ''],
      ['POST', 'x'],
      ['POST', 'x'],
    ]);
  });
});
