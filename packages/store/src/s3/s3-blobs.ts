import { createHash } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Hash } from '@cua-forge/spec/value';
import type { BlobStore } from '../blob-store.ts';
import type { S3Address } from './s3-address.ts';
import { toS3Error } from './s3-faults.ts';

const parallelDeletes = 16;

/** Artifacts as objects `<prefix>ab/<hash>` of a bucket. An object is there whole or not at all. */
export class S3Blobs implements BlobStore {
  readonly #client: S3Client;
  readonly #address: S3Address;

  /** Credentials come from where the SDK finds them: the environment, a profile, the machine's role. */
  constructor(address: S3Address) {
    this.#address = address;
    this.#client = new S3Client({
      region: address.region ?? 'us-east-1',
      ...(address.endpoint === undefined ? {} : { endpoint: address.endpoint }),
      forcePathStyle: address.pathStyle,
      maxAttempts: 4,
      // Stores other than Amazon's often know no checksums in trailers; every artifact is verified by its hash anyway.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  /** @throws ForgeError `input.invalid` (no such bucket, or no right to it), `store.unreachable` */
  async prepare(): Promise<void> {
    await this.#ask(() => this.#client.send(new HeadBucketCommand({ Bucket: this.#address.bucket })));
  }

  async put(hash: string, bytes: Uint8Array): Promise<void> {
    if (await this.#holds(hash, bytes)) return;
    await this.#ask(() => this.#client.send(new PutObjectCommand({ ...this.#object(hash), Body: bytes })));
  }

  async get(hash: string): Promise<Uint8Array | null> {
    return this.#unlessAbsent(async () => {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#object(hash)));
      return Body === undefined ? null : Body.transformToByteArray();
    });
  }

  async has(hash: string): Promise<boolean> {
    return (await this.#head(hash)) !== null;
  }

  async *list(): AsyncGenerator<{ hash: string; size: number }> {
    const { bucket, prefix } = this.#address;
    let token: string | undefined;
    do {
      const request = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token });
      const { Contents = [], NextContinuationToken } = await this.#ask(() => this.#client.send(request));
      for (const { Key = '', Size = 0 } of Contents) {
        const hash = Hash.safeParse(Key.slice(Key.lastIndexOf('/') + 1));
        if (hash.success) yield { hash: hash.data, size: Size };
      }
      token = NextContinuationToken;
    } while (token !== undefined);
  }

  /** One request each: not every store that speaks S3 takes several in one. */
  async delete(hashes: readonly string[]): Promise<void> {
    const waiting = [...hashes];
    const deleteNext = async (): Promise<void> => {
      for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
        const object = this.#object(hash);
        await this.#ask(() => this.#client.send(new DeleteObjectCommand(object)));
      }
    };
    await Promise.all(Array.from({ length: parallelDeletes }, deleteNext));
  }

  /** The ETag of an object that was sent in one piece is its MD5, unless it is encrypted with a managed key: then it is sent again. */
  async #holds(hash: string, bytes: Uint8Array): Promise<boolean> {
    const head = await this.#head(hash);
    if (head === null || head.size !== bytes.byteLength) return false;
    return head.etag === `"${createHash('md5').update(bytes).digest('hex')}"`;
  }

  #head(hash: string): Promise<{ size: number; etag: string } | null> {
    return this.#unlessAbsent(async () => {
      const { ContentLength, ETag } = await this.#client.send(new HeadObjectCommand(this.#object(hash)));
      return { size: ContentLength ?? -1, etag: ETag ?? '' };
    });
  }

  #object(hash: string): { Bucket: string; Key: string } {
    return { Bucket: this.#address.bucket, Key: `${this.#address.prefix}${hash.slice(0, 2)}/${hash}` };
  }

  async #unlessAbsent<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof S3ServiceException && (thrown.name === 'NoSuchKey' || thrown.name === 'NotFound'))
        return null;
      throw toS3Error(thrown, this.#address.bucket);
    }
  }

  async #ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw toS3Error(thrown, this.#address.bucket);
    }
  }
}
