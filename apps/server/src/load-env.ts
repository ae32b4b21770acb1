import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Role } from '@cua-forge/spec/api-route';
import { ForgeError } from '@cua-forge/spec/errors';
import { type StoreSettings, storeSettings } from '@cua-forge/store/store-settings';
import { type UpkeepSettings, upkeepSettings } from '@cua-forge/store/upkeep-settings';
import { z } from 'zod';
import type { OidcSettings } from './security/oidc.ts';

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);

const list = z
  .string()
  .optional()
  .transform((text) =>
    (text ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
const flag = z
  .enum(['', '0', '1', 'false', 'true'])
  .optional()
  .transform((text) => text === '1' || text === 'true');
/** An empty variable counts as one that is not set. */
const optionalText = z
  .string()
  .optional()
  .transform((text) => (text === undefined || text === '' ? undefined : text));

const Source = z.object({
  FORGE_DATA: z.string().min(1).default('.forge'),
  FORGE_SKILLS: z.string().min(1).default('skills'),
  FORGE_HOST: z.string().min(1).default('127.0.0.1'),
  FORGE_PORT: z.coerce.number().int().min(0).max(65_535).default(7400),
  FORGE_TOKEN: optionalText.pipe(z.string().min(16, 'at least 16 characters').optional()),
  FORGE_TOKENS: optionalText,
  FORGE_OIDC_ISSUER: optionalText.pipe(z.url().optional()),
  FORGE_OIDC_CLIENT_ID: optionalText,
  FORGE_OIDC_CLIENT_SECRET: optionalText,
  FORGE_OIDC_AUDIENCE: optionalText,
  FORGE_OIDC_ROLE_CLAIM: z.string().min(1).default('roles'),
  FORGE_OIDC_DEFAULT_ROLE: optionalText.pipe(Role.optional()),
  FORGE_PUBLIC_URL: optionalText.pipe(z.url().optional()),
  FORGE_ALLOWED_HOSTS: list,
  FORGE_ALLOWED_ORIGINS: list,
  FORGE_STUDIO_DIST: z.string().min(1).default('apps/studio/dist'),
  FORGE_TEMPORAL_UI: optionalText.pipe(z.url().optional()),
  FORGE_TEMPORAL_UI_PUBLIC: optionalText.pipe(z.url().optional()),
  FORGE_EVENT_CLIENTS: z.coerce.number().int().min(1).default(100),
  FORGE_DESKTOPS: list,
  FORGE_DESKTOPS_TOKEN: optionalText,
  FORGE_SANDBOX_RUNTIME: optionalText,
  FORGE_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  FORGE_MODEL_PROVIDER: z.string().min(1).default('rehearsal'),
  TEMPORAL_ADDRESS: z.string().min(1).default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_TLS: flag,
  TEMPORAL_API_KEY: optionalText,
});

export interface ServerEnv {
  dataFolder: string;
  /** Its folder also holds what this server remembers of the skills it shipped. */
  store: StoreSettings;
  upkeep: UpkeepSettings;
  skillsFolder: string;
  host: string;
  /** 0 takes any free port. */
  port: number;
  token: string | undefined;
  /** File of the users and the hashes of their tokens. */
  tokensFile: string | undefined;
  oidc: OidcSettings | undefined;
  /** Whether everybody has to log in: with a token or through the issuer. */
  login: boolean;
  /** Where browsers reach the server, for logins through an issuer. */
  publicUrl: string | undefined;
  /** Host names besides the loopback ones and `host` under which the server may be addressed. */
  allowedHosts: readonly string[];
  /** Origins besides the server's own whose pages may call it. */
  allowedOrigins: readonly string[];
  studioFolder: string;
  /** Address the Temporal UI is proxied from. */
  temporalUi: string | undefined;
  /** Address of a cluster's own UI, linked to instead of a proxied one. */
  temporalUiPublic: string | undefined;
  eventClients: number;
  /** Addresses of desktop services on other machines, and what they are shown; without any, the services of this machine. */
  desktops: { urls: readonly string[]; token: string | undefined; runtime: string };
  logLevel: string;
  modelProvider: string;
  temporal: { address: string; namespace: string; tls: boolean; apiKey: string | undefined };
}

/** @throws ForgeError `input.invalid` */
function oidcOf(env: z.infer<typeof Source>): OidcSettings | undefined {
  if (env.FORGE_OIDC_ISSUER === undefined) return undefined;
  if (env.FORGE_OIDC_CLIENT_ID === undefined) {
    throw new ForgeError('input.invalid', 'FORGE_OIDC_ISSUER is set, and FORGE_OIDC_CLIENT_ID is not.', {
      fix: 'Set it to the id that the issuer knows this server by.',
    });
  }
  return {
    issuer: env.FORGE_OIDC_ISSUER,
    clientId: env.FORGE_OIDC_CLIENT_ID,
    clientSecret: env.FORGE_OIDC_CLIENT_SECRET,
    audience: env.FORGE_OIDC_AUDIENCE ?? env.FORGE_OIDC_CLIENT_ID,
    roleClaim: env.FORGE_OIDC_ROLE_CLAIM,
    defaultRole: env.FORGE_OIDC_DEFAULT_ROLE,
  };
}

/**
 * Reads the server's settings.
 * @throws ForgeError `input.invalid` naming the variables that are wrong; an open host without a token is one of them.
 */
export function loadEnv(source: Record<string, string | undefined>): ServerEnv {
  const parsed = Source.safeParse(source);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ForgeError('input.invalid', `The server's settings are not right. ${faults.join('; ')}.`, {
      fix: 'Correct these environment variables, or unset them to use the defaults.',
    });
  }
  const env = parsed.data;
  const oidc = oidcOf(env);
  const login = env.FORGE_TOKEN !== undefined || env.FORGE_TOKENS !== undefined || oidc !== undefined;
  if (!login && !loopbackHosts.has(env.FORGE_HOST)) {
    throw new ForgeError(
      'input.invalid',
      `FORGE_HOST=${env.FORGE_HOST} would open the server to others without a login.`,
      {
        fix: 'Set FORGE_TOKENS (forge users add), FORGE_TOKEN or FORGE_OIDC_ISSUER, or leave FORGE_HOST at 127.0.0.1.',
      },
    );
  }
  return {
    dataFolder: env.FORGE_DATA,
    upkeep: upkeepSettings(source),
    store: storeSettings(source, `${env.FORGE_DATA}/store`),
    skillsFolder: env.FORGE_SKILLS,
    host: env.FORGE_HOST,
    port: env.FORGE_PORT,
    token: env.FORGE_TOKEN,
    tokensFile: env.FORGE_TOKENS,
    oidc,
    login,
    publicUrl: env.FORGE_PUBLIC_URL,
    allowedHosts: env.FORGE_ALLOWED_HOSTS,
    allowedOrigins: env.FORGE_ALLOWED_ORIGINS,
    studioFolder: env.FORGE_STUDIO_DIST,
    temporalUi: env.FORGE_TEMPORAL_UI,
    temporalUiPublic: env.FORGE_TEMPORAL_UI_PUBLIC,
    eventClients: env.FORGE_EVENT_CLIENTS,
    desktops: {
      urls: env.FORGE_DESKTOPS,
      token: env.FORGE_DESKTOPS_TOKEN,
      runtime: env.FORGE_SANDBOX_RUNTIME ?? join(tmpdir(), `forge-sandbox-${userInfo().uid}`),
    },
    logLevel: env.FORGE_LOG_LEVEL,
    modelProvider: env.FORGE_MODEL_PROVIDER,
    temporal: {
      address: env.TEMPORAL_ADDRESS,
      namespace: env.TEMPORAL_NAMESPACE,
      tls: env.TEMPORAL_TLS || env.TEMPORAL_API_KEY !== undefined,
      apiKey: env.TEMPORAL_API_KEY,
    },
  };
}
