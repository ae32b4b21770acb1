import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { ForgeError } from '@cua-forge/spec/errors';
import type { RequestHandler } from 'express';

interface HostRules {
  host: string;
  /** Whether everybody has to log in. */
  login: boolean;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
}

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);
const wildcard: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Host name of a `Host` header, without port and brackets, in lower case; null when it is malformed. */
export function hostNameOf(header: string | undefined): string | null {
  if (header === undefined || !URL.canParse(`http://${header}`)) return null;
  const { hostname, username, password, pathname } = new URL(`http://${header}`);
  if (username !== '' || password !== '' || pathname !== '/') return null;
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

/** `refuseForeign` for every request. */
export function checkHostAndOrigin(rules: HostRules): RequestHandler {
  const refuse = refuseForeign(rules);
  return (request, _response, next) => {
    refuse(request.headers);
    next();
  };
}

/**
 * Refuses requests that a foreign page could have made a browser send: the `Host` must be one of the server's own names (a rebound
 * DNS name is not), and an `Origin`, where there is one, must be that same host or an allowed one.
 * @throws ForgeError `forbidden`
 */
export function refuseForeign(rules: HostRules): (headers: IncomingHttpHeaders) => void {
  const names = new Set([
    ...loopback,
    rules.host.toLowerCase(),
    ...rules.allowedHosts.map((name) => name.toLowerCase()),
  ]);
  const origins = new Set(rules.allowedOrigins);
  // A browser sends an IP address as Host only when the page was opened by that address, which no DNS answer can fake.
  const anyAddress = rules.login && wildcard.has(rules.host);

  return ({ host, origin }) => {
    const name = hostNameOf(host);
    if (name === null || !(names.has(name) || (anyAddress && isIP(name) !== 0))) {
      throw new ForgeError('forbidden', `This server does not answer to the host name ${JSON.stringify(host ?? '')}.`, {
        fix: 'Use http://127.0.0.1, or add the name to FORGE_ALLOWED_HOSTS.',
      });
    }
    if (origin !== undefined && !origins.has(origin) && origin !== `http://${host}` && origin !== `https://${host}`) {
      throw new ForgeError('forbidden', `Pages of ${JSON.stringify(origin)} may not call this server.`, {
        fix: "Open the studio at the server's own address, or add the origin to FORGE_ALLOWED_ORIGINS.",
      });
    }
  };
}
