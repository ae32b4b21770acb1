import { Done, SetPin } from '@cua-forge/spec/api';
import { NodeId } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import { ValueRef } from '@cua-forge/spec/value';
import { Router } from 'express';
import { z } from 'zod';
import { documentNodeAt } from '../documents/document-node.ts';
import { readDocument } from '../documents/read-document.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { portTypeOf } from '../runs/port-type.ts';
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
      const { document } = await readDocument(store.meta, kinds, id);
      if (outputs === null) {
        await store.meta.setPin(id, key, null);
        return { ok: true as const };
      }
      const node = document === null ? null : documentNodeAt(document, kinds, key);
      if (node === null) {
        throw new ForgeError('input.invalid', `Document "${id}" has no node "${key}" to pin.`, {
          fix: 'Give the path as the document has it, such as draft or files/draft.',
          place: { node: key },
        });
      }
      const stored: Record<string, ValueRef> = {};
      for (const [port, value] of Object.entries(outputs)) {
        stored[port] = await storeValue(store.artifacts, value, portTypeOf(kinds, node, 'outputs', port));
      }
      await store.meta.setPin(id, key, stored);
      return { ok: true as const };
    }),
  );
  return router;
}
