import { ForgeError } from '@cua-forge/spec/errors';
import type { Request, RequestHandler, Response } from 'express';
import type { OidcLogin } from './oidc.ts';
import { type CookieSigner, cookieOf, SessionClaims, sessionCookie } from './session-cookie.ts';
import { hashOf, type TokenUser, type TokenUsers } from './token-users.ts';
import { localUser, setUser, type User, userOf } from './user.ts';

/** Who may enter, and how they prove it. */
export interface Access {
  tokens: TokenUsers;
  oidc: OidcLogin | null;
  signer: CookieSigner;
}

export const asksForLogin = ({ tokens, oidc }: Access): boolean => tokens.any || oidc !== null;

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Finds out who sends a request: by `Authorization: Bearer`, or by the session cookie. `GET …?token=` opens a session and redirects to
 * the same address without the token, for pages and event streams, which cannot set headers. Without any login configured, everybody is
 * the local operator. Whether the user may do what is asked is decided elsewhere.
 * @throws ForgeError `unauthorized` for credentials that are wrong
 */
export function authenticate(access: Access): RequestHandler {
  return async (request, response, next) => {
    if (!asksForLogin(access)) {
      setUser(request, localUser);
      next();
      return;
    }
    if (await redirectedWithSession(access, request, response)) return;
    const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const user = bearer === undefined ? await fromSession(access, request) : await fromBearer(access, bearer);
    if (user !== null) setUser(request, user);
    next();
  };
}

/** Refuses who has not logged in. */
export const usersOnly: RequestHandler = (request, _response, next) => {
  if (userOf(request) === null) throw needsLogin();
  next();
};

/** Refuses who is not an operator: for pages that are not this server's own. */
export const operatorsOnly: RequestHandler = (request, _response, next) => {
  const user = userOf(request);
  if (user === null) throw needsLogin();
  if (user.role !== 'operator') throw new ForgeError('forbidden', 'This page is for operators.');
  next();
};

export const needsLogin = (): ForgeError =>
  new ForgeError('unauthorized', 'This server asks for a login, and the request has none or one that has ended.', {
    fix: 'Send "Authorization: Bearer TOKEN" (the command line takes it from FORGE_TOKEN), or log in to the studio.',
  });

const wrongToken = (): ForgeError =>
  new ForgeError('unauthorized', 'Nobody here has this token.', {
    fix: 'Ask an operator for one: `forge users add NAME --role author` prints it.',
  });

async function fromBearer({ tokens, oidc }: Access, bearer: string): Promise<User> {
  const user = (await tokens.byToken(bearer)) ?? (await oidc?.userOfToken(bearer)) ?? null;
  if (user === null) throw wrongToken();
  return user;
}

async function fromSession({ tokens, signer }: Access, request: Request): Promise<User | null> {
  const claims = await signer.read('session', SessionClaims, cookieOf(request, sessionCookie));
  if (claims === null) return null;
  const { sub, via, role, proof } = claims;
  const user = via === 'oidc' ? { name: sub, role, via } : await tokens.byName(sub);
  if (user === null || (via === 'token' && (!('hash' in user) || proofOf(user.hash) !== proof))) return null;
  // A cookie goes along with every request that a browser makes; one that changes something must name the page it comes from.
  if (!safeMethods.has(request.method) && request.headers.origin === undefined) {
    throw new ForgeError('forbidden', 'A request with a session says nowhere which page it comes from.', {
      fix: 'Send it from the studio, or with "Authorization: Bearer TOKEN".',
    });
  }
  return user;
}

const proofOf = (hash: string): string => hashOf(`session ${hash}`).slice(0, 32);

export function setSession(request: Request, response: Response, value: string): void {
  response.cookie(sessionCookie, value, { httpOnly: true, sameSite: 'strict', path: '/', secure: request.secure });
}

/** Opens a session for the owner of a token. @throws ForgeError `unauthorized` */
export async function openSession(
  { tokens, signer }: Access,
  request: Request,
  response: Response,
  token: string,
): Promise<User> {
  const user: TokenUser | null = await tokens.byToken(token);
  if (user === null) throw wrongToken();
  const { name, role, hash } = user;
  setSession(request, response, await signer.session({ sub: name, via: 'token', role, proof: proofOf(hash) }));
  return { name, role, via: 'token' };
}

async function redirectedWithSession(access: Access, request: Request, response: Response): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  // An address that begins with two slashes would be one of another host, here and in the redirect.
  const address = new URL(request.originalUrl.replace(/^\/+/, '/'), 'http://server.invalid');
  const token = address.searchParams.get('token');
  if (token === null) return false;
  await openSession(access, request, response, token);
  address.searchParams.delete('token');
  response.redirect(303, `${address.pathname.replace(/^\/+/, '/')}${address.search}`);
  return true;
}
