import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import { writePackageFolder } from '@cua-forge/package-folder/package-folder';
import { ForgeError } from '@cua-forge/spec/errors';

/**
 * Writes a task package as a folder into `parent` and answers with its absolute path. It appears whole or not at all, in place of an older one.
 * @throws ForgeError `not-found`, `artifact.corrupt`, `input.invalid` for a package that would leave its folder
 */
export async function exportPackage(api: ApiClient, id: string, parent: string): Promise<string> {
  const { package: taskPackage } = await api.package(id);
  await mkdir(parent, { recursive: true });
  return writePackageFolder(taskPackage, parent, async ({ hash, name }) => {
    const bytes = await api.file(hash);
    if (createHash('sha256').update(bytes).digest('hex') === hash) return bytes;
    throw new ForgeError('artifact.corrupt', `The file ${name} of package ${id} arrived damaged.`, {
      fix: 'Export the package again.',
    });
  });
}
