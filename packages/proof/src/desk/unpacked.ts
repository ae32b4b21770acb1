import { randomUUID } from 'node:crypto';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import { proverFolder } from './desk-office.ts';

const MOST_UNPACKED = 64 * 1024 * 1024;

const unpacker = `
import bz2, lzma, os, sys
source, target, most = sys.argv[1:]
opened = lzma.open(source) if open(source, "rb").read(1) == b"\\xfd" else bz2.open(source)
os.makedirs(os.path.dirname(target), exist_ok=True)
with opened, open(target, "wb") as out:
    out.write(opened.read(int(most)))
`;

const isPacked = (bytes: Uint8Array): boolean => {
  const start = Buffer.from(bytes.subarray(0, 6)).toString('latin1');
  return start === '\xfd7zXZ\0' || start.startsWith('BZh');
};

/** What files packed with xz or bzip2 hold, by their paths without the ending: the sandbox's Python unpacks them. */
export async function unpackedFiles(
  sandbox: Sandbox,
  files: ReadonlyMap<string, Uint8Array>,
  signal: AbortSignal,
): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const [path, bytes] of files) {
    if (!isPacked(bytes)) continue;
    const target = `${proverFolder}/unpacked-${randomUUID().slice(0, 8)}`;
    const { exitCode } = await sandbox.exec(['python3', '-c', unpacker, path, target, String(MOST_UNPACKED)], {
      timeoutMs: 60_000,
      signal,
    });
    // What Python cannot unpack nobody in the sandbox can.
    if (exitCode === 0)
      found.set(
        path.replace(/\.(?:xz|txz|bz2|tbz2?)$/i, ''),
        await sandbox.getFile(target, { maxBytes: MOST_UNPACKED }),
      );
  }
  return found;
}
