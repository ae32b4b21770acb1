import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ArtifactStore } from '@cua-forge/spec/store-port';
import type { z } from 'zod';

/** Stores JSON and answers with its hash. */
export async function putJson(artifacts: ArtifactStore, value: unknown): Promise<string> {
  const { hash } = await artifacts.put(new TextEncoder().encode(canonicalJson(value)));
  return hash;
}

/**
 * Reads JSON of a known shape.
 * @throws ForgeError `artifact.missing`, or `artifact.corrupt` when the bytes are not what they should be; `what` names them.
 */
export async function getJson<S extends z.ZodType>(
  artifacts: ArtifactStore,
  hash: string,
  schema: S,
  what: string,
): Promise<z.output<S>> {
  const text = new TextDecoder().decode(await artifacts.get(hash));
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ForgeError('artifact.corrupt', `The stored ${what} (${hash}) is not what it should be.`, { cause });
  }
}
