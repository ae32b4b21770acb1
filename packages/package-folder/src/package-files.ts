import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ForgeError } from '@cua-forge/spec/errors';
import { Rubric, SetupOperation, TaskManifest, TaskPackage } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';
import { extract } from 'tar-stream';
import { z } from 'zod';

/** A task package with its bytes at hand, from wherever it came. */
export interface LoadedPackage {
  package: TaskPackage;
  /** By hash. */
  bytes: ReadonlyMap<string, Uint8Array>;
}

/** A file as it stood in a folder or an archive; `path` is relative to the package. */
export interface FoundFile {
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

/** Most bytes and files that a package from outside may have. */
export const packageLimits = { bytes: 200 * 1024 ** 2, files: 2_000 };

const SetupJson = z.strictObject({ operations: z.array(SetupOperation) });
const required = ['task.json', 'instruction.md', 'rubric.json', 'setup/setup.sh', 'setup/setup.json'];

/**
 * The package that these files are. Everything is checked before anything is kept: the parts that every package has, their schemas, and the hashes that `task.json` names.
 * @throws ForgeError `input.invalid` naming the file and what is wrong with it
 */
export function packageOfFiles(files: readonly FoundFile[]): LoadedPackage {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const missing = required.filter((path) => !byPath.has(path));
  if (missing.length > 0)
    throw new ForgeError('input.invalid', `This is no task package: it has no ${missing.join(', no ')}.`, {
      fix: 'Give a folder or .tar that `forge packages export` wrote.',
    });
  const manifest = parsedJson(byPath, 'task.json', TaskManifest);
  parsedJson(byPath, 'rubric.json', Rubric);
  parsedJson(byPath, 'setup/setup.json', SetupJson);
  const bytes = new Map<string, Uint8Array>();
  const parts = files.map((found) => {
    const file = fileValueOf(found);
    bytes.set(file.hash, found.bytes);
    return { path: found.path, file, executable: found.executable };
  });
  for (const { path, hash } of manifest.files) {
    const part = parts.find((one) => one.path === path);
    if (part === undefined)
      throw new ForgeError('input.invalid', `${path} is named in task.json, but it is not there.`);
    if (part.file.hash !== hash)
      throw new ForgeError('input.invalid', `${path} is not the file that task.json names: it was changed.`, {
        fix: 'Export the package again, or take the change back.',
      });
  }
  const byName = new Map(manifest.files.map(({ path, mediaType }) => [path, mediaType]));
  return {
    package: TaskPackage.parse({
      manifest,
      files: parts.map((part) => ({
        ...part,
        file: { ...part.file, mediaType: byName.get(part.path) ?? part.file.mediaType },
      })),
    }),
    bytes,
  };
}

function parsedJson<S extends z.ZodType>(files: ReadonlyMap<string, FoundFile>, path: string, schema: S): z.output<S> {
  const text = Buffer.from(files.get(path)?.bytes ?? []).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ForgeError('input.invalid', `${path} is not JSON.`, { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ForgeError('input.invalid', `${path} is not right: ${z.prettifyError(parsed.error)}`);
}

const mediaTypes: Record<string, string> = {
  json: 'application/json',
  md: 'text/markdown',
  sh: 'application/x-sh',
  txt: 'text/plain',
  csv: 'text/csv',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  eml: 'message/rfc822',
  mbox: 'application/mbox',
  png: 'image/png',
};

function fileValueOf({ path, bytes }: FoundFile): FileValue {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return {
    name,
    mediaType: mediaTypes[ending] ?? 'application/octet-stream',
    hash: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.byteLength,
  };
}

/** Whether a path stays below the folder that it is in. */
export const isInside = (path: string): boolean =>
  !path.includes('\\') &&
  !path.includes('\0') &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/**
 * The files of a .tar whose entries all lie in one folder; that folder is cut off their paths.
 * @throws ForgeError `input.invalid` for links, paths that leave the folder, an archive beyond the limits, or what is no .tar
 */
export async function filesOfTar(archive: Uint8Array): Promise<FoundFile[]> {
  if (archive.byteLength > packageLimits.bytes) throw tooLarge();
  const files: FoundFile[] = [];
  const reader = Readable.from([Buffer.from(archive)]).pipe(extract());
  try {
    for await (const entry of reader) {
      const { name, type, mode } = entry.header;
      const chunks: Buffer[] = [];
      for await (const chunk of entry) if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
      if (type === 'directory') continue;
      const path = name.slice(name.indexOf('/') + 1);
      if (type !== 'file' || name.indexOf('/') < 1 || !isInside(path))
        throw new ForgeError(
          'input.invalid',
          `The archive has the entry ${JSON.stringify(name)}, which is not allowed.`,
          {
            fix: 'A package archive holds one folder with plain files.',
          },
        );
      files.push({ path, bytes: Buffer.concat(chunks), executable: ((mode ?? 0) & 0o100) !== 0 });
      if (files.length > packageLimits.files) throw tooLarge();
    }
  } catch (cause) {
    if (cause instanceof ForgeError) throw cause;
    throw new ForgeError('input.invalid', 'The archive cannot be read: it is no .tar, or it is cut.', { cause });
  }
  return files;
}

export const tooLarge = (): ForgeError =>
  new ForgeError(
    'input.invalid',
    `A package may have ${packageLimits.files} files and ${packageLimits.bytes / 1024 ** 2} MB at most.`,
  );
