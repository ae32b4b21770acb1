import { ForgeError } from '@cua-forge/spec/errors';

/**
 * Text of a file: UTF-8, UTF-16 with a byte-order mark, else Windows-1252. Line ends become `\n`.
 * @throws ForgeError `file.unreadable` when the bytes are no text, or there are none
 */
export function readText(name: string, bytes: Uint8Array): string {
  const text = decode(bytes);
  if (text.includes('\0')) {
    throw new ForgeError('file.unreadable', `${name} cannot be read as text: it holds binary data.`, {
      fix: 'Give a text file, or give the file the extension of its real type.',
      place: { file: name },
    });
  }
  if (text.trim() === '') {
    throw new ForgeError('file.unreadable', `${name} is empty.`, {
      fix: 'Give a file with content.',
      place: { file: name },
    });
  }
  return text.replace(/\r\n?/g, '\n');
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
