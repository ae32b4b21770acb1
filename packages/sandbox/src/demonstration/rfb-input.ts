/** What a viewer does with mouse and keyboard, as RFB says it. `at` is milliseconds since the recording began; `buttons` is RFB's mask. */
export type InputEvent =
  | { at: number; kind: 'pointer'; buttons: number; x: number; y: number }
  | { at: number; kind: 'key'; down: boolean; keysym: number };

/** Bytes of the messages of a client whose length never varies, by type. */
const fixed: Readonly<Record<number, number>> = { 0: 20, 3: 10, 4: 8, 5: 6, 150: 10, 250: 4, 255: 12 };

/** Most bytes that one message may have: a clipboard. */
const longestMessage = 1_048_576;

/** Length of the message that `data` begins with; null when more bytes have to come first; 0 for a message that this protocol does not have. */
function lengthOf(data: Buffer): number | null {
  const type = data[0] ?? 0;
  const known = fixed[type];
  if (known !== undefined) return known;
  if (type === 2) return data.length < 4 ? null : 4 + 4 * data.readUInt16BE(2);
  if (type === 6) return data.length < 8 ? null : 8 + Math.abs(data.readInt32BE(4));
  if (type === 248) return data.length < 9 ? null : 9 + (data[8] ?? 0);
  if (type === 251) return data.length < 8 ? null : 8 + 16 * (data[6] ?? 0);
  return 0;
}

/** Reads what a client of an RFB server without a password sends, and tells of its mouse and keyboard. It changes no byte and never fails: what it does not understand, it ignores from there on. */
export class RfbInput {
  readonly #onEvent: (event: InputEvent) => void;
  readonly #now: () => number;
  #rest = Buffer.alloc(0);
  /** Bytes of the greeting that are still to come: version, kind of security, whether the desktop is shared. */
  #greeting = 14;
  #lost = false;

  constructor(onEvent: (event: InputEvent) => void, now: () => number) {
    this.#onEvent = onEvent;
    this.#now = now;
  }

  take(data: Uint8Array): void {
    if (this.#lost) return;
    const skipped = Math.min(this.#greeting, data.length);
    this.#greeting -= skipped;
    this.#rest = Buffer.concat([this.#rest, data.subarray(skipped)]);
    while (this.#rest.length > 0) {
      const length = lengthOf(this.#rest);
      if (length === 0 || (length ?? 0) > longestMessage) {
        this.#lost = true;
        this.#rest = Buffer.alloc(0);
        return;
      }
      if (length === null || this.#rest.length < length) return;
      this.#tell(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
    }
  }

  #tell(message: Buffer): void {
    const at = this.#now();
    const type = message[0];
    if (type === 4) this.#onEvent({ at, kind: 'key', down: message[1] !== 0, keysym: message.readUInt32BE(4) });
    else if (type === 5)
      this.#onEvent({
        at,
        kind: 'pointer',
        buttons: message[1] ?? 0,
        x: message.readUInt16BE(2),
        y: message.readUInt16BE(4),
      });
    else if (type === 255 && message[1] === 0)
      this.#onEvent({ at, kind: 'key', down: message.readUInt16BE(2) !== 0, keysym: message.readUInt32BE(4) });
  }
}
