import type { RequestHandler } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { ServerEnv } from '../load-env.ts';
import { withoutSession } from '../security/session-cookie.ts';

const mount = '/temporal';

/** Where people find the Temporal UI: under this server's own origin, at the cluster's address, or nowhere. */
export function temporalUiPath(env: Pick<ServerEnv, 'temporalUi' | 'temporalUiPublic'>): string | null {
  return env.temporalUi === undefined ? (env.temporalUiPublic?.replace(/\/+$/, '') ?? null) : mount;
}

/** Page of a workflow in the Temporal UI. */
export function workflowUrl(env: ServerEnv, workflowId: string): string | null {
  const base = temporalUiPath(env);
  return base === null
    ? null
    : `${base}/namespaces/${encodeURIComponent(env.temporal.namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}

/** Hands `/temporal/…` on to the Temporal UI, which serves itself under the same path. */
export function temporalUiProxy(target: string): RequestHandler {
  return createProxyMiddleware({
    target,
    pathFilter: (path) => path === mount || path.startsWith(`${mount}/`),
    changeOrigin: true,
    headers: { origin: new URL(target).origin },
    on: {
      proxyReq: (outgoing, request) => {
        // The UI has no use for this server's credentials; its own cookies pass.
        outgoing.removeHeader('authorization');
        const cookies = withoutSession(request.headers.cookie);
        if (cookies === '') outgoing.removeHeader('cookie');
        else outgoing.setHeader('cookie', cookies);
      },
      error: (_error, _request, response) => {
        if (!('writeHead' in response) || response.headersSent) {
          response.end();
          return;
        }
        response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' });
        response.end('The Temporal UI does not answer. It comes back with the Temporal server; reload the page then.');
      },
    },
  });
}
