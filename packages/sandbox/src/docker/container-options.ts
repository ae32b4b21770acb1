import type { SandboxOptions } from '@cua-forge/spec/sandbox-port';
import type { ContainerCreateOptions } from 'dockerode';
import { insideHome } from '../runtime-folder.ts';

export const labels = {
  id: 'cua-forge.sandbox',
  machine: 'cua-forge.machine',
  lease: 'cua-forge.lease',
  createdAt: 'cua-forge.created-at',
  options: 'cua-forge.options',
} as const;

const mebibyte = 1024 ** 2;

/** What the agent reads when it starts. */
export function agentEnvironment(options: SandboxOptions): Record<string, string> {
  return {
    FORGE_SCREEN: `${options.width}x${options.height}`,
    FORGE_LOCALE: options.locale,
    FORGE_TIMEZONE: options.timezone,
    HOME: insideHome,
    XDG_RUNTIME_DIR: '/run/desktop',
    ...(options.clock === null ? {} : { FORGE_CLOCK: options.clock.replace('T', ' ') }),
  };
}

/** A container that reaches nothing: no network, no capability, a root that cannot be written, bounds on memory, processes, processors and disk. */
export function containerOptions(request: {
  id: string;
  image: string;
  machine: string;
  createdAt: number;
  options: SandboxOptions;
  /** Folder of this machine that the agent's socket is made in; null where the daemon is on another machine. */
  socketFolder: string | null;
}): ContainerCreateOptions {
  const { id, image, machine, createdAt, options, socketFolder } = request;
  const memory = options.memoryMb * mebibyte;
  const disk = (size: number): string => `rw,nosuid,nodev,size=${size}m,uid=1000,gid=1000,mode=0700`;
  return {
    name: `cua-forge-${id}`,
    Image: image,
    Hostname: 'desktop',
    User: '1000:1000',
    Env: Object.entries(agentEnvironment(options)).map(([name, value]) => `${name}=${value}`),
    Labels: {
      [labels.id]: id,
      [labels.machine]: machine,
      [labels.lease]: options.lease,
      [labels.createdAt]: String(createdAt),
      [labels.options]: JSON.stringify(options),
    },
    HostConfig: {
      NetworkMode: 'none',
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.round(options.cpus * 1e9),
      PidsLimit: options.processes,
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      Init: true,
      ShmSize: 256 * mebibyte,
      Tmpfs: {
        '/tmp': `rw,nosuid,nodev,size=${options.diskMb}m,uid=1000,gid=1000,mode=1777`,
        // Programs of a task may lie in the home folder and be run from there.
        [insideHome]: `${disk(options.diskMb)},exec`,
        '/run': disk(16),
        ...(socketFolder === null ? { '/sock': disk(1) } : {}),
      },
      ...(socketFolder === null ? {} : { Binds: [`${socketFolder}:/sock`] }),
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
      RestartPolicy: { Name: 'no' },
    },
  };
}
