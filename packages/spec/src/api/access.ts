import { z } from 'zod';
import { AuditEntry } from '../access-port.ts';
import { Role } from '../api-route.ts';

/** GET /api/session: who asks, and which logins there are. `user` is null for somebody who has not logged in. */
export const SessionView = z.strictObject({
  user: z.strictObject({ name: z.string(), role: Role, via: z.enum(['local', 'token', 'oidc']) }).nullable(),
  logins: z.strictObject({ token: z.boolean(), oidc: z.boolean() }),
});
export type SessionView = z.infer<typeof SessionView>;

/** POST /api/session */
export const OpenSession = z.strictObject({ token: z.string().min(1).max(1000) });

/** GET /api/audit?user=&action=&target=&limit=&cursor= */
export const AuditList = z.strictObject({ entries: z.array(AuditEntry), next: z.string().nullable() });
