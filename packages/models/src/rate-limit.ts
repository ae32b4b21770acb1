/** Spreads the starts of calls: at most `perMinute` in any minute, and none before a time the server asked to wait for. */
export class RateLimit {
  readonly #perMinute: number | null;
  #starts: number[] = [];
  #notBefore = 0;

  constructor(perMinute: number | null) {
    this.#perMinute = perMinute;
  }

  /** Takes the next free place; answers with the milliseconds to wait for it. Times are epoch milliseconds. */
  reserve(now: number): number {
    let at = Math.max(now, this.#notBefore);
    if (this.#perMinute !== null) {
      const blocking = this.#starts.at(-this.#perMinute);
      if (blocking !== undefined) at = Math.max(at, blocking + 60_000);
      this.#starts = [...this.#starts, at].slice(-this.#perMinute);
    }
    return at - now;
  }

  /** Holds back all further starts until a time. */
  pauseUntil(at: number): void {
    this.#notBefore = Math.max(this.#notBefore, at);
  }
}
