import { readFile, realpath } from 'node:fs/promises';
import { basename, isAbsolute, resolve, sep } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ArtifactStore } from '@cua-forge/spec/store-port';
import type { FileValue } from '@cua-forge/spec/value';
import { lookup } from 'mime-types';

export const mediaTypeOf = (name: string): string => lookup(name) || 'application/octet-stream';

function refused(input: string, path: string, why: string, cause?: unknown): ForgeError {
  return new ForgeError(
    'input.invalid',
    `The default of input "${input}" is the file ${JSON.stringify(path)}, ${why}.`,
    {
      fix: `Give a file for "${input}".`,
      place: { port: input },
      cause,
    },
  );
}

/**
 * Reads the file that a shipped document names as an input's default and puts it into the store.
 * @throws ForgeError `input.invalid` when it is not there, or would lie outside the document's own folder
 */
export async function loadSkillFile(
  skillsFolder: string,
  documentId: string,
  input: string,
  path: string,
  artifacts: ArtifactStore,
): Promise<FileValue> {
  if (isAbsolute(path) || path.includes('\0')) throw refused(input, path, 'which is not a path beside the document');
  const folder = resolve(skillsFolder, documentId);
  const inside = (root: string, file: string): boolean => file.startsWith(root + sep);
  const file = resolve(folder, path);
  if (!inside(folder, file)) throw refused(input, path, "which lies outside the document's folder");
  try {
    // Links may point outside, too.
    const [realFolder, realFile] = await Promise.all([realpath(folder), realpath(file)]);
    if (!inside(realFolder, realFile)) throw refused(input, path, "which lies outside the document's folder");
    const bytes = await readFile(realFile);
    const { hash, size } = await artifacts.put(bytes);
    return { name: basename(realFile), mediaType: mediaTypeOf(realFile), hash, size };
  } catch (cause) {
    if (cause instanceof ForgeError) throw cause;
    throw refused(input, path, 'which cannot be read here', cause);
  }
}
