import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

/** Accounts of the issuer: the name typed at its login, and the roles it gives. */
const accounts: Readonly<Record<string, string[]>> = { ann: ['author'], olga: ['viewer', 'operator'], nobody: [] };

let issuer: Server;
let issuerUrl: string;
let server: TestServer;
let signingKey: CryptoKey;

beforeAll(async () => {
  const keys = await generateKeyPair('ES256', { extractable: true });
  signingKey = keys.privateKey;
  issuer = createServer();
  issuer.listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  const address = issuer.address();
  issuerUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  server = await startTestServer({ env: { FORGE_OIDC_ISSUER: issuerUrl, FORGE_OIDC_CLIENT_ID: 'forge' } });
  const provider = new Provider(issuerUrl, {
    clients: [
      {
        client_id: 'forge',
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: [`${server.url}/auth/callback`],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), alg: 'ES256', use: 'sig', kid: 'k' }] },
    cookies: { keys: ['of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['roles'] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@example.com`, email_verified: true, roles: accounts[sub] ?? [] }),
    }),
  });
  provider.on('server_error', (_context, error) => console.error(error));
  issuer.on('request', provider.callback());
});
afterAll(async () => {
  await server?.stop();
  issuer?.closeAllConnections();
  issuer?.close();
});

/** A browser that keeps cookies by origin and follows redirects as far as it is told. */
class Browser {
  readonly #jar = new Map<string, Map<string, string>>();

  cookie(origin: string, name: string): string | undefined {
    return this.#jar.get(origin)?.get(name);
  }

  async go(
    address: string,
    form?: Record<string, string>,
  ): Promise<{ status: number; location: string | null; text: string }> {
    const { origin } = new URL(address);
    const jar = this.#jar.get(origin) ?? new Map<string, string>();
    this.#jar.set(origin, jar);
    const response = await fetch(address, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    return {
      status: response.status,
      location: location === null ? null : new URL(location, address).href,
      text: await response.text(),
    };
  }

  /** Logs in at the issuer's own pages; answers with the address it sends the browser back to. */
  async logIn(name: string, from = `${server.url}/auth/login?to=/runs`): Promise<string> {
    let { location } = await this.go(from);
    for (let step = 0; step < 12 && location !== null; step += 1) {
      if (location.startsWith(`${server.url}/auth/callback`)) return location;
      if (!location.includes('/interaction/')) {
        location = (await this.go(location)).location;
        continue;
      }
      const page = await this.go(location);
      const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1] ?? '';
      location = (await this.go(location, { prompt, login: name, password: 'any' })).location;
    }
    throw new Error(`The issuer did not send the browser back; it went to ${location}.`);
  }
}

const sessionOf = (browser: Browser) => ({
  cookie: `forge_session=${browser.cookie(server.url, 'forge_session') ?? ''}`,
  origin: server.url,
});

describe('a login through an issuer', () => {
  it('opens a session with the role that the issuer gives, and goes on to the page that was wanted', async () => {
    const browser = new Browser();
    const page = await browser.go(await browser.logIn('ann'));
    expect(page.status).toBe(200);
    expect(page.text).toContain('url=/runs');
    const { body } = await server.call('GET', '/api/session', undefined, sessionOf(browser));
    expect(body).toEqual({
      user: { name: 'oidc:ann@example.com', role: 'author', via: 'oidc' },
      logins: { token: false, oidc: true },
    });
    expect((await server.call('GET', '/api/audit', undefined, sessionOf(browser))).status).toBe(403);
  });

  it('takes the strongest role, and leaves a line in the audit trail', async () => {
    const browser = new Browser();
    await browser.go(await browser.logIn('olga'));
    const { body } = await server.call('GET', '/api/audit', undefined, sessionOf(browser));
    expect(body).toMatchObject({
      entries: [{ user: 'oidc:olga@example.com', action: 'session.open', detail: 'oidc' }, {}],
    });
  });

  it('refuses somebody without a role', async () => {
    const browser = new Browser();
    const page = await browser.go(await browser.logIn('nobody'));
    expect(page.status).toBe(403);
    expect(page.text).toContain('roles');
    expect(browser.cookie(server.url, 'forge_session')).toBeUndefined();
  });

  it('refuses a code that comes to another browser, with another state, or a second time', async () => {
    const [browser, other] = [new Browser(), new Browser()];
    const back = await browser.logIn('ann');
    expect((await other.go(back)).status).toBe(401);
    const state = new URL(back);
    state.searchParams.set('state', 'another');
    expect((await browser.go(state.href)).status).toBe(401);
    expect((await browser.go(back)).status).toBe(401);
  });

  it('goes to no other site afterwards', async () => {
    const browser = new Browser();
    const from = `${server.url}/auth/login?to=${encodeURIComponent('//evil.example/"><script>')}`;
    expect((await browser.go(await browser.logIn('ann', from))).text).toContain('url=/"');
  });
});

describe('a signed token', () => {
  const token = (claims: Record<string, unknown>, key = signingKey) =>
    new SignJWT({ iss: issuerUrl, aud: 'forge', sub: 'script', roles: 'author', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuedAt()
      .setExpirationTime(claims.exp === undefined ? '5m' : Number(claims.exp))
      .sign(key);
  const ask = async (bearer: string) =>
    server.call('GET', '/api/session', undefined, { authorization: `Bearer ${bearer}` });

  it('of the issuer for this server lets a script in', async () => {
    expect(await ask(await token({}))).toMatchObject({
      status: 200,
      body: { user: { name: 'oidc:script', role: 'author', via: 'oidc' } },
    });
  });

  it('of anybody else, for another audience, or that has ended, does not', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const past = Math.floor(Date.now() / 1000) - 60;
    for (const wrong of [
      await token({}, privateKey),
      await token({ aud: 'other' }),
      await token({ iss: 'https://evil.example' }),
      await token({ exp: past }),
      'a.b.c',
    ])
      expect((await ask(wrong)).status).toBe(401);
    expect((await ask(await token({ roles: 'admin' }))).status).toBe(403);
  });
});
