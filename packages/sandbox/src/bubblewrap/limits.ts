import { mkdir, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxOptions } from '@cua-forge/spec/sandbox-port';

/** A group of processes with bounds. */
export interface ControlGroup {
  /** Files that a process writes its id to, to belong to the group with all its later children. */
  files: string[];
}

const mebibyte = 1024 ** 2;
const root = '/sys/fs/cgroup';

/** Removes the groups of a sandbox that has ended. */
export async function removeControlGroup(id: string): Promise<void> {
  for (const part of ['', 'memory', 'pids', 'cpu']) {
    const folder = join(root, part, 'cua-forge', id);
    // Processes that are ending keep it for a moment.
    for (let attempt = 0; attempt < 20; attempt++) {
      const failed = await rmdir(folder).then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === 'EBUSY',
      );
      if (!failed) break;
      await sleep(25);
    }
  }
}

/** Makes a control group where this process may (root, either version of the interface); null elsewhere. */
export async function controlGroup(id: string, options: SandboxOptions): Promise<ControlGroup | null> {
  const memory = String(options.memoryMb * mebibyte);
  const unified = (await stat(join(root, 'cgroup.controllers')).catch(() => null)) !== null;
  const wanted: { folder: string; files: Record<string, string> }[] = unified
    ? [
        {
          folder: join(root, 'cua-forge', id),
          files: {
            'memory.max': memory,
            'memory.swap.max': '0',
            'pids.max': String(options.processes),
            'cpu.max': `${Math.round(options.cpus * 100_000)} 100000`,
          },
        },
      ]
    : [
        { folder: join(root, 'memory', 'cua-forge', id), files: { 'memory.limit_in_bytes': memory } },
        { folder: join(root, 'pids', 'cua-forge', id), files: { 'pids.max': String(options.processes) } },
        {
          folder: join(root, 'cpu', 'cua-forge', id),
          files: { 'cpu.cfs_quota_us': String(Math.round(options.cpus * 100_000)) },
        },
      ];
  const made: string[] = [];
  try {
    if (unified) {
      await mkdir(join(root, 'cua-forge'), { recursive: true });
      await writeFile(join(root, 'cgroup.subtree_control'), '+memory +pids +cpu');
      await writeFile(join(root, 'cua-forge', 'cgroup.subtree_control'), '+memory +pids +cpu');
    }
    for (const { folder, files } of wanted) {
      await mkdir(folder, { recursive: true });
      made.push(folder);
      for (const [name, value] of Object.entries(files)) {
        // Swap is not accounted everywhere.
        await writeFile(join(folder, name), value).catch((error: unknown) => {
          if (name !== 'memory.swap.max') throw error;
        });
      }
    }
  } catch {
    await removeControlGroup(id);
    return null;
  }
  return {
    files: made.map((folder) => join(folder, 'cgroup.procs')),
  };
}
