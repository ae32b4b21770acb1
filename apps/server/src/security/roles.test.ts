import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionView } from '@cua-forge/spec/api/access';
import { type ApiRoute, type Role, roleIncludes } from '@cua-forge/spec/api-route';
import { apiRoutes, routeNames } from '@cua-forge/spec/api-routes';
import { RunRecord } from '@cua-forge/spec/store-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, twoEchoes } from '../testing/test-server.ts';
import { hashOf } from './token-users.ts';

const file = join(tmpdir(), `forge-users-${process.pid}.json`);
const people = { vera: 'viewer', ann: 'author', ben: 'author', olga: 'operator' } as const;
type Person = keyof typeof people;
const tokenOf = (name: Person) => `token-of-${name}-0123456789`;
const bearer = (name: Person) => ({ authorization: `Bearer ${tokenOf(name)}` });
const writeUsers = (names: readonly Person[]) =>
  writeFile(
    file,
    JSON.stringify({
      users: names.map((name) => ({
        name,
        role: people[name],
        hash: hashOf(tokenOf(name)),
        createdAt: '2026-01-01T00:00:00Z',
      })),
    }),
  );
const everybody = Object.keys(people) as Person[];

let server: TestServer;
beforeAll(async () => {
  await writeUsers(everybody);
  server = await startTestServer({ env: { FORGE_TOKENS: file } });
});
afterAll(async () => {
  await server.stop();
  await rm(file, { force: true });
});

const as = (name: Person, method: string, path: string, body?: unknown) =>
  server.call(method, path, body, bearer(name));
const startAs = async (name: Person) =>
  RunRecord.parse((await as(name, 'POST', '/api/runs', { document: twoEchoes, inputs: { word: 'secret word' } })).body);

describe('every route', () => {
  const routes = routeNames.filter((name) => name !== 'events');
  const send = async (name: (typeof routes)[number], headers: Record<string, string>) => {
    const { method, path }: ApiRoute = apiRoutes[name];
    const address = `${server.url}/api${path.replace(/:\w+/g, 'none')}`;
    return (await fetch(address, { method, headers: { origin: server.url, ...headers } })).status;
  };

  it.each(routes)('%s lets in whom the table names', async (name) => {
    const { role }: ApiRoute = apiRoutes[name];
    const nobody = await send(name, {});
    if (role !== 'anyone') expect(nobody).toBe(401);
    else expect(nobody).not.toBe(401);
    for (const person of everybody) {
      const status = await send(name, bearer(person));
      const has: Role = people[person];
      if (role !== 'anyone' && !roleIncludes(has, role)) expect(status, person).toBe(403);
      else if (!('own' in apiRoutes[name])) expect([401, 403], person).not.toContain(status);
    }
  });
});

