import { SecretName, type SecretSource } from '@cua-forge/spec/secrets-port';

const PREFIX = 'FORGE_SECRET_';

/** Secrets from environment variables `FORGE_SECRET_<NAME>`; an empty variable is no secret. */
export function envSecrets(source: Readonly<Record<string, string | undefined>>): SecretSource {
  const values = new Map(
    Object.entries(source).flatMap(([variable, value]): [string, string][] => {
      const name = variable.startsWith(PREFIX) ? variable.slice(PREFIX.length) : '';
      return SecretName.safeParse(name).success && value ? [[name, value]] : [];
    }),
  );
  return {
    description: `environment (${PREFIX}<NAME>)`,
    find: async (name) => values.get(name) ?? null,
    names: async () => [...values.keys()].sort(),
  };
}
