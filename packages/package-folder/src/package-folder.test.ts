import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import { TaskPackage } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';
import { extract } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageEntries, packTar, writePackageFolder } from './package-folder.ts';

const texts = new Map<string, string>();
const file = (path: string, text: string): FileValue => {
  const hash = createHash('sha256').update(text).digest('hex');
  texts.set(hash, text);
  return { name: path.slice(path.lastIndexOf('/') + 1), mediaType: 'text/plain', hash, size: Buffer.byteLength(text) };
};
const read = async ({ hash, name }: FileValue) => {
  const text = texts.get(hash);
  if (text === undefined) throw new ForgeError('artifact.missing', `${name} is gone.`);
  return new TextEncoder().encode(text);
};
const part = (path: string, text: string, executable = false) => ({ path, file: file(path, text), executable });
const packageOf = (files: ReturnType<typeof part>[], id = 'skill-1-abc') =>
  TaskPackage.parse({
    manifest: {
      schema: 1,
      id,
      title: 'A task',
      domain: 'd',
      skills: ['s'],
      applications: ['a'],
      seed: 1,
      workflow: { id: 'w', version: 'v' },
      run: 'r',
      models: ['rehearsal'],
      files: [],
      outcome: { kind: 'k', summary: 's' },
      traits: {},
      proofs: [],
      gates: [],
    },
    files,
  });
const whole = packageOf([
  part('task.json', '{}'),
  part('setup/setup.sh', '#!/bin/sh\n', true),
  part('files/Bücher – 2024.txt', 'ä'.repeat(70_000)),
]);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function unpacked(bytes: Uint8Array) {
  const found: Record<string, { text: string; mode: number | undefined }> = {};
  const reader = extract();
  reader.end(Buffer.from(bytes));
  for await (const entry of reader) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) if (chunk instanceof Buffer) chunks.push(chunk);
    found[entry.header.name] = { text: Buffer.concat(chunks).toString('utf8'), mode: entry.header.mode };
  }
  return found;
}

describe('packTar', () => {
  it('packs every file below the id, with the same bytes each time', async () => {
    const bytes = await packTar(whole, read);
    const shuffled = { ...whole, files: [...whole.files].reverse() };
    expect(Buffer.compare(bytes, await packTar(shuffled, read))).toBe(0);
    expect(await unpacked(bytes)).toEqual({
      'skill-1-abc/files/Bücher – 2024.txt': { text: 'ä'.repeat(70_000), mode: 0o644 },
      'skill-1-abc/setup/setup.sh': { text: '#!/bin/sh\n', mode: 0o755 },
      'skill-1-abc/task.json': { text: '{}', mode: 0o644 },
    });
  });

  it('hands on the failure of a file that is gone', async () => {
    const broken = packageOf([
      part('a.txt', 'x'),
      { path: 'b.txt', file: { ...file('b', 'y'), hash: 'f'.repeat(64) }, executable: false },
    ]);
    await expect(packTar(broken, read)).rejects.toMatchObject({ code: 'artifact.missing' });
  });
});

describe('writePackageFolder', () => {
  it('writes the folder and replaces an older one', async () => {
    const target = await writePackageFolder(whole, folder, read);
    expect((await stat(join(target, 'setup/setup.sh'))).mode & 0o777).toBe(0o755);
    await writePackageFolder(packageOf([part('task.json', '{"new":true}')]), folder, read);
    expect(await readdir(folder)).toEqual(['skill-1-abc']);
    expect(await readdir(target)).toEqual(['task.json']);
    expect(await readFile(join(target, 'task.json'), 'utf8')).toBe('{"new":true}');
  });

  it('leaves nothing behind when a file cannot be read', async () => {
    const broken = packageOf([
      part('a.txt', 'x'),
      { path: 'b.txt', file: { ...file('b', 'y'), hash: 'f'.repeat(64) }, executable: false },
    ]);
    await expect(writePackageFolder(broken, folder, read)).rejects.toMatchObject({ code: 'artifact.missing' });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('packageEntries', () => {
  it.each(['../x', '/etc/passwd', 'a//b', 'a/./b', 'a\\..\\b'])('refuses the path %s', (path) => {
    expect(() => packageEntries(packageOf([part(path, 'x')]))).toThrow(
      expect.objectContaining({ code: 'input.invalid' }),
    );
  });

  it('refuses a path twice and an id that is no folder name', async () => {
    expect(() => packageEntries(packageOf([part('a', 'x'), part('a', 'y')]))).toThrow(/twice/);
    await expect(packTar(packageOf([], '../up'), read)).rejects.toMatchObject({ code: 'input.invalid' });
  });
});
