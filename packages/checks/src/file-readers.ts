import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { StateReader } from '@cua-forge/spec/state-reader';

const isGone = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR' || thrown.code === 'EISDIR');

/** Reads a folder that holds a sandbox's files under their absolute paths. Links that lead out of it are not there. */
export function folderReader(root: string): StateReader {
  const inside = async (path: string): Promise<string | null> => {
    const base = await realpath(root);
    const found = await realpath(join(base, path)).catch((thrown: unknown) => {
      if (isGone(thrown)) return null;
      throw thrown;
    });
    // The root of the machine ends with the separator already.
    const below = base.endsWith(sep) ? base : `${base}${sep}`;
    return found !== null && (found === base || found.startsWith(below)) ? found : null;
  };
  const orNull = async <T>(path: string, read: (file: string) => Promise<T>): Promise<T | null> => {
    const file = await inside(path);
    if (file === null) return null;
    return read(file).catch((thrown: unknown) => {
      if (isGone(thrown)) return null;
      throw thrown;
    });
  };
  return {
    readFile: (path) => orNull(path, async (file) => new Uint8Array(await readFile(file))),
    listFiles: (path) => orNull(path, async (file) => (await readdir(file)).sort()),
  };
}

/** Reads files that are given under their paths. */
export function memoryReader(files: ReadonlyMap<string, Uint8Array>): StateReader {
  return {
    readFile: async (path) => files.get(path) ?? null,
    listFiles: async (path) => {
      const within = `${path.replace(/\/$/, '')}/`;
      const names = [...files.keys()]
        .filter((name) => name.startsWith(within))
        .map((name) => name.slice(within.length).split('/')[0] ?? '');
      return names.length === 0 ? null : [...new Set(names)].sort();
    },
  };
}
