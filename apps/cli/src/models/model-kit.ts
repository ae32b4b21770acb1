import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isThere, runtimeEntry, weightsFile } from '@cua-forge/models/local/places';
import { cacheFolderOf, type Environment } from '../bootstrap/environment.ts';
import type { Reporter } from '../bootstrap/progress.ts';
import { reasonOf } from '../bootstrap/temporal-download.ts';
import { installPackages } from '../doctor/install.ts';
import { installRuntime } from './install-runtime.ts';
import { lastWords } from './pip.ts';
import { pullWeights } from './pull-weights.ts';

const run = promisify(execFile);

/** Weights that the tests use. */
export const kitModel = 'smollm2-135m';

/** What tests of real models need: a server of both protocols, the runtime of the local provider, and small weights for both. */
export interface ModelKit {
  python: string;
  weights: string;
  cacheFolder: string;
}

const requirements = 'packages/models/runtime/test-server-requirements.txt';

/** The version that the requirements name. */
const serverVersion = '2026.10.11549';

function places(env: Environment) {
  const cacheFolder = cacheFolderOf(env);
  const venv = join(cacheFolder, `model-server-${serverVersion}`);
  const weights = weightsFile(cacheFolder, kitModel);
  return {
    cacheFolder,
    venv,
    python: join(venv, 'bin/python'),
    weights,
    reason: join(cacheFolder, 'model-kit.reason'),
  };
}

/** The kit, or why it is not there in words. */
export async function findModelKit(env: Environment): Promise<ModelKit | { missing: string }> {
  const { cacheFolder, python, weights, reason } = places(env);
  const there = await Promise.all([python, weights, runtimeEntry(cacheFolder)].map(isThere));
  if (there.every(Boolean)) return { python, weights, cacheFolder };
  const known = await readFile(reason, 'utf8').catch(() => 'it has not been installed: npm test does that');
  return { missing: known.trim() };
}

/** Installs what is missing of the kit. Answers null, or why it cannot be had here, which tests repeat when they are skipped. */
export async function ensureModelKit(root: string, env: Environment, reporter: Reporter): Promise<string | null> {
  const kit = await findModelKit(env);
  if ('python' in kit) return null;
  const { cacheFolder, venv, reason } = places(env);
  await mkdir(cacheFolder, { recursive: true });
  try {
    await pullWeights({ name: kitModel, cacheFolder, env, reporter });
    await installRuntime({ root, cacheFolder, env, reporter });
    await makeVenv(root, venv, env, reporter);
    await rm(reason, { force: true });
    return null;
  } catch (error) {
    const why = reasonOf(error).split('\n').join(' ');
    await writeFile(`${reason}.new`, why);
    await rename(`${reason}.new`, reason);
    return why;
  }
}

async function makeVenv(root: string, venv: string, env: Environment, reporter: Reporter): Promise<void> {
  if (await isThere(join(venv, 'bin/python'))) return;
  reporter.line('Installing the server that the model adapters are tested against');
  const work = `${venv}.new`;
  const make = () => run('python3', ['-m', 'venv', work], { env: { ...env }, timeout: 120_000 });
  await rm(work, { recursive: true, force: true });
  try {
    await make();
  } catch {
    // Debian keeps this module in a package of its own.
    await installPackages(['python3', 'python3-venv'], env, reporter);
    await rm(work, { recursive: true, force: true });
    await make().catch((error: unknown) => {
      throw new Error(`python3 -m venv: ${lastWords(error)}`);
    });
  }
  const args = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--only-binary=:all:',
    '--require-hashes',
  ];
  await run(join(work, 'bin/python'), [...args, '-r', join(root, requirements)], {
    env: { ...env },
    timeout: 600_000,
  }).catch((error: unknown) => {
    throw new Error(`pip install: ${lastWords(error)}`);
  });
  await rename(work, venv);
}
