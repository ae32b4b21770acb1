import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import { type FoundFile, packageLimits, tooLarge } from './package-files.ts';

/** Every file below a folder, by relative path. Links are refused. @throws ForgeError `input.invalid` */
export async function filesOfFolder(folder: string): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  let total = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw new ForgeError('input.invalid', `The folder ${folder} cannot be read.`, { cause });
  });
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const absolute = join(entry.parentPath, entry.name);
    const path = absolute.slice(folder.length).replace(/^[/\\]+/, '');
    if (!entry.isFile())
      throw new ForgeError('input.invalid', `${path} in ${folder} is no plain file.`, {
        fix: 'Replace links by files.',
      });
    const { size, mode } = await stat(absolute);
    total += size;
    if (total > packageLimits.bytes || files.length >= packageLimits.files) throw tooLarge();
    files.push({ path, bytes: await readFile(absolute), executable: (mode & 0o100) !== 0 });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
