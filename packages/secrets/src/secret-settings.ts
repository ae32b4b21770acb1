import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import { SecretName, type SecretSource, type SecretsPort } from '@cua-forge/spec/secrets-port';
import { z } from 'zod';
import { envSecrets } from './env-secrets.ts';
import { fileSecrets } from './file-secrets.ts';
import { keyringSecrets } from './keyring-secrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const Places = z.array(z.enum(['env', 'file', 'keyring'])).min(1);
export type SecretPlace = z.infer<typeof Places>[number];

export interface SecretSettings {
  /** Where secrets are looked for, in this order. */
  places: SecretPlace[];
  file: string;
}

/** @throws ForgeError `input.invalid` */
export function secretSettings(env: Environment, dataFolder: string): SecretSettings {
  const places = Places.safeParse((env.FORGE_SECRETS_FROM || 'env,file').split(',').map((place) => place.trim()));
  if (!places.success) {
    throw new ForgeError('input.invalid', `FORGE_SECRETS_FROM is not right: ${env.FORGE_SECRETS_FROM}.`, {
      fix: 'Name env, file and keyring, with commas between, in the order in which they are asked.',
    });
  }
  return { places: places.data, file: env.FORGE_SECRETS || join(dataFolder, 'secrets.json') };
}

export function secretSources({ places, file }: SecretSettings, env: Environment): SecretSource[] {
  const sources: Record<SecretPlace, () => SecretSource> = {
    env: () => envSecrets(env),
    file: () => fileSecrets(file),
    keyring: keyringSecrets,
  };
  return places.map((place) => sources[place]());
}

/** Variables whose value is `secret:NAME`, with the secret in its place: keys of models may be kept with the other secrets. */
export async function withSecretVariables(env: Environment, secrets: SecretsPort): Promise<Environment> {
  const filled: Record<string, string | undefined> = { ...env };
  for (const [variable, value] of Object.entries(env)) {
    if (value?.startsWith('secret:') !== true) continue;
    const name = SecretName.safeParse(value.slice('secret:'.length));
    if (!name.success) {
      throw new ForgeError('input.invalid', `${variable} asks for a secret of no proper name.`, {
        fix: 'Write secret:NAME with capital letters, digits and underscores.',
      });
    }
    filled[variable] = await secrets.get(name.data);
  }
  return filled;
}
