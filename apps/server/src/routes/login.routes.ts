import { ForgeError } from '@cua-forge/spec/errors';
import { type Request, type RequestHandler, Router } from 'express';
import { type Access, setSession } from '../security/authenticate.ts';
import { LoginState } from '../security/oidc.ts';
import { cookieOf, loginCookie } from '../security/session-cookie.ts';
import type { User } from '../security/user.ts';

const callback = '/auth/callback';

/** A page that goes on to the studio by itself. A redirect would not do: the browser sends no strict cookie after one from another site. */
const onward = (to: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>CUA Forge</title>
<meta http-equiv="refresh" content="0;url=${to}">
<p>You are logged in. <a href="${to}">Go on to the studio</a></p>
</html>
`;

/** A path of this server that is safe inside HTML; `/` for everything else. */
const ownPath = (text: unknown): string =>
  typeof text === 'string' && /^\/(?!\/)[A-Za-z0-9/_.~-]*$/.test(text) ? text : '/';

interface LoginOptions {
  /** Where browsers reach the server; by default the address that they used. */
  publicUrl: string | undefined;
  onLogin(user: User): Promise<void>;
}

/** Pages that take a browser to the issuer and back. */
export function loginRoutes({ oidc, signer }: Access, { publicUrl, onLogin }: LoginOptions): Router {
  const router = Router();
  if (oidc === null) return router;
  const baseOf = (request: Request): string => publicUrl ?? `${request.protocol}://${request.headers.host}`;

  const begin: RequestHandler = async (request, response) => {
    const redirect = new URL(callback, baseOf(request)).href;
    const { address, login } = await oidc.begin(redirect, ownPath(request.query.to));
    // Lax: the issuer, which is another site, sends the browser back with it.
    response.cookie(loginCookie, await signer.sign('login', login, '10m'), {
      httpOnly: true,
      sameSite: 'lax',
      path: '/auth',
      secure: request.secure,
    });
    response.redirect(303, address);
  };
  const finish: RequestHandler = async (request, response) => {
    const login = await signer.read('login', LoginState, cookieOf(request, loginCookie));
    response.clearCookie(loginCookie, { path: '/auth' });
    if (login === null) {
      throw new ForgeError('unauthorized', 'This login was not begun in this browser, or too long ago.', {
        fix: 'Open the studio and log in again.',
      });
    }
    const back = new URL(request.originalUrl, login.redirect);
    const user = await oidc.finish(new URL(`${login.redirect}${back.search}`), login);
    setSession(request, response, await signer.session({ sub: user.name, via: 'oidc', role: user.role }));
    await onLogin(user);
    response.setHeader('Cache-Control', 'no-store');
    response.type('html').send(onward(login.to));
  };
  router.get('/auth/login', begin);
  router.get(callback, finish);
  return router;
}
