import { randomBytes } from 'node:crypto';
import { ForgeError } from '@cua-forge/spec/errors';
import type { HookMade, HookRecord } from '@cua-forge/spec/hook';
import { listedAt } from '@cua-forge/spec/listed-at';
import { sha256 } from '@cua-forge/store/hash';
import { callHook, HookRate } from '../hooks/call-hook.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { keyOf } from '../http/idempotency.ts';
import { newId } from '../runs/start-run.ts';
import type { Services } from '../services.ts';

/** The same for a token that never was and for one that has ended. */
const noHook = () => new ForgeError('not-found', 'There is no such hook.', { fix: 'Ask its owner for its address.' });

export function hookRoutes(
  services: Services,
): HandlersOf<'createHook' | 'hooks' | 'rotateHook' | 'deleteHook' | 'callHook'> {
  const { store, now } = services;
  const rate = new HookRate();
  async function withToken(hook: HookRecord): Promise<HookMade> {
    const token = randomBytes(32).toString('base64url');
    await store.meta.saveHook(hook, sha256(token));
    return { hook, token, path: `/api/hooks/${token}` };
  }
  return {
    createHook: async ({ body, user }) => {
      if ((await store.meta.getDocument(body.documentId)) === null)
        throw new ForgeError('not-found', `There is no document "${body.documentId}".`, {
          fix: listedAt('documents'),
        });
      return withToken({ ...body, id: newId('h', undefined), by: user?.name ?? '', createdAt: now() });
    },
    hooks: async ({ query }) => ({ hooks: await store.meta.listHooks(query.limit) }),
    rotateHook: async ({ params: { id } }) => {
      const hook = await store.meta.findHook({ id });
      if (hook === null) throw noHook();
      return withToken(hook);
    },
    deleteHook: async ({ params: { id } }) => {
      if ((await store.meta.findHook({ id })) === null) throw noHook();
      await store.meta.deleteHook(id);
      return { ok: true };
    },
    callHook: async (call) => {
      const hook = await store.meta.findHook({ tokenHash: sha256(call.params.token) });
      if (hook === null) throw noHook();
      rate.take(hook, now());
      const key = keyOf(call);
      const { id, state } = await callHook(services, hook, {
        ...call.body,
        ...(key === null ? {} : { idempotencyKey: key }),
      });
      return { id, state };
    },
  };
}
