import { type ApiRoute, roleIncludes } from '@cua-forge/spec/api-route';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Services } from '../services.ts';
import { needsLogin } from './authenticate.ts';
import type { User } from './user.ts';

/** @throws ForgeError `unauthorized`, `forbidden` */
export async function refuseUnlessAllowed(
  { store }: Pick<Services, 'store'>,
  { role, own, method, path }: ApiRoute,
  user: User | null,
  id: string,
): Promise<void> {
  if (role === 'anyone') return;
  if (user === null) throw needsLogin();
  if (!roleIncludes(user.role, role)) {
    throw new ForgeError('forbidden', `${method} /api${path} takes the role ${role}; ${user.name} is ${user.role}.`, {
      fix: 'Ask an operator to do it, or for another role.',
    });
  }
  if (own !== true || user.role === 'operator') return;
  const [start] = await store.meta.listAudit({ action: 'run.start', target: id, limit: 1 });
  if (start?.user === user.name) return;
  throw new ForgeError('forbidden', `Run "${id}" is not one that ${user.name} started.`, {
    fix: 'Ask an operator, or start a run of your own.',
  });
}
