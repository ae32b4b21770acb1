import { spawn } from 'node:child_process';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ForgeError } from '@cua-forge/spec/errors';
import type { SandboxTarget } from '@cua-forge/spec/sandbox-port';
import type { BuildReport } from '../build-report.ts';
import { type DockerHost, dockerError } from '../docker/docker-host.ts';
import { readRecipe } from '../image-recipe.ts';

/** Folder of the root file system of a target, whether it is there or not. */
export async function rootFolder(data: string, recipe: string, target: SandboxTarget): Promise<string> {
  const { name } = await readRecipe(recipe, target);
  return join(data, 'roots', name.replace(':', '-'));
}

/** Unpacks an image into a root file system for bubblewrap, unless that is there. Needs root, for the owners of the files. */
export async function exportRoot(
  host: DockerHost,
  request: { image: string; folder: string },
  report: BuildReport,
): Promise<{ built: boolean }> {
  const { image, folder } = request;
  if ((await stat(folder).catch(() => null)) !== null) return { built: false };
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  const container = await host.docker.createContainer({ Image: image, Cmd: ['true'] }).catch((error: unknown) => {
    throw dockerError(error, host.url, `unpack ${image}`);
  });
  try {
    const archive = await container.export();
    // Devices are left out: bubblewrap brings its own.
    const tar = spawn('tar', ['-x', '--numeric-owner', '--exclude=dev/*', '--exclude=.dockerenv', '-C', fresh], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let words = '';
    tar.stderr.on('data', (data: Buffer) => {
      words = `${words}${data.toString('utf8')}`.slice(-500);
    });
    const exited = new Promise<number | null>((resolve, reject) => {
      tar.on('error', reject);
      tar.on('close', resolve);
    });
    let bytes = 0;
    const start = Date.now();
    archive.on('data', (data: Buffer) => {
      bytes += data.length;
      const seconds = Math.max(0.1, (Date.now() - start) / 1000);
      report.update(`Unpacking: ${(bytes / 1e6).toFixed(0)} MB, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s`);
    });
    await pipeline(archive, tar.stdin);
    if ((await exited) !== 0)
      throw new ForgeError('sandbox.unavailable', `The image could not be unpacked: ${words.trim()}`, {
        fix: 'It needs root and about 2 GB of disk.',
      });
    await rename(fresh, folder);
    return { built: true };
  } finally {
    await container.remove({ force: true }).catch(() => undefined);
    await rm(fresh, { recursive: true, force: true });
  }
}
