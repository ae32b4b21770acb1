import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Request, RequestHandler } from 'express';

const cookieName = 'forge_session';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const equal = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

function cookieOf(request: Request): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=', 2);
    if (name === cookieName) return value;
  }
  return undefined;
}

/** A `Cookie` header without this server's session. */
export function withoutSession(header: string | undefined): string {
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith(`${cookieName}=`))
    .join('; ');
}

/**
 * With a token, every request needs `Authorization: Bearer`, or the session cookie that `GET …?token=` sets before it redirects to the
 * same address without the token (so that pages and event streams, which cannot set headers, work). Without one, everybody may enter:
 * the server then listens on the loopback address only.
 */
export function requireSession(token: string | undefined): RequestHandler {
  if (token === undefined) return (_request, _response, next) => next();
  const session = createHmac('sha256', token).update('forge studio session').digest('base64url');

  return (request, response, next) => {
    const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer !== undefined && equal(bearer, token)) {
      next();
      return;
    }
    // An address that begins with two slashes would be one of another host, here and in the redirect.
    const address = new URL(request.originalUrl.replace(/^\/+/, '/'), 'http://server.invalid');
    const offered = address.searchParams.get('token');
    if (offered !== null && (request.method === 'GET' || request.method === 'HEAD') && equal(offered, token)) {
      address.searchParams.delete('token');
      response.cookie(cookieName, session, { httpOnly: true, sameSite: 'strict', path: '/', secure: request.secure });
      response.redirect(303, `${address.pathname.replace(/^\/+/, '/')}${address.search}`);
      return;
    }
    const cookie = cookieOf(request);
    if (cookie !== undefined && equal(cookie, session)) {
      next();
      return;
    }
    throw new ForgeError('unauthorized', 'This server asks for a token, and the request has none or a wrong one.', {
      fix: 'Send "Authorization: Bearer <FORGE_TOKEN>", or open the studio once with ?token=<FORGE_TOKEN>.',
    });
  };
}
