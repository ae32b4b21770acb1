import { ForgeError } from '@cua-forge/spec/errors';
import type { ValueRef } from '@cua-forge/spec/value';
import { documentNodeAt } from '../documents/document-node.ts';
import { readDocument } from '../documents/read-document.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { portTypeOf } from '../runs/port-type.ts';
import { storeValue } from '../runs/store-value.ts';
import type { Services } from '../services.ts';

export const pinRoutes = ({ store, kinds }: Services): HandlersOf<'pins' | 'setPin'> => ({
  pins: ({ params }) => store.meta.listPins(params.id),

  setPin: async ({ params: { id, key }, body: { outputs } }) => {
    const { document } = await readDocument(store.meta, kinds, id);
    if (outputs === null) {
      await store.meta.setPin(id, key, null);
      return { ok: true };
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
    return { ok: true };
  },
});
