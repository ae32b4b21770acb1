import type { Region } from '@cua-forge/spec/check-look';
import { PNG } from 'pngjs';
import { missing, type Pixels, type Seen } from './seen.ts';

const MOST_PIXELS = 50_000_000;

/** Width and height in the header, before anything is unpacked. */
function sizeOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes.byteLength < 24 ? Number.POSITIVE_INFINITY : view.getUint32(16) * view.getUint32(20);
}

/** Pixels of a PNG, or of a part of it. */
export function readPicture(what: string, bytes: Uint8Array, region: Region | undefined): Seen {
  let whole: Pixels;
  try {
    if (sizeOf(bytes) > MOST_PIXELS) return missing(`${what} is no PNG of at most ${MOST_PIXELS} pixels`);
    whole = PNG.sync.read(Buffer.from(bytes));
  } catch {
    return missing(`${what} is no PNG that can be read`);
  }
  if (region === undefined) return { kind: 'pixels', pixels: whole };
  const { x, y, width, height } = region;
  if (x + width > whole.width || y + height > whole.height)
    return missing(`${what} has ${whole.width} × ${whole.height} pixels`);
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    const from = ((y + row) * whole.width + x) * 4;
    data.set(whole.data.subarray(from, from + width * 4), row * width * 4);
  }
  return { kind: 'pixels', pixels: { width, height, data } };
}

/** Share of pixels of which a channel differs by more than `channel`; undefined when the sizes differ. */
export function differingShare(a: Pixels, b: Pixels, channel: number): number | undefined {
  if (a.width !== b.width || a.height !== b.height) return undefined;
  let differing = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    const differs = [0, 1, 2, 3].some(
      (offset) => Math.abs((a.data[at + offset] ?? 0) - (b.data[at + offset] ?? 0)) > channel,
    );
    if (differs) differing += 1;
  }
  return differing / (a.width * a.height);
}
