import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isThere, runtimeEntry, runtimeFolder, runtimeVersion } from '@cua-forge/models/local/places';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Environment } from '../bootstrap/environment.ts';
import type { Reporter } from '../bootstrap/progress.ts';
import { lastWords } from './pip.ts';

const run = promisify(execFile);

/** The builds for processors alone; those for graphics cards are several hundred megabytes. */
const builds: Readonly<Record<string, string>> = {
  'linux x64': 'linux-x64',
  'linux arm64': 'linux-arm64',
  'darwin arm64': 'mac-arm64-metal',
  'darwin x64': 'mac-x64',
};

/**
 * Installs what runs local models into the cache folder, once: the versions and hashes of packages/models/runtime/package-lock.json,
 * no scripts of packages. Answers whether anything had to be done. @throws ForgeError `tool.missing`
 */
export async function installRuntime(options: {
  root: string;
  cacheFolder: string;
  env: Environment;
  reporter: Reporter;
}): Promise<boolean> {
  const { root, cacheFolder, env, reporter } = options;
  if (await isThere(runtimeEntry(cacheFolder))) return false;
  const build = builds[`${process.platform} ${process.arch}`];
  if (build === undefined)
    throw new ForgeError(
      'tool.missing',
      `There is no runtime for local models on ${process.platform} ${process.arch}.`,
      {
        fix: 'Use a provider that is asked over HTTP: FORGE_MODEL_PROVIDER=openai or anthropic.',
      },
    );
  await mkdir(cacheFolder, { recursive: true });
  const work = await mkdtemp(join(cacheFolder, 'runtime-'));
  const started = Date.now();
  const ticking = setInterval(
    () =>
      reporter.update(
        `Runtime for local models: installing, ${Math.round((Date.now() - started) / 1000)} s (about 80 MB)`,
      ),
    1_000,
  );
  try {
    for (const name of ['package.json', 'package-lock.json'])
      await copyFile(join(root, 'packages/models/runtime', name), join(work, name));
    const npm = async (...args: string[]) => {
      const flags = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await run('npm', [...args, ...flags], { cwd: work, env: { ...env }, timeout: 900_000 });
    };
    await npm('ci');
    await npm('install', '--no-save', `@node-llama-cpp/${build}@${runtimeVersion}`);
    const target = runtimeFolder(cacheFolder);
    await rename(work, target).catch(async (error: unknown) => {
      // Somebody else was quicker, or one that was broken lies there.
      if (await isThere(runtimeEntry(cacheFolder))) return;
      await rm(target, { recursive: true, force: true });
      await rename(work, target).catch(() => {
        throw error;
      });
    });
    return true;
  } catch (error) {
    throw new ForgeError('tool.missing', `The runtime for local models could not be installed: ${lastWords(error)}.`, {
      fix: 'Check that npm reaches its registry and that 200 MB are free, then run forge models pull --runtime again.',
      cause: error,
    });
  } finally {
    clearInterval(ticking);
    await rm(work, { recursive: true, force: true });
  }
}
