import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import type { TaskPackage } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';
import { pack } from 'tar-stream';
import { isInside } from './package-files.ts';
import { type FileToWrite, writeFolder } from './write-files.ts';

/** Fetches the bytes of a file of the package. */
export type ReadFile = (file: FileValue) => Promise<Uint8Array>;

export interface PackageEntry {
  /** Relative to the package's folder, with forward slashes. */
  path: string;
  file: FileValue;
  mode: number;
}

/** Every archive of a package has the same bytes, so nothing in it may depend on when it was made. */
const fixedTime = new Date('2000-01-01T00:00:00Z');

/** The files of a package, sorted by path. @throws ForgeError `input.invalid` for a path that leaves the folder or occurs twice */
export function packageEntries(taskPackage: TaskPackage): PackageEntry[] {
  const seen = new Set<string>();
  return [...taskPackage.files]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, file, executable }) => {
      const unsafe = !isInside(path);
      if (unsafe || seen.has(path)) {
        throw new ForgeError(
          'input.invalid',
          `The package ${taskPackage.manifest.id} has the path ${JSON.stringify(path)} ${unsafe ? 'which leaves its folder' : 'twice'}.`,
          {
            fix: 'Generate the package again; this one was tampered with.',
          },
        );
      }
      seen.add(path);
      return { path, file, mode: executable ? 0o755 : 0o644 };
    });
}

/** Name of the package's folder. @throws ForgeError `input.invalid` for an id that is no folder name */
export function packageFolderName({ manifest }: TaskPackage): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(manifest.id)) return manifest.id;
  throw new ForgeError('input.invalid', `The package id ${JSON.stringify(manifest.id)} is no name for a folder.`);
}

/** The package as a .tar, with one folder named by its id. Equal packages give equal bytes. */
export async function packTar(taskPackage: TaskPackage, read: ReadFile): Promise<Uint8Array> {
  const folder = packageFolderName(taskPackage);
  const files: FileToPack[] = [];
  for (const { path, file, mode } of packageEntries(taskPackage)) files.push({ path, mode, bytes: await read(file) });
  return packFiles(folder, files);
}

export interface FileToPack {
  path: string;
  bytes: Uint8Array;
  mode?: number;
}

/** A .tar with one folder that holds these files. Equal files give equal bytes. */
export async function packFiles(folder: string, files: readonly FileToPack[]): Promise<Uint8Array> {
  const archive = pack();
  const chunks: Uint8Array[] = [];
  const finished = (async () => {
    for await (const chunk of archive) if (chunk instanceof Uint8Array) chunks.push(chunk);
  })();
  for (const { path, mode = 0o644, bytes } of files) {
    const header = { name: `${folder}/${path}`, mode, mtime: fixedTime, uid: 1000, gid: 1000, uname: '', gname: '' };
    await new Promise<void>((done, failed) => {
      archive.entry(header, Buffer.from(bytes), (error) => (error ? failed(error) : done()));
    });
  }
  archive.finalize();
  await finished;
  return Buffer.concat(chunks);
}

/** Writes the package's folder into `parent`, whole or not at all, replacing an older one; answers with its path. */
export async function writePackageFolder(taskPackage: TaskPackage, parent: string, read: ReadFile): Promise<string> {
  const files: FileToWrite[] = [];
  for (const { path, file, mode } of packageEntries(taskPackage))
    files.push({ path, bytes: await read(file), executable: mode === 0o755 });
  return writeFolder(join(parent, packageFolderName(taskPackage)), files);
}
