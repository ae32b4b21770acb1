import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { hostNameOf } from './allowed-hosts.ts';

let server: TestServer;
afterEach(() => server?.stop());

/** A request whose Host header is what the test wants: fetch would not let it. */
function raw(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}${path}`, { headers, method }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

describe('host and origin', () => {
  it('answers to its own names only', async () => {
    server = await startTestServer({ env: { FORGE_ALLOWED_HOSTS: 'forge.example' } });
    const port = new URL(server.url).port;
    expect((await raw('/api/kinds', { host: `localhost:${port}` })).status).toBe(200);
    expect((await raw('/api/kinds', { host: `[::1]:${port}` })).status).toBe(200);
    expect((await raw('/api/kinds', { host: 'FORGE.example' })).status).toBe(200);
    for (const host of ['evil.example', `127.0.0.1.evil.example:${port}`, 'localhost@evil.example', '10.0.0.1']) {
      expect((await raw('/api/kinds', { host })).status, host).toBe(403);
    }
  });

  it('refuses pages of other origins, the opaque one too', async () => {
    server = await startTestServer({ env: { FORGE_ALLOWED_ORIGINS: 'http://localhost:5173' } });
    const own = server.url;
    expect((await raw('/api/kinds', { origin: own })).status).toBe(200);
    expect((await raw('/api/kinds', { origin: 'http://localhost:5173' })).status).toBe(200);
    for (const origin of ['http://evil.example', 'null', `${own}.evil.example`, 'http://127.0.0.1']) {
      expect((await raw('/api/runs', { origin }, 'POST')).status, origin).toBe(403);
      expect((await raw('/', { origin })).status, origin).toBe(403);
    }
  });

  it('reads host names as a browser does', () => {
    expect(hostNameOf('LOCALHOST:80')).toBe('localhost');
    expect(hostNameOf('[::1]:7400')).toBe('::1');
    expect(hostNameOf('a/b')).toBeNull();
    expect(hostNameOf(undefined)).toBeNull();
  });
});

describe('token', () => {
  const token = 'a-long-enough-secret';

  it('is asked for everywhere but on the pages of the studio, and accepted as a bearer', async () => {
    server = await startTestServer({ env: { FORGE_TOKEN: token } });
    for (const path of ['/api/health', '/api/events', '/temporal/']) {
      expect((await raw(path, {})).status, path).toBe(401);
      expect((await raw(path, { authorization: 'Bearer wrong-secret-000' })).status, path).toBe(401);
    }
    expect((await raw('/', {})).status).toBe(503);
    expect((await raw('/api/health', { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it('is exchanged for a session that works without it', async () => {
    server = await startTestServer({ env: { FORGE_TOKEN: token } });
    const exchange = await raw(`/api/events?token=${token}&run=r`, {});
    expect(exchange.status).toBe(303);
    expect(exchange.headers.location).toBe('/api/events?run=r');
    const cookie = exchange.headers['set-cookie']?.[0] ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    expect(cookie).not.toContain(token);
    const session = cookie.split(';')[0] ?? '';
    expect((await raw('/api/kinds', { cookie: session })).status).toBe(200);
    expect((await raw('/api/kinds', { cookie: `${session}x` })).status).toBe(401);
    expect((await raw(`//evil.example/?token=${token}`, {})).headers.location).toBe('/evil.example/');
    expect((await raw(`/.//evil.example/?token=${token}`, {})).headers.location).toBe('/evil.example/');
    expect((await raw('/?token=wrong', {})).status).toBe(401);
  });
});

describe('pages', () => {
  it('say how to build the studio, and serve it under a strict policy when it is built', async () => {
    server = await startTestServer();
    const missing = await fetch(`${server.url}/`);
    expect(missing.status).toBe(503);
    expect(await missing.text()).toContain('npm start');

    await mkdir(join(server.folder, 'dist', 'assets'), { recursive: true });
    await writeFile(join(server.folder, 'dist', 'index.html'), '<p>studio</p>');
    await writeFile(join(server.folder, 'dist', 'assets', 'app-1.js'), '1');
    for (const path of ['/', '/runs/r1']) {
      const page = await fetch(`${server.url}${path}`, { headers: { accept: 'text/html' } });
      expect(await page.text()).toBe('<p>studio</p>');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      expect(page.headers.get('link')).toBeNull();
    }
    await writeFile(join(server.folder, 'dist', '.preloads.json'), JSON.stringify({ runs: ['/api/runs/:id'] }));
    const told = await fetch(`${server.url}/runs/r1`, { headers: { accept: 'text/html' } });
    expect(told.headers.get('link')).toBe('</api/runs/r1>; rel=preload; as=fetch; crossorigin');
    expect((await fetch(`${server.url}/assets/app-1.js`)).headers.get('cache-control')).toContain('immutable');
    expect((await fetch(`${server.url}/assets/gone.js`)).status).toBe(404);
    expect((await fetch(`${server.url}/%2e%2e/store/forge.sqlite`)).headers.get('content-type')).toContain('text/html');
    expect((await server.call('GET', '/api/nothing')).status).toBe(404);
  });
});
