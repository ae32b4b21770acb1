import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArtifactFolder } from './artifact-folder.ts';
import { artifactOf, sampleBytes } from './testing/samples.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-artifacts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const { hash, bytes } = artifactOf(sampleBytes(20_000));
const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

describe('ArtifactFolder', () => {
  it('stores a file under the first two digits of its hash', async () => {
    const artifacts = new ArtifactFolder(folder);
    await artifacts.prepare();
    await artifacts.put(hash, bytes);
    expect(Buffer.compare(await readFile(join(folder, hash.slice(0, 2), hash)), bytes)).toBe(0);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });

  it('leaves nothing behind when the disk is full in the middle of a file', async () => {
    const artifacts = new ArtifactFolder(folder, async (file, content) => {
      await file.write(content.subarray(0, 7_000));
      throw full;
    });
    await artifacts.prepare();
    await expect(artifacts.put(hash, bytes)).rejects.toMatchObject({ code: 'store.full', cause: full });
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    expect(await artifacts.has(hash)).toBe(false);
    expect(await artifacts.get(hash)).toBeNull();
  });

  it('does not write what is there', async () => {
    let writes = 0;
    const artifacts = new ArtifactFolder(folder, async (file, content) => {
      writes += 1;
      await file.writeFile(content);
    });
    await artifacts.prepare();
    await artifacts.put(hash, bytes);
    await artifacts.put(hash, bytes);
    expect(writes).toBe(1);
    await writeFile(join(folder, hash.slice(0, 2), hash), Buffer.alloc(bytes.byteLength));
    await artifacts.put(hash, bytes);
    expect(writes).toBe(2);
  });

  it('removes unfinished files of processes that are gone, and no younger ones', async () => {
    const artifacts = new ArtifactFolder(folder);
    await artifacts.prepare();
    const [abandoned, current] = [join(folder, 'tmp', 'abandoned'), join(folder, 'tmp', 'current')];
    for (const path of [abandoned, current]) await writeFile(path, 'half');
    const twoHoursAgo = Date.now() / 1_000 - 7_200;
    await utimes(abandoned, twoHoursAgo, twoHoursAgo);
    await artifacts.prepare();
    expect(await readdir(join(folder, 'tmp'))).toEqual(['current']);
  });
});
