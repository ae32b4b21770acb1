import type { SandboxOptions } from '@cua-forge/spec/sandbox-port';
import { agentEnvironment } from '../docker/container-options.ts';
import { insideHome, insideUser } from '../runtime-folder.ts';

const mebibyte = 1024 ** 2;

/** The command line that runs the agent in namespaces of its own, on a root that cannot be written. */
export function bubblewrapCommand(request: {
  root: string;
  socketFolder: string;
  options: SandboxOptions;
  /** The user outside that it runs as, where the caller is root; null keeps the caller's. */
  user: number | null;
  /** Files of control groups. */
  groupFiles: readonly string[];
}): string[] {
  const { root, socketFolder, options, user, groupFiles } = request;
  const disk = options.diskMb * mebibyte;
  const tmpfs = (path: string, size: number, mode: string): string[] => [
    '--perms',
    mode,
    '--size',
    String(size),
    '--tmpfs',
    path,
  ];
  const environment = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...agentEnvironment(options) };
  return [
    'sh',
    '-c',
    // The process joins its groups before it gives up the right to.
    'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ >"$1" || exit 71; shift; n=$((n-1)); done; exec "$@"',
    'sandbox',
    String(groupFiles.length),
    ...groupFiles,
    ...(user !== null
      ? [
          'setpriv',
          `--reuid=${user}`,
          `--regid=${user}`,
          '--clear-groups',
          '--no-new-privs',
          '--bounding-set=-all',
          '--inh-caps=-all',
        ]
      : []),
    'prlimit',
    `--nproc=${options.processes}`,
    `--data=${options.memoryMb * mebibyte}`,
    '--nofile=4096',
    '--core=0',
    'bwrap',
    '--unshare-all',
    '--unshare-user',
    '--disable-userns',
    '--uid',
    String(insideUser),
    '--gid',
    String(insideUser),
    '--hostname',
    'desktop',
    '--new-session',
    '--ro-bind',
    root,
    '/',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...tmpfs('/dev/shm', 256 * mebibyte, '1777'),
    ...tmpfs('/tmp', disk, '1777'),
    ...tmpfs('/run', 16 * mebibyte, '0700'),
    ...tmpfs(insideHome, disk, '0700'),
    '--bind',
    socketFolder,
    '/sock',
    '--clearenv',
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    insideHome,
    'python3',
    '-u',
    '/opt/desktop/agent/agent.py',
    '--listen',
    '/sock/agent.sock',
  ];
}
