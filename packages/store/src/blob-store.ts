/** Where the bytes of larger artifacts lie, under their SHA-256. It checks no hash: whoever calls it does. */
export interface BlobStore {
  /** Makes ready what has to be there before the first use. */
  prepare(): Promise<void>;
  /**
   * Writes the bytes, or nothing at all. Equal bytes that are there stay; damaged ones are replaced.
   * @throws ForgeError `store.full`
   */
  put(hash: string, bytes: Uint8Array): Promise<void>;
  /** The bytes as they lie there, unverified; null when there are none. */
  get(hash: string): Promise<Uint8Array | null>;
  has(hash: string): Promise<boolean>;
  /** All that are there, in no order. What comes or goes meanwhile may be among them or not. */
  list(): AsyncIterable<{ hash: string; size: number }>;
  /** Deletes those that are there. */
  delete(hashes: readonly string[]): Promise<void>;
}
