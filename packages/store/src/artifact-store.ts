import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ArtifactStore, NewArtifact } from '@cua-forge/spec/store-port';
import { Hash } from '@cua-forge/spec/value';
import { ArtifactCache } from './artifact-cache.ts';
import type { BlobStore } from './blob-store.ts';
import type { Connection } from './connection.ts';
import { sha256 } from './hash.ts';
import type { ArtifactRows } from './tables/artifact-rows.ts';
import type { CondemnedBlobRows } from './tables/condemned-blob-rows.ts';

/** Artifacts up to this many bytes are rows of the database; larger ones are files. */
export const inlineLimit = 8 * 1024;
const cacheBytes = 32 * 1024 * 1024;

/** Milliseconds after which whoever began to delete a blob is gone: its requests to the blob store gave up long before. */
export const abandonedAfter = 10 * 60 * 1000;
const patience = 15_000;
const askAgainAfter = 25;

/**
 * Content-addressed bytes: small ones in the database, larger ones in the blob store, recently used ones in memory too.
 * Whoever stores, reads or looks for a condemned artifact rescues it, since a reference to it may follow.
 */
export class SqlArtifactStore implements ArtifactStore {
  readonly #connection: Connection;
  readonly #rows: ArtifactRows;
  readonly #condemned: CondemnedBlobRows;
  readonly #blobs: BlobStore;
  readonly #cache = new ArtifactCache(cacheBytes);

  constructor(connection: Connection, rows: ArtifactRows, condemned: CondemnedBlobRows, blobs: BlobStore) {
    this.#connection = connection;
    this.#rows = rows;
    this.#condemned = condemned;
    this.#blobs = blobs;
  }

  async put(bytes: Uint8Array): Promise<{ hash: string; size: number }> {
    const artifact = { hash: sha256(bytes), bytes };
    const small = await this.putLarge([artifact]);
    if (small.length > 0) await this.#connection.write(() => this.#rows.put(artifact));
    this.remember([artifact]);
    return { hash: artifact.hash, size: bytes.byteLength };
  }

  async get(hash: string): Promise<Uint8Array> {
    const cached = this.#cache.get(hash);
    if (cached !== null) return cached;
    const bytes = Hash.safeParse(hash).success ? await this.#find(hash) : null;
    if (bytes === null) {
      throw new ForgeError('artifact.missing', `Artifact ${hash} is not in the store.`, {
        fix: 'Run the node that makes it again.',
      });
    }
    if (sha256(bytes) !== hash) {
      throw new ForgeError(
        'artifact.corrupt',
        `Artifact ${hash} is damaged: the ${bytes.byteLength} bytes in the store no longer have this SHA-256.`,
        { fix: 'Run the node that makes it again; that replaces the damaged bytes.' },
      );
    }
    this.#cache.set(hash, bytes);
    return bytes;
  }

  async has(hash: string): Promise<boolean> {
    if (!Hash.safeParse(hash).success) return false;
    const row = await this.#connection.read(() => this.#rows.has(hash));
    if (row !== null) return !row.condemned || this.#connection.write(() => this.#rows.rescue(hash));
    return (await this.#rescueBlob(hash)) && this.#blobs.has(hash);
  }

  async verify(hash: string): Promise<boolean> {
    const bytes = Hash.safeParse(hash).success ? await this.#find(hash) : null;
    return bytes !== null && sha256(bytes) === hash;
  }

  /** Writes the large ones as blobs and returns the small ones, which the caller's transaction has to hold. */
  async putLarge(artifacts: NewArtifact[]): Promise<NewArtifact[]> {
    const large = artifacts.filter(({ bytes }) => bytes.byteLength > inlineLimit);
    if (large.length === 0) return artifacts;
    await Promise.all(large.map((artifact) => this.#putBlob(artifact)));
    return artifacts.filter(({ bytes }) => bytes.byteLength <= inlineLimit);
  }

  /** Keeps artifacts that are stored and have their hash in memory: what a node made is soon read by the next. */
  remember(artifacts: NewArtifact[]): void {
    for (const { hash, bytes } of artifacts) this.#cache.set(hash, bytes);
  }

  /** A blob that is being deleted just now may still be there: it is written when it is gone for certain. */
  async #putBlob({ hash, bytes }: NewArtifact): Promise<void> {
    const deadline = Date.now() + patience;
    while (!(await this.#rescueBlob(hash))) {
      if (Date.now() > deadline) {
        throw new ForgeError('store.busy', `Artifact ${hash} cannot be stored: its deletion is under way.`);
      }
      await sleep(askAgainAfter);
    }
    await this.#blobs.put(hash, bytes);
  }

  async #find(hash: string): Promise<Uint8Array | null> {
    const row = await this.#connection.read(() => this.#rows.get(hash));
    if (row === null) return (await this.#rescueBlob(hash)) ? this.#blobs.get(hash) : null;
    if (row.condemned && !(await this.#connection.write(() => this.#rows.rescue(hash)))) return null;
    return row.bytes;
  }

  /** False while the blob is being deleted. */
  async #rescueBlob(hash: string): Promise<boolean> {
    const row = await this.#connection.read(() => this.#condemned.find(hash));
    if (row === null) return true;
    return this.#connection.write(() => this.#condemned.rescue(hash, Date.now() - abandonedAfter));
  }
}
