import { ForgeError } from '@cua-forge/spec/errors';
import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { asksForLogin, openSession } from '../security/authenticate.ts';
import { sessionCookie } from '../security/session-cookie.ts';
import type { User } from '../security/user.ts';
import type { Services } from '../services.ts';

type Names = 'session' | 'openSession' | 'closeSession' | 'audit';

export function accessRoutes({ access, store, now }: Services): HandlersOf<Names> {
  const viewOf = (user: User | null) => ({
    user: user === null ? null : { name: user.name, role: user.role, via: user.via },
    logins: { token: access.tokens.any, oidc: access.oidc !== null },
  });
  return {
    session: async ({ user }) => viewOf(user),

    openSession: async ({ body, request, response }) => {
      if (!asksForLogin(access)) {
        throw new ForgeError('input.invalid', 'This server asks for no login.', { fix: 'Go on without one.' });
      }
      const user = await openSession(access, request, response, body.token);
      await store.meta.addAudit({ at: now(), user: user.name, action: 'session.open', target: '', detail: user.via });
      return viewOf(user);
    },

    closeSession: async ({ response }) => {
      response.clearCookie(sessionCookie, { path: '/' });
      return { ok: true };
    },

    audit: async ({ query: { limit, cursor, ...filter } }) => {
      const before = cursor === undefined ? undefined : Number(cursor);
      const entries = await store.meta.listAudit({ ...given({ ...filter, before }), limit });
      const last = entries.at(-1);
      return { entries, next: last !== undefined && entries.length === limit ? String(last.id) : null };
    },
  };
}
