import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';

/** One machine that runs sandboxes, and how many at once. */
export const SandboxHost = z.strictObject({
  url: z.url({ protocol: /^(unix|tcp|https|ssh)$/ }),
  limit: z.number().int().min(1).max(1000),
});
export type SandboxHost = z.infer<typeof SandboxHost>;

export const SandboxChoice = z.enum(['auto', 'docker', 'bubblewrap', 'none']);
export type SandboxChoice = z.infer<typeof SandboxChoice>;

export interface SandboxSettings {
  /** What workers make sandboxes with; auto: Docker where it has the image, else bubblewrap. */
  provider: SandboxChoice;
  /** Sandboxes that a worker keeps ready once it has used one. */
  warm: number;
  hosts: SandboxHost[];
  /** Sandboxes at once with bubblewrap. */
  bubblewrapLimit: number;
  /** Sockets and records of running sandboxes: short, since the path of a socket has at most 107 bytes. */
  runtime: string;
  /** Snapshots, and root file systems of bubblewrap. */
  data: string;
  /** The folder docker/desktop. */
  recipe: string;
  /** Folder with ca.pem, cert.pem and key.pem, for https hosts. */
  certificates: string | null;
  sshAgent: string | null;
}

/** Reads `FORGE_SANDBOX_HOSTS` (`url=limit`, separated by blanks) and its neighbours. */
export function loadSandboxSettings(env: Readonly<Record<string, string | undefined>>, root: string): SandboxSettings {
  const hosts = (env.FORGE_SANDBOX_HOSTS ?? env.DOCKER_HOST ?? 'unix:///var/run/docker.sock=4')
    .split(/\s+/)
    .filter((one) => one !== '')
    .map(parseHost);
  const limit = z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .safeParse(env.FORGE_SANDBOX_BUBBLEWRAP_LIMIT ?? '4');
  if (!limit.success)
    throw new ForgeError('input.invalid', 'FORGE_SANDBOX_BUBBLEWRAP_LIMIT has to be a whole number from 1 to 1000.');
  const warm = z.coerce
    .number()
    .int()
    .min(0)
    .max(100)
    .safeParse(env.FORGE_SANDBOX_WARM ?? '1');
  if (!warm.success)
    throw new ForgeError('input.invalid', 'FORGE_SANDBOX_WARM has to be a whole number from 0 to 100.');
  const provider = SandboxChoice.safeParse(env.FORGE_SANDBOX_PROVIDER ?? 'auto');
  if (!provider.success)
    throw new ForgeError('input.invalid', 'FORGE_SANDBOX_PROVIDER has to be auto, docker, bubblewrap or none.');
  return {
    provider: provider.data,
    warm: warm.data,
    hosts,
    bubblewrapLimit: limit.data,
    runtime: env.FORGE_SANDBOX_RUNTIME ?? join(tmpdir(), `forge-sandbox-${userInfo().uid}`),
    data: join(env.FORGE_DATA ?? join(root, '.forge'), 'sandbox'),
    recipe: join(root, 'docker/desktop'),
    certificates: env.DOCKER_CERT_PATH ?? null,
    sshAgent: env.SSH_AUTH_SOCK ?? null,
  };
}

function parseHost(text: string): SandboxHost {
  const [, url = text, limit = '4'] = /^(.*?)(?:=(\d+))?$/.exec(text) ?? [];
  const host = SandboxHost.safeParse({ url, limit: Number(limit) });
  if (!host.success)
    throw new ForgeError('input.invalid', `'${text}' in FORGE_SANDBOX_HOSTS is no host.`, {
      fix: 'Write url=limit, such as unix:///var/run/docker.sock=4 or ssh://user@machine=8.',
    });
  const { protocol, hostname } = new URL(host.data.url);
  // A daemon without encryption gives root of its machine to everybody on the way.
  if (protocol === 'tcp:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    throw new ForgeError('input.invalid', `'${text}' would talk to Docker on another machine without encryption.`, {
      fix: 'Use ssh://user@machine, or https://machine:2376 with DOCKER_CERT_PATH.',
    });
  return host.data;
}
