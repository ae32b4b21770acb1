import { ForgeError } from '@cua-forge/spec/errors';
import type { SecretSource, SecretsPort } from '@cua-forge/spec/secrets-port';

/** Secrets from several sources; the first that has the name answers. */
export function chainedSecrets(sources: readonly SecretSource[]): SecretsPort {
  return {
    async get(name) {
      for (const source of sources) {
        const value = await source.find(name);
        if (value !== null) return value;
      }
      const places = sources.map(({ description }) => description).join(', ');
      throw new ForgeError('secret.missing', `There is no secret named ${name}. Looked in: ${places || 'nowhere'}.`, {
        fix: `Give the worker the secret, for example as FORGE_SECRET_${name} in its environment, and retry the node.`,
      });
    },
  };
}
