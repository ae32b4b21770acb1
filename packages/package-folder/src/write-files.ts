import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

export interface FileToWrite {
  /** Relative to the folder, with forward slashes. */
  path: string;
  bytes: Uint8Array | string;
  executable?: boolean;
}

/** Writes a folder whole or not at all, replacing an older one; answers with its absolute path. */
export async function writeFolder(folder: string, files: Iterable<FileToWrite>): Promise<string> {
  const target = resolve(folder);
  const unique = randomUUID();
  const temporary = `${target}.${unique}.new`;
  const replaced = `${target}.${unique}.old`;
  try {
    await mkdir(temporary, { recursive: true });
    for (const { path, bytes, executable } of files) {
      const destination = join(temporary, path);
      await mkdir(dirname(destination), { recursive: true });
      await writeFile(destination, bytes, { mode: executable === true ? 0o755 : 0o644 });
    }
    await rename(target, replaced).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rename(temporary, target);
  } finally {
    await rm(temporary, { recursive: true, force: true });
    await rm(replaced, { recursive: true, force: true });
  }
  return target;
}
