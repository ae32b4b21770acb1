import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxTarget } from '@cua-forge/spec/sandbox-port';

export interface RecipeFile {
  path: string;
  bytes: Buffer;
  mode: number;
}

/** What an image is made from. `name` changes with every byte of it, so that an image of that name is never out of date. */
export interface ImageRecipe {
  files: RecipeFile[];
  hash: string;
  name: string;
}

/** Reads the folder docker/desktop. */
export async function readRecipe(folder: string, target: SandboxTarget): Promise<ImageRecipe> {
  const files: RecipeFile[] = [];
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  for (const path of names) {
    // Rights differ with the umask of a checkout; what matters is who may execute.
    const mode = (await stat(join(folder, path))).mode & 0o100 ? 0o755 : 0o644;
    files.push({ path, bytes: await readFile(join(folder, path)), mode });
  }
  const hash = createHash('sha256');
  // The same wheel gives the same image, whether the builder had it or took it from the index.
  for (const { path, bytes, mode } of files.filter((file) => !file.path.endsWith('.whl')))
    hash.update(`${path}\0${mode}\0${bytes.length}\0`).update(bytes);
  const digest = hash.digest('hex');
  return { files, hash: digest, name: `cua-forge-desktop:${target}-${digest.slice(0, 12)}` };
}
