import { createHash } from 'node:crypto';
import { ForgeError } from '@cua-forge/spec/errors';
import type { JsonObject } from '@cua-forge/spec/json';
import type { ExecuteContext, Kind, OfficePort } from '@cua-forge/spec/kind';
import type { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { testContext } from './execute-context.ts';

/** File contents kept in memory, as a kind's context sees them. */
export class MemoryFiles {
  readonly #bytes = new Map<string, Uint8Array>();

  put(name: string, mediaType: string, bytes: Uint8Array): FileValue {
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.#bytes.set(hash, bytes);
    return { name, mediaType, hash, size: bytes.byteLength };
  }

  get(hash: string): Uint8Array {
    const bytes = this.#bytes.get(hash);
    if (bytes === undefined) throw new ForgeError('artifact.missing', `No file with hash ${hash} is in memory.`);
    return bytes;
  }
}

/** A file given in place: what examples of kinds use for a `file` port. */
const InlineFile = z.union([
  z.strictObject({ name: z.string(), mediaType: z.string(), text: z.string() }),
  z.strictObject({ name: z.string(), mediaType: z.string(), base64: z.string() }),
]);

interface RunOptions {
  params?: JsonObject;
  inputs?: Record<string, unknown>;
  seed?: number;
  files?: MemoryFiles;
  office?: OfficePort;
  /** Further parts of the context, for example `secrets`. */
  context?: Partial<ExecuteContext>;
}

function materialize(value: unknown, files: MemoryFiles): unknown {
  if (Array.isArray(value)) return value.map((member) => materialize(member, files));
  const inline = InlineFile.safeParse(value);
  if (!inline.success) return value;
  const bytes =
    'text' in inline.data ? Buffer.from(inline.data.text, 'utf8') : Buffer.from(inline.data.base64, 'base64');
  return files.put(inline.data.name, inline.data.mediaType, new Uint8Array(bytes));
}

/**
 * Runs a kind as the executor does: params and inputs pass the kind's schemas before, outputs after.
 * Without params or inputs those of the kind's example are used; `{name, mediaType, text | base64}` becomes a file.
 */
export async function runKind(kind: Kind, options: RunOptions = {}): Promise<Record<string, unknown>> {
  const files = options.files ?? new MemoryFiles();
  const params = kind.params.parse(options.params ?? kind.example.params);
  const inputs: Record<string, unknown> = {};
  const extra: JsonObject = {};
  for (const [name, given] of Object.entries(options.inputs ?? kind.example.inputs)) {
    const value = materialize(given, files);
    const port = kind.inputs[name];
    if (port === undefined) extra[name] = z.json().parse(value);
    else inputs[name] = port.multiple ? z.array(port.schema).parse(value) : port.schema.parse(value);
  }
  const context = testContext({
    files: {
      read: async (file) => files.get(file.hash),
      write: async (name, mediaType, bytes) => files.put(name, mediaType, bytes),
    },
    ...(options.seed === undefined ? {} : { seed: options.seed, runSeed: options.seed }),
    ...(options.office === undefined ? {} : { office: options.office }),
    ...options.context,
  });
  const outputs = await kind.execute({ params, inputs, extra, context });
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [name, kind.outputs[name]?.schema.parse(value) ?? value]),
  );
}