describe('runs', () => {
  it('are retried and cancelled by who started them, and by operators', async () => {
    const { id } = await startAs('ann');
    expect(await as('ben', 'POST', `/api/runs/${id}/cancel`)).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden', message: expect.stringContaining(id) } },
    });
    expect((await as('ann', 'POST', `/api/runs/${id}/cancel`)).status).toBe(200);
    expect((await as('olga', 'POST', `/api/runs/${id}/cancel`)).status).toBe(200);
  });

  it('are approved in the name of the user, whatever the body says', async () => {
    const { id } = await startAs('ann');
    const body = { key: 'first', decision: 'approve', by: 'somebody else' };
    expect((await as('ann', 'POST', `/api/runs/${id}/approve`, body)).status).toBe(403);
    expect((await as('olga', 'POST', `/api/runs/${id}/approve`, body)).status).toBe(200);
    expect(server.engine.approvals.at(-1)?.command).toMatchObject({ by: 'olga' });
  });

  it('of two users with one idempotency key are two', async () => {
    const start = async (name: Person) => {
      const request = { document: twoEchoes, inputs: { word: 'a' } };
      const headers = { ...bearer(name), 'idempotency-key': 'same' };
      return RunRecord.parse((await server.call('POST', '/api/runs', request, headers)).body).id;
    };
    const [first, other, again] = [await start('ann'), await start('ben'), await start('ann')];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe('the audit trail', () => {
  it('says who did what, without values', async () => {
    const { id } = await startAs('ann');
    await as('olga', 'POST', `/api/runs/${id}/cancel`);
    await as('ann', 'POST', '/api/runs', { documentId: 'none' });
    const { body } = await as('olga', 'GET', `/api/audit?target=${id}`);
    expect(body).toMatchObject({
      entries: [
        { user: 'olga', action: 'run.cancel', target: id, detail: '' },
        { user: 'ann', action: 'run.start', target: id, detail: 'seed=1 mode=interactive' },
      ],
      next: null,
    });
    const all = JSON.stringify((await as('olga', 'GET', '/api/audit?limit=1000')).body);
    expect(all).toContain('"action":"run.start"');
    expect(all).not.toContain('secret word');
    expect(all).not.toContain('token-of');
  });

  it('goes on from a cursor', async () => {
    await startAs('ann');
    await startAs('ben');
    const first = (await as('olga', 'GET', '/api/audit?limit=1')).body;
    expect(first).toMatchObject({ entries: [{ user: 'ben' }], next: expect.any(String) });
    const { next } = first as { next: string };
    expect((await as('olga', 'GET', `/api/audit?limit=1&cursor=${next}`)).body).toMatchObject({
      entries: [{ user: 'ann' }],
    });
  });
});

describe('a session', () => {
  const open = async (name: Person) => {
    const response = await fetch(`${server.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify({ token: tokenOf(name) }),
    });
    return {
      view: SessionView.parse(await response.json()),
      header: response.headers.get('set-cookie') ?? '',
      cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    };
  };

  it('is opened with a token and kept in a cookie that scripts cannot read', async () => {
    expect((await server.call('GET', '/api/session')).body).toEqual({
      user: null,
      logins: { token: true, oidc: false },
    });
    const { view, header, cookie } = await open('ann');
    expect(view.user).toEqual({ name: 'ann', role: 'author', via: 'token' });
    expect(header).toMatch(/HttpOnly/);
    expect(header).toMatch(/SameSite=Strict/);
    expect(header).not.toContain(tokenOf('ann'));
    expect((await server.call('GET', '/api/session', undefined, { cookie })).body).toMatchObject({
      user: { name: 'ann' },
    });
    const forged = `${cookie.slice(0, -4)}AAAA`;
    expect((await server.call('GET', '/api/kinds', undefined, { cookie: forged })).status).toBe(401);
  });

  it('changes nothing for a page that does not say where it comes from', async () => {
    const { cookie } = await open('ann');
    const start = (headers: Record<string, string>) =>
      server.call('POST', '/api/runs', { document: twoEchoes, inputs: { word: 'a' } }, { cookie, ...headers });
    expect((await start({})).status).toBe(403);
    expect((await start({ origin: 'http://evil.example' })).status).toBe(403);
    expect((await start({ origin: server.url })).status).toBe(201);
  });

  it('ends when its cookie is given back, and when its token is taken away', async () => {
    const { cookie } = await open('ben');
    const closed = await fetch(`${server.url}/api/session`, {
      method: 'DELETE',
      headers: { origin: server.url, cookie },
    });
    expect(closed.headers.get('set-cookie')).toMatch(/forge_session=;.*Expires=Thu, 01 Jan 1970/);
    expect((await server.call('GET', '/api/kinds', undefined, { cookie })).status).toBe(200);
    await writeUsers(everybody.filter((name) => name !== 'ben'));
    expect((await server.call('GET', '/api/kinds', undefined, { cookie })).status).toBe(401);
    expect((await as('ben', 'GET', '/api/kinds')).status).toBe(401);
    await writeUsers(everybody);
  });

  it('is refused for a wrong token, and a damaged file of users lets nobody in', async () => {
    expect((await server.call('POST', '/api/session', { token: 'guess' }, { origin: server.url })).status).toBe(401);
    await writeFile(file, '{"users": [');
    expect((await as('olga', 'GET', '/api/kinds')).status).toBe(500);
    await writeUsers(everybody);
    expect((await as('olga', 'GET', '/api/kinds')).status).toBe(200);
  });
});
