import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { Slot } from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Json } from '@cua-forge/spec/json';
import type { ArtifactStore, NewArtifact } from '@cua-forge/spec/store-port';
import type { ValueRef } from '@cua-forge/spec/value';
import { FileValue } from '@cua-forge/spec/value';
import { sha256 } from '@cua-forge/store/hash';

/** Bytes of one value at most; larger things belong in files. */
export const VALUE_LIMIT = 16 * 1024 ** 2;
/** Values up to this size ride in the transaction that commits the outcome. */
const INLINE_LIMIT = 8 * 1024;
const PREVIEW = 120;
/** Lists kept parsed, for the items of a map that read their element. */
const KEPT_LISTS = 4;

export interface WrittenValue {
  ref: ValueRef;
  /** To commit with the outcome; null when it is in the store already. */
  artifact: NewArtifact | null;
}

/** Values of edges: JSON in the artifact store, by the hash of its canonical text. */
export class Values {
  private readonly lists = new Map<string, Json[]>();

  constructor(private readonly artifacts: ArtifactStore) {}

  /** The reader's own copy. @throws ForgeError `artifact.missing`, `artifact.corrupt`, `input.invalid` for an element that is not there */
  async read(slot: Slot): Promise<Json> {
    if ('literal' in slot) return structuredClone(slot.literal);
    if (slot.index === undefined) return this.parse(await this.artifacts.get(slot.hash), slot.hash);
    let list = this.lists.get(slot.hash);
    if (!list) {
      const value = this.parse(await this.artifacts.get(slot.hash), slot.hash);
      if (!Array.isArray(value))
        throw new ForgeError('input.invalid', 'The value is not a list, so it has no elements.');
      list = value;
      this.lists.set(slot.hash, list);
      for (const oldest of this.lists.keys()) {
        if (this.lists.size <= KEPT_LISTS) break;
        this.lists.delete(oldest);
      }
    }
    const element = list[slot.index];
    if (element === undefined)
      throw new ForgeError('input.invalid', `The list has ${list.length} elements; there is no element ${slot.index}.`);
    return structuredClone(element);
  }

  private parse(bytes: Uint8Array, hash: string): Json {
    try {
      // Written by `write`, and its hash was just checked: JSON by construction.
      return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    } catch (cause) {
      throw new ForgeError('artifact.corrupt', `Artifact ${hash.slice(0, 12)}… is not JSON.`, { cause });
    }
  }

  /**
   * Prepares a value for commit. Larger ones are stored at once.
   * @throws ForgeError `node.output-invalid` when it is not JSON, `node.output-too-large`
   */
  async write(value: unknown, where: { port: string; hidden: boolean }): Promise<WrittenValue> {
    let text: string;
    try {
      text = canonicalJson(value);
      if (text === undefined) throw new TypeError('undefined is not JSON');
    } catch (cause) {
      throw new ForgeError(
        'node.output-invalid',
        `The value for port '${where.port}' is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`,
        { place: { port: where.port }, cause },
      );
    }
    const bytes = Buffer.from(text, 'utf8');
    if (bytes.length > VALUE_LIMIT) {
      throw new ForgeError(
        'node.output-too-large',
        `The value for port '${where.port}' has ${(bytes.length / 1024 ** 2).toFixed(1)} MB; ${VALUE_LIMIT / 1024 ** 2} MB is the most a port takes.`,
        {
          fix: 'Put large data in a file, or split it into a list and map over it.',
          place: { port: where.port },
        },
      );
    }
    const hash = sha256(bytes);
    const file = FileValue.safeParse(value);
    const ref: ValueRef = {
      hash,
      size: bytes.length,
      ...(file.success ? { media: file.data.mediaType } : {}),
      ...(where.hidden ? { hidden: true } : { preview: previewOf(value, text) }),
    };
    if (bytes.length <= INLINE_LIMIT) return { ref, artifact: { hash, bytes } };
    await this.artifacts.put(bytes);
    return { ref, artifact: null };
  }

  /** The slot as a reference, storing a literal. */
  async refOf(slot: Slot): Promise<ValueRef> {
    if (!('literal' in slot)) return slot;
    const { ref, artifact } = await this.write(slot.literal, { port: 'value', hidden: false });
    if (artifact) await this.artifacts.put(artifact.bytes);
    return ref;
  }

  /** The reference with its preview, which the engine's state leaves out; as it is where the value is hidden or large. */
  async shown(ref: ValueRef): Promise<ValueRef> {
    if (ref.preview !== undefined || ref.hidden === true || ref.size > INLINE_LIMIT) return ref;
    const value = await this.read(ref);
    return { ...ref, preview: previewOf(value, canonicalJson(value)) };
  }

  /** Whether everything the value needs can be read: itself, and the files it names. */
  async intact(ref: ValueRef): Promise<boolean> {
    try {
      if (!(await this.artifacts.verify(ref.hash))) return false;
      const value = this.parse(await this.artifacts.get(ref.hash), ref.hash);
      for (const file of filesIn(value)) if (!(await this.artifacts.verify(file))) return false;
      return true;
    } catch {
      return false;
    }
  }
}

function previewOf(value: unknown, text: string): string {
  const shown = typeof value === 'string' ? value : text;
  return shown.length <= PREVIEW ? shown : `${shown.slice(0, PREVIEW - 1)}…`;
}

function* filesIn(value: Json): Generator<string> {
  if (Array.isArray(value)) for (const element of value) yield* filesIn(element);
  else if (typeof value === 'object' && value !== null) {
    const file = FileValue.safeParse(value);
    if (file.success) yield file.data.hash;
    else for (const member of Object.values(value)) yield* filesIn(member);
  }
}

/** Hash over what an execution is computed from. Equal for a restored run, whose tokens differ. */
export function fingerprintOf(facts: {
  kind: string;
  version: number;
  params: string;
  inputs: Record<string, readonly Slot[]>;
  feedback: readonly string[];
}): string {
  const inputs = Object.fromEntries(
    Object.entries(facts.inputs).map(([port, slots]) => [
      port,
      slots.map((slot) =>
        'literal' in slot
          ? [sha256(canonicalJson(slot.literal))]
          : slot.index === undefined
            ? [slot.hash]
            : [slot.hash, slot.index],
      ),
    ]),
  );
  return sha256(canonicalJson([facts.kind, facts.version, facts.params, inputs, facts.feedback]));
}
