import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';
import type { Cassette } from './cassette.ts';

/** Where recordings lie, by name. */
export interface CassetteShelf {
  put(name: string, cassette: Cassette): Promise<void>;
  /** What lies there under the name, unchecked; undefined when nothing does. @throws when it cannot be read as JSON */
  get(name: string): Promise<unknown>;
}

/** A folder with a file for each recording; or one file with a line for each (`.jsonl`, and packed as `.jsonl.gz`, to read only). */
export function cassetteShelf(place: string): CassetteShelf {
  return /\.jsonl(\.gz)?$/.test(place) ? fileShelf(place) : folderShelf(place);
}

function folderShelf(folder: string): CassetteShelf {
  const fileOf = (name: string) => join(folder, `${name}.json`);
  return {
    async put(name, cassette) {
      await mkdir(folder, { recursive: true });
      const temporary = `${fileOf(name)}.${randomUUID()}`;
      await writeFile(temporary, `${JSON.stringify(cassette, null, 2)}\n`);
      await rename(temporary, fileOf(name));
    },
    async get(name) {
      const text = await readFile(fileOf(name), 'utf8').catch(nothingThere);
      return text === undefined ? undefined : JSON.parse(text);
    },
  };
}

const Line = z.looseObject({ name: z.string() });

function fileShelf(file: string): CassetteShelf {
  let lines: Promise<Map<string, unknown>> | null = null;
  return {
    async put(name, { request: _request, ...cassette }) {
      if (file.endsWith('.gz')) {
        throw new ForgeError('input.invalid', `${file} is packed: recordings cannot be added to it.`, {
          fix: 'Record into a .jsonl file and pack it with gzip when it is complete.',
        });
      }
      await mkdir(dirname(file), { recursive: true });
      await appendFile(file, `${JSON.stringify({ name, ...cassette })}\n`);
    },
    async get(name) {
      lines ??= readLines(file);
      return (await lines).get(name);
    },
  };
}

async function readLines(file: string): Promise<Map<string, unknown>> {
  const bytes = await readFile(file).catch(nothingThere);
  if (bytes === undefined) return new Map();
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const entries = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): [string, unknown] => {
      const { name, ...cassette } = Line.parse(JSON.parse(line));
      return [name, cassette];
    });
  return new Map(entries);
}

function nothingThere(thrown: unknown): undefined {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
  throw thrown;
}
