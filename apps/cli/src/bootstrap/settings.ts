import { join, resolve } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';
import type { Environment } from './environment.ts';
import { defaultPorts } from './ports.ts';

const text = z
  .string()
  .optional()
  .transform((value) => (value === '' ? undefined : value));
const flag = text
  .pipe(z.enum(['0', '1', 'false', 'true']).optional())
  .transform((value) => value === '1' || value === 'true');

const Source = z.object({
  FORGE_DATA: text,
  FORGE_URL: text.pipe(z.url().optional()),
  FORGE_TOKEN: text,
  FORGE_HOST: text.transform((host) => host ?? '127.0.0.1'),
  FORGE_PORT: text
    .transform((port) => (port === undefined ? undefined : Number(port)))
    .pipe(z.number().int().min(1).max(65_535).optional()),
  FORGE_TEMPORAL_UI_PUBLIC: text.pipe(z.url().optional()),
  TEMPORAL_ADDRESS: text,
  TEMPORAL_NAMESPACE: text.transform((name) => name ?? 'default'),
  TEMPORAL_TLS: flag,
  TEMPORAL_API_KEY: text,
});

export interface Cluster {
  address: string;
  namespace: string;
  tls: boolean;
  apiKey: string | undefined;
  /** Where a person finds the cluster's own UI. */
  ui: string | null;
}

/** What starting the services depends on. Paths are absolute. */
export interface Settings {
  /** The project's folder. */
  root: string;
  /** All state of this instance. */
  data: string;
  /** A server to use instead of an own one. */
  url: string | undefined;
  token: string | undefined;
  host: string;
  port: number;
  /** A Temporal cluster to use instead of an own dev server. */
  cluster: Cluster | null;
  env: Environment;
}

/** Reads the settings from an environment. Fails with `input.invalid`, naming the variables that are wrong. */
export function loadSettings(root: string, env: Environment): Settings {
  const parsed = Source.safeParse(env);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ForgeError('input.invalid', `The settings are not right. ${faults.join('; ')}.`, {
      fix: 'Correct these environment variables, or unset them to use the defaults.',
    });
  }
  const source = parsed.data;
  const cluster: Cluster | null =
    source.TEMPORAL_ADDRESS === undefined
      ? null
      : {
          address: source.TEMPORAL_ADDRESS,
          namespace: source.TEMPORAL_NAMESPACE,
          tls: source.TEMPORAL_TLS || source.TEMPORAL_API_KEY !== undefined,
          apiKey: source.TEMPORAL_API_KEY,
          ui: source.FORGE_TEMPORAL_UI_PUBLIC ?? null,
        };
  return {
    root,
    data: source.FORGE_DATA === undefined ? join(root, '.forge') : resolve(source.FORGE_DATA),
    url: source.FORGE_URL,
    token: source.FORGE_TOKEN,
    host: source.FORGE_HOST,
    port: source.FORGE_PORT ?? defaultPorts.studio,
    cluster,
    env,
  };
}
