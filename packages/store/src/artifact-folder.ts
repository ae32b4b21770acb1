import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toForgeError } from '@cua-forge/spec/errors';
import { Hash } from '@cua-forge/spec/value';
import type { BlobStore } from './blob-store.ts';

/** Age in milliseconds at which an unfinished file belongs to a process that is gone. */
const abandonedAfter = 60 * 60 * 1000;

const writeFile = (file: FileHandle, bytes: Uint8Array): Promise<void> => file.writeFile(bytes);

/** Artifacts as files `ab/<hash>`; unfinished ones lie in `tmp/` of the same folder and are renamed when they are whole. */
export class ArtifactFolder implements BlobStore {
  readonly #folder: string;
  readonly #temporary: string;
  readonly #write: typeof writeFile;

  constructor(folder: string, write = writeFile) {
    this.#folder = folder;
    this.#temporary = join(folder, 'tmp');
    this.#write = write;
  }

  /** Makes the folder and removes what killed processes left unfinished. */
  async prepare(): Promise<void> {
    await mkdir(this.#temporary, { recursive: true });
    for (const name of await readdir(this.#temporary)) {
      const path = join(this.#temporary, name);
      const facts = await stat(path).catch(absent);
      if (facts !== null && Date.now() - facts.mtimeMs > abandonedAfter) await rm(path, { force: true });
    }
  }

  /**
   * Writes the bytes, or nothing at all. Equal bytes that are there stay; damaged ones are replaced.
   * @throws ForgeError `store.full`
   */
  async put(hash: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(hash);
    if (await holds(path, bytes)) return;
    const temporary = join(this.#temporary, `${hash}.${randomUUID()}`);
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(temporary, 'wx');
      try {
        await this.#write(file, bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (thrown) {
      await rm(temporary, { force: true });
      throw toForgeError(thrown);
    }
  }

  /** The bytes as they lie there, unverified; null when there are none. */
  get(hash: string): Promise<Uint8Array | null> {
    return readFile(this.#path(hash)).catch(absent);
  }

  async has(hash: string): Promise<boolean> {
    return (await stat(this.#path(hash)).catch(absent)) !== null;
  }

  async *list(): AsyncGenerator<{ hash: string; size: number }> {
    for (const shard of await readdir(this.#folder)) {
      if (!/^[0-9a-f]{2}$/.test(shard)) continue;
      for (const hash of await readdir(join(this.#folder, shard))) {
        const facts = Hash.safeParse(hash).success ? await stat(this.#path(hash)).catch(absent) : null;
        if (facts !== null) yield { hash, size: facts.size };
      }
    }
  }

  async delete(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) await rm(this.#path(hash), { force: true });
  }

  #path(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash);
  }
}

async function holds(path: string, bytes: Uint8Array): Promise<boolean> {
  const facts = await stat(path).catch(absent);
  if (facts === null || facts.size !== bytes.byteLength) return false;
  const stored = await readFile(path).catch(absent);
  return stored?.equals(bytes) ?? false;
}

function absent(thrown: unknown): null {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
  throw toForgeError(thrown);
}
