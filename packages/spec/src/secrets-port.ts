import { z } from 'zod';

/** Name of a secret, as documents and the command line write it: capitals, digits and underscores. */
export const SecretName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'capital letters, digits and underscores, a letter first, at most 64');

/** Secrets by name. Values are for use in an outgoing request alone: never in outputs, errors, events, logs or memo keys. */
export interface SecretsPort {
  /** @throws ForgeError `secret.missing` that says where secrets are looked for */
  get(name: string): Promise<string>;
}

/** One place where secrets are kept. */
export interface SecretSource {
  /** For people: `environment`, `file /etc/forge/secrets.json`, … */
  readonly description: string;
  /** The value, or null where this source has none of that name. */
  find(name: string): Promise<string | null>;
  /** Names of all secrets in this source. */
  names(): Promise<string[]>;
}
