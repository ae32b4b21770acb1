import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewingProvider } from '@cua-forge/sandbox/agent/view-stream';
import { bubblewrapProvider } from '@cua-forge/sandbox/bubblewrap/bubblewrap-provider';
import { exportRoot, rootFolder } from '@cua-forge/sandbox/bubblewrap/root-file-system';
import { buildImage } from '@cua-forge/sandbox/docker/build-image';
import { connectHost } from '@cua-forge/sandbox/docker/docker-host';
import { dockerProvider } from '@cua-forge/sandbox/docker/docker-provider';
import { loadSandboxSettings, type SandboxSettings } from '@cua-forge/sandbox/settings';

const root = join(import.meta.dirname, '../..');

export interface Desks {
  settings: SandboxSettings;
  docker: ViewingProvider;
  bubblewrap: ViewingProvider;
  stop(): Promise<void>;
}

/** Docker (started where it does not run), the image `minimal`, and a root file system for bubblewrap unless that is not needed; FORGE_TEST_ROOT names one that is there. Minutes the first time, seconds later. */
export async function prepareDesks({ bubblewrap = true }: { bubblewrap?: boolean } = {}): Promise<Desks> {
  const runtime = await mkdtemp(join(tmpdir(), 'fs-'));
  const data = await mkdtemp(join(tmpdir(), 'forge-sandbox-data-'));
  const settings = {
    ...loadSandboxSettings({ FORGE_SANDBOX_BUBBLEWRAP_LIMIT: '8' }, root),
    runtime: join(runtime, 'r'),
    data,
  };
  settings.hosts = [{ url: 'unix:///var/run/docker.sock', limit: 8 }];
  // Whoever is inside bubblewrap is another user and has to get to the root file system.
  await chmod(runtime, 0o711);
  await chmod(data, 0o711);
  const [first] = settings.hosts;
  if (first === undefined) throw new Error('no host');
  const host = connectHost(first, settings);
  const daemon = await startDocker(() => host.docker.ping());
  const report = { line: (text: string) => console.error(text), update: () => undefined };
  const { image } = await buildImage(host, { folder: settings.recipe, target: 'minimal' }, report);
  if (bubblewrap) {
    const folder = await rootFolder(data, settings.recipe, 'minimal');
    const made = process.env.FORGE_TEST_ROOT;
    if (made === undefined) await exportRoot(host, { image, folder }, report);
    else {
      // One that was made without an image, by debootstrap.
      await mkdir(dirname(folder), { recursive: true });
      await symlink(resolve(made), folder);
    }
  }
  const desks = { settings, docker: dockerProvider(settings), bubblewrap: bubblewrapProvider(settings) };
  return {
    ...desks,
    async stop() {
      await desks.docker.sweep({ maxAgeMs: -1 });
      await desks.bubblewrap.sweep({ maxAgeMs: -1 });
      if (daemon !== null) {
        daemon.kill('SIGTERM');
        await once(daemon, 'exit');
      }
      for (const folder of [runtime, data]) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startDocker(ping: () => Promise<unknown>): Promise<ChildProcess | null> {
  const answers = () =>
    ping().then(
      () => true,
      () => false,
    );
  if (await answers()) return null;
  const daemon = spawn('dockerd', [], { stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  daemon.stderr.on('data', (data: Buffer) => {
    words = `${words}${data.toString('utf8')}`.slice(-2000);
  });
  for (let attempt = 0; attempt < 300; attempt++) {
    if (await answers()) return daemon;
    if (daemon.exitCode !== null) break;
    await sleep(100);
  }
  daemon.kill('SIGKILL');
  throw new Error(`Docker did not start: ${words}`);
}
