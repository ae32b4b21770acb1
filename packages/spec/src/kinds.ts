import { z } from 'zod';
import { KindMeta } from './kind.ts';
import generated from './kinds.generated.json' with { type: 'json' };

/** Every kind of this build, sorted by id and version. Holds no executor code, so browsers may load it. */
export const kinds: readonly KindMeta[] = z.array(KindMeta).parse(generated);

const byKey = new Map(kinds.map((kind) => [`${kind.id}@${kind.version}`, kind]));

export function kindMeta(id: string, version: number): KindMeta | undefined {
  return byKey.get(`${id}@${version}`);
}
