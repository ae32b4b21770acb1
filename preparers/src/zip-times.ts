/** 1 January 2024, 00:00 as DOS time and date: the one moment that every member of a prepared archive has. */
const dosTime = 0;
const dosDate = ((2024 - 1980) << 9) | (1 << 5) | 1;

/** Sets the times of all members of a ZIP archive, in place, so that equal content gives equal bytes. */
export function fixZipTimes(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw new RangeError('The bytes are no ZIP archive: the end of the central directory is missing.');
  let entry = view.getUint32(end + 16, true);
  for (let members = view.getUint16(end + 10, true); members > 0; members -= 1) {
    view.setUint16(entry + 12, dosTime, true);
    view.setUint16(entry + 14, dosDate, true);
    const local = view.getUint32(entry + 42, true);
    view.setUint16(local + 10, dosTime, true);
    view.setUint16(local + 12, dosDate, true);
    entry +=
      46 + view.getUint16(entry + 28, true) + view.getUint16(entry + 30, true) + view.getUint16(entry + 32, true);
  }
}
