import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import Docker from 'dockerode';
import type { SandboxHost, SandboxSettings } from '../settings.ts';

/** One Docker daemon. On another machine its sockets cannot be reached, so an exec joins the streams there. */
export interface DockerHost {
  url: string;
  limit: number;
  docker: Docker;
  local: boolean;
}

export function connectHost(
  { url, limit }: SandboxHost,
  { certificates, sshAgent }: Pick<SandboxSettings, 'certificates' | 'sshAgent'>,
): DockerHost {
  const { protocol, hostname, port, username, pathname } = new URL(url);
  switch (protocol) {
    case 'unix:':
      return { url, limit, local: true, docker: new Docker({ socketPath: pathname }) };
    case 'tcp:':
      return {
        url,
        limit,
        local: false,
        docker: new Docker({ protocol: 'http', host: hostname, port: Number(port || 2375) }),
      };
    case 'https:': {
      if (certificates === null)
        throw new ForgeError('input.invalid', `${url} needs certificates.`, {
          fix: 'Set DOCKER_CERT_PATH to the folder of ca.pem, cert.pem and key.pem.',
        });
      const pem = (name: string): Buffer => readFileSync(join(certificates, name));
      return {
        url,
        limit,
        local: false,
        docker: new Docker({
          protocol: 'https',
          host: hostname,
          port: Number(port || 2376),
          ca: pem('ca.pem'),
          cert: pem('cert.pem'),
          key: pem('key.pem'),
        }),
      };
    }
    default:
      return {
        url,
        limit,
        local: false,
        docker: new Docker({
          protocol: 'ssh',
          host: hostname,
          port: Number(port || 22),
          username,
          sshOptions: sshAgent === null ? {} : { agent: sshAgent },
        }),
      };
  }
}

/** What a failed call of a daemon means for the caller. */
export function dockerError(thrown: unknown, host: string, doing: string): ForgeError {
  if (thrown instanceof ForgeError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'EACCES')
    return new ForgeError('tool.missing', `Docker does not answer at ${host}.`, {
      fix: 'Install docker.io and start it, or name hosts in FORGE_SANDBOX_HOSTS; `forge doctor` says what is there.',
      cause: thrown,
    });
  return new ForgeError('sandbox.unavailable', `Docker at ${host} could not ${doing}: ${text.trim()}`, {
    cause: thrown,
  });
}

export const statusOf = (thrown: unknown): number | undefined =>
  thrown instanceof Error && 'statusCode' in thrown && typeof thrown.statusCode === 'number'
    ? thrown.statusCode
    : undefined;
