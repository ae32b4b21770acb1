import { Done, SetPin } from '@cua-forge/spec/api';
import { NodeId } from '@cua-forge/spec/document';
import { ValueRef } from '@cua-forge/spec/value';
import { Router } from 'express';
import { z } from 'zod';
import { readDocument } from '../documents/read-document.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { storeValue } from '../runs/store-value.ts';
import type { Services } from '../services.ts';

/** Node path → port → the pinned value. */
const PinList = z.record(z.string(), z.record(z.string(), ValueRef));

export function pinRoutes({ store, kinds }: Services): Router {
  const router = Router();

  router.get(
    '/documents/:id/pins',
    endpoint(PinList, (request) => store.meta.listPins(read(z.object({ id: NodeId }), request.params, 'path').id)),
  );

  router.put(
    '/documents/:id/pins/:key',
    endpoint(Done, async (request) => {
      const { id, key } = read(z.object({ id: NodeId, key: z.string().min(1) }), request.params, 'path');
      const { outputs } = read(SetPin, request.body, 'body');
      await readDocument(store.meta, kinds, id);
      if (outputs === null) {
        await store.meta.setPin(id, key, null);
        return { ok: true as const };
      }
      const stored: Record<string, ValueRef> = {};
      for (const [port, value] of Object.entries(outputs)) stored[port] = await storeValue(store.artifacts, value);
      await store.meta.setPin(id, key, stored);
      return { ok: true as const };
    }),
  );
  return router;
}
