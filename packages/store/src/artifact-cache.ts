/** Least recently used artifacts in memory, bounded by bytes. It holds and hands out copies: callers own what they get. */
export class ArtifactCache {
  readonly #entries = new Map<string, Uint8Array>();
  readonly #budget: number;
  #total = 0;

  /** `budget` in bytes; an artifact above a quarter of it is not kept. */
  constructor(budget: number) {
    this.#budget = budget;
  }

  get(hash: string): Uint8Array | null {
    const bytes = this.#entries.get(hash);
    if (bytes === undefined) return null;
    this.#entries.delete(hash);
    this.#entries.set(hash, bytes);
    return new Uint8Array(bytes);
  }

  /** `bytes` must have been verified against `hash`. */
  set(hash: string, bytes: Uint8Array): void {
    if (bytes.byteLength > this.#budget / 4 || this.#entries.has(hash)) return;
    this.#entries.set(hash, new Uint8Array(bytes));
    this.#total += bytes.byteLength;
    for (const [oldest, { byteLength }] of this.#entries) {
      if (this.#total <= this.#budget) break;
      this.#entries.delete(oldest);
      this.#total -= byteLength;
    }
  }
}
