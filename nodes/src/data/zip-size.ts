/**
 * Bytes that the members of a ZIP archive take when unpacked, by its central directory; undefined when it has none.
 * An archive that declares less than it holds fails in the reader itself.
 */
export function unpackedSize(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = -1;
  for (let offset = bytes.length - 22; offset >= Math.max(0, bytes.length - 65_557); offset -= 1) {
    if (view.getUint32(offset, true) === 0x06054b50) {
      end = offset;
      break;
    }
  }
  if (end < 0) return undefined;
  let offset = view.getUint32(end + 16, true);
  let total = 0;
  for (let member = view.getUint16(end + 10, true); member > 0; member -= 1) {
    if (offset + 46 > bytes.length || view.getUint32(offset, true) !== 0x02014b50) return undefined;
    total += view.getUint32(offset + 24, true);
    offset +=
      46 + view.getUint16(offset + 28, true) + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
  return total;
}
