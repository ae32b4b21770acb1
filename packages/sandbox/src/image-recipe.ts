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

/** What the builder lays beside the recipe: it is pinned there, so which of its bytes are there already says nothing about the image. */
const laid = /^wheels\/(?:.*\.whl|editor\.(?:tar\.gz|lock))$/;

/** Reads the folder docker/desktop, without what is laid there for a build. */
export async function readRecipe(folder: string, target: SandboxTarget): Promise<ImageRecipe> {
  const files: RecipeFile[] = [];
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  for (const path of names.filter((name) => !laid.test(name))) {
    // Rights differ with the umask of a checkout; what matters is who may execute.
    const mode = (await stat(join(folder, path))).mode & 0o100 ? 0o755 : 0o644;
    files.push({ path, bytes: await readFile(join(folder, path)), mode });
  }
  const hash = createHash('sha256');
  for (const { path, bytes, mode } of files) hash.update(`${path}\0${mode}\0${bytes.length}\0`).update(bytes);
  const digest = hash.digest('hex');
  return { files, hash: digest, name: `cua-forge-desktop:${target}-${digest.slice(0, 12)}` };
}

/** What lies there for a build of a target: wheels, and for `full` the editor. */
export async function readLaid(folder: string, target: SandboxTarget): Promise<RecipeFile[]> {
  const names = (await readdir(join(folder, 'wheels'))).filter(
    (name) => laid.test(`wheels/${name}`) && (target === 'full' || !name.startsWith('editor.')),
  );
  return Promise.all(
    names.sort().map(async (name) => ({
      path: `wheels/${name}`,
      bytes: await readFile(join(folder, 'wheels', name)),
      mode: 0o644,
    })),
  );
}
