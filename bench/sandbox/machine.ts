import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';

export const run = promisify(execFile);

/** Memory that the container's processes use, in megabytes, from its control group; null where that cannot be read. */
export async function memoryOf(sandbox: Sandbox): Promise<number | null> {
  const { stdout } = await run('docker', ['inspect', '-f', '{{.Id}}', `cua-forge-${sandbox.id}`]);
  const id = stdout.trim();
  for (const file of [
    `/sys/fs/cgroup/memory/docker/${id}/memory.stat`,
    `/sys/fs/cgroup/system.slice/docker-${id}.scope/memory.stat`,
  ]) {
    const text = await readFile(file, 'utf8').catch(() => null);
    const used = /^(?:total_rss|anon) (\d+)$/m.exec(text ?? '')?.[1];
    if (used !== undefined) return Number(used) / 1e6;
  }
  return null;
}

/** A container of the same image and bounds in which nothing starts but `sleep`: what Docker takes by itself. Gives a way to end it. */
export async function bareContainer(image: string, number: number): Promise<() => Promise<unknown>> {
  const name = `cua-forge-bench-${process.pid}-${number}`;
  const tmpfs = ['/tmp', '/home/user', '/run'].flatMap((path) => ['--tmpfs', `${path}:rw,size=64m`]);
  await run('docker', [
    ...['run', '--detach', '--name', name, '--network', 'none', '--read-only', '--cap-drop', 'ALL', '--init'],
    ...['--security-opt', 'no-new-privileges', '--memory', '2g', '--memory-swap', '2g', '--pids-limit', '512'],
    ...['--user', '1000:1000', ...tmpfs, image, 'sleep', '600'],
  ]);
  return () => run('docker', ['rm', '--force', name]);
}
