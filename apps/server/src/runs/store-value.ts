import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { Json } from '@cua-forge/spec/json';
import type { PortType } from '@cua-forge/spec/port-type';
import type { ArtifactStore } from '@cua-forge/spec/store-port';
import { FileValue, type ValueRef } from '@cua-forge/spec/value';

const previewLength = 120;

/** At most 120 characters that tell a person what the value is. */
function previewOf(text: string): string {
  return text.length <= previewLength ? text : `${text.slice(0, previewLength - 1)}…`;
}

/** Stores a value as an artifact of its own. Equal values get the same hash; hidden ones get no preview. */
export async function storeValue(artifacts: ArtifactStore, value: Json, type: PortType = 'any'): Promise<ValueRef> {
  const text = canonicalJson(value);
  const { hash, size } = await artifacts.put(new TextEncoder().encode(text));
  if (type === 'hidden') return { hash, size, hidden: true };
  const file = FileValue.safeParse(value);
  if (file.success) return { hash, size, media: file.data.mediaType, preview: previewOf(file.data.name) };
  return { hash, size, preview: previewOf(typeof value === 'string' ? value : text) };
}
