import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import type { TaskPackage } from '@cua-forge/spec/task';
import type { ApiClient } from '../client/api-client.ts';

const FolderName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

async function writeFiles(api: ApiClient, pkg: TaskPackage, folder: string): Promise<void> {
  for (const { path, file, executable } of pkg.files) {
    const target = resolve(folder, path);
    if (!target.startsWith(folder + sep)) {
      throw new ForgeError(
        'artifact.corrupt',
        `The package holds the path ${JSON.stringify(path)}, which leads out of its folder.`,
        { fix: 'Make the package again.' },
      );
    }
    const bytes = await api.file(file.hash);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (hash !== file.hash) {
      throw new ForgeError('artifact.corrupt', `The file ${path} of the package arrived damaged.`, {
        fix: 'Export the package again.',
      });
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
    await chmod(target, executable ? 0o755 : 0o644);
  }
}

/**
 * Writes a task package as a folder into `parent` and answers with its path. It appears whole or not at all, in place of an older one.
 * @throws ForgeError `not-found`, `artifact.corrupt`, `store.full`
 */
export async function exportPackage(api: ApiClient, id: string, parent: string): Promise<string> {
  if (!FolderName.test(id))
    throw new ForgeError('artifact.corrupt', `The package id ${JSON.stringify(id)} is no folder name.`);
  const { package: pkg } = await api.package(id);
  await mkdir(parent, { recursive: true });
  const temporary = await mkdtemp(join(resolve(parent), `.${id}-`));
  const target = join(parent, id);
  try {
    const folder = join(temporary, 'package');
    await mkdir(folder);
    await writeFiles(api, pkg, folder);
    try {
      await rename(folder, target);
    } catch {
      await rename(target, join(temporary, 'older'));
      await rename(folder, target);
    }
    return target;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
