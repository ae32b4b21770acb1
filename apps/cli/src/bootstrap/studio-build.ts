import { createHash, randomUUID } from 'node:crypto';
import { type Dirent, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Environment } from './environment.ts';
import { startProcess } from './managed-process.ts';
import type { Reporter } from './progress.ts';

/** Folder of the built studio. */
export const studioDist = (root: string): string => join(root, 'apps/studio/dist');

/** What the built studio is made from, relative to the project. */
const inputs = ['apps/studio', 'packages/api-client/src', 'packages/spec/src', 'package-lock.json', 'tsconfig.json'];
const ignored: ReadonlySet<string> = new Set(['dist', 'node_modules', 'test-results']);
const stampName = '.inputs';

/** Builds the studio unless the built one was made from the same files. Fails with the builder's last words; a failed build leaves the old one. */
export async function buildStudio(root: string, env: Environment, reporter: Reporter): Promise<{ built: boolean }> {
  const dist = studioDist(root);
  const wanted = await hashOf(root);
  const isBuilt = async () =>
    (await readFile(join(dist, stampName), 'utf8').catch(() => '')) === wanted && existsSync(join(dist, 'index.html'));
  if (await isBuilt()) return { built: false };

  reporter.line('Building the studio');
  const fresh = join(root, 'node_modules/.cache/cua-forge', `studio-${randomUUID()}`);
  await mkdir(fresh, { recursive: true });
  try {
    const lastWords: string[] = [];
    const vite = await startProcess({
      command: process.execPath,
      args: [
        join(root, 'node_modules/vite/bin/vite.js'),
        'build',
        '--outDir',
        fresh,
        '--emptyOutDir',
        '--logLevel',
        'warn',
      ],
      cwd: join(root, 'apps/studio'),
      env: { ...env, NODE_ENV: 'production' },
      onLine: (line) => {
        if (lastWords.push(line) > 20) lastWords.shift();
      },
    });
    const exit = await vite.exited;
    await vite.stop();
    if (exit.code !== 0) {
      throw new ForgeError('internal', `The studio could not be built:\n${lastWords.join('\n')}`, {
        fix: 'Correct apps/studio, or start again from an unchanged copy.',
      });
    }
    // Another process may have built the same meanwhile, and may serve it already.
    if (await isBuilt()) return { built: false };
    await writeFile(join(fresh, stampName), wanted);
    await rm(dist, { recursive: true, force: true });
    await rename(fresh, dist);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return { built: true };
}

async function hashOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of await filesUnder(join(root, input))) {
      hash.update(relative(root, file)).update('\0');
      hash.update(await readFile(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

/** All files under a path in a stable order; the path itself when it is a file. */
async function filesUnder(path: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? [path] : [];
  }
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (ignored.has(entry.name) || entry.name.includes('.test.')) continue;
    files.push(...(entry.isDirectory() ? await filesUnder(join(path, entry.name)) : [join(path, entry.name)]));
  }
  return files;
}
