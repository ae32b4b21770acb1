import { inflateSync } from 'node:zlib';

const MOST_OBJECTS = 20_000;
const MOST_BYTES = 64 * 1024 * 1024;

interface GitObject {
  type: number;
  bytes: Buffer;
}

/** Length of the zlib stream that begins at `at`, and what it holds. */
function inflated(pack: Buffer, at: number): { bytes: Buffer; used: number } {
  const result: unknown = inflateSync(pack.subarray(at), { info: true, maxOutputLength: MOST_BYTES });
  if (typeof result !== 'object' || result === null || !('buffer' in result) || !('engine' in result))
    throw new Error('zlib gives no info');
  const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
  return { bytes: buffer, used: engine.bytesWritten };
}

/** Applies a delta of git: copies out of the base and insertions. */
function applied(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const size = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = delta[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if ((byte & 0x80) === 0) return value;
    }
  };
  size();
  size();
  const parts: Buffer[] = [];
  while (at < delta.length) {
    const code = delta[at++] ?? 0;
    if ((code & 0x80) === 0) {
      parts.push(delta.subarray(at, at + code));
      at += code;
      continue;
    }
    let offset = 0;
    let length = 0;
    for (let bit = 0; bit < 4; bit += 1) if (code & (1 << bit)) offset += (delta[at++] ?? 0) * 2 ** (8 * bit);
    for (let bit = 0; bit < 3; bit += 1) if (code & (0x10 << bit)) length += (delta[at++] ?? 0) * 2 ** (8 * bit);
    parts.push(base.subarray(offset, offset + (length === 0 ? 0x10000 : length)));
  }
  return Buffer.concat(parts);
}

/** Blobs of a pack by their place in it. Deltas against objects of other packs are left out. */
function blobsOfPack(pack: Buffer): Buffer[] {
  if (pack.toString('latin1', 0, 4) !== 'PACK') return [];
  const count = Math.min(pack.readUInt32BE(8), MOST_OBJECTS);
  const objects = new Map<number, GitObject>();
  let at = 12;
  for (let index = 0; index < count && at < pack.length - 20; index += 1) {
    const start = at;
    let byte = pack[at++] ?? 0;
    const type = (byte >> 4) & 7;
    while (byte & 0x80) byte = pack[at++] ?? 0;
    let base: GitObject | undefined;
    if (type === 6) {
      byte = pack[at++] ?? 0;
      let back = byte & 0x7f;
      while (byte & 0x80) {
        byte = pack[at++] ?? 0;
        back = (back + 1) * 128 + (byte & 0x7f);
      }
      base = objects.get(start - back);
    } else if (type === 7) at += 20;
    const { bytes, used } = inflated(pack, at);
    at += used;
    if (type < 6) objects.set(start, { type, bytes });
    else if (base !== undefined) objects.set(start, { type: base.type, bytes: applied(base.bytes, bytes) });
  }
  return [...objects.values()].filter(({ type }) => type === 3).map(({ bytes }) => bytes);
}

/** Contents of all versions of files that a repository keeps in this file of its `.git`: a loose object or a pack. Empty for any other. */
export function gitBlobs(path: string, bytes: Uint8Array): Uint8Array[] {
  try {
    if (/\/objects\/[0-9a-f]{2}\/[0-9a-f]{38,62}$/.test(path)) {
      const object = inflateSync(bytes, { maxOutputLength: MOST_BYTES });
      const end = object.indexOf(0);
      return object.toString('latin1', 0, end).startsWith('blob ') ? [object.subarray(end + 1)] : [];
    }
    return /\/objects\/pack\/[^/]+\.pack$/.test(path) ? blobsOfPack(Buffer.from(bytes)) : [];
  } catch {
    // What git itself could not read keeps no version of anything.
    return [];
  }
}
