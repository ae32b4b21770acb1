import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { ForgeError } from '@cua-forge/spec/errors';
import { sha256 } from '@cua-forge/store/hash';
import { z } from 'zod';
import type { Services } from '../services.ts';
import type { AnyCall } from './handlers.ts';

const Key = z.string().min(1).max(200);
const Keyed = z.looseObject({ idempotencyKey: Key.optional() });

/** The key that a start came with, in its header or in its body; null without. @throws ForgeError `input.invalid` */
export function keyOf({ request, body }: AnyCall): string | null {
  const inBody = Keyed.safeParse(body).data?.idempotencyKey;
  const header = request.headers['idempotency-key'];
  const inHeader = header === undefined ? undefined : Key.safeParse(header);
  if (inHeader?.success === false) {
    throw new ForgeError('input.invalid', 'The header Idempotency-Key is not right: it takes 1 to 200 characters.', {
      fix: 'Send a random text, a new one for each start.',
    });
  }
  return inBody ?? inHeader?.data ?? null;
}

/**
 * Does what a keyed request asks for once: the same request under the key gets the first answer, another one is refused. Keys of
 * different users are different. What failed was not answered, and may be sent again, corrected too.
 * @throws ForgeError `request.conflict`
 */
export function answeredOnce(
  { store, locks, now }: Services,
  route: string,
  key: string,
  call: AnyCall,
  act: (call: AnyCall) => Promise<unknown>,
): Promise<unknown> {
  const { user, body } = call;
  // Ids are made from the key, so that a start which is repeated before its answer was kept finds the first one.
  const own = user === null || user.via === 'local' ? key : `${user.name} ${key}`;
  const { idempotencyKey: _, ...rest } = Keyed.parse(body ?? {});
  const bodyHash = sha256(canonicalJson(rest));
  const kept = `${route} ${own}`;
  return locks.with(`key ${kept}`, async () => {
    const before = await store.meta.keptAnswer(kept);
    if (before === null) {
      const answer = await act({ ...call, body: { ...rest, idempotencyKey: own } });
      await store.meta.keepAnswer(kept, { bodyHash, answer: JSON.stringify(answer) }, now());
      return answer;
    }
    if (before.bodyHash !== bodyHash) {
      throw new ForgeError('request.conflict', 'The idempotency key was used for another request.', {
        fix: 'Use a new key for a new start.',
      });
    }
    const first: unknown = JSON.parse(before.answer);
    return first;
  });
}
