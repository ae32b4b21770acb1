import { ForgeError } from '@cua-forge/spec/errors';
import type { ModelPort } from '@cua-forge/spec/model-port';
import { z } from 'zod';

export const ProviderName = z.enum(['rehearsal', 'openai', 'anthropic', 'local']);
export type ProviderName = z.infer<typeof ProviderName>;

/** `anthropic:claude-…` names a provider and its model; any other name, colons or not, is a model of the default provider. */
export function splitModelName(name: string | undefined): { provider: ProviderName | null; model: string | undefined } {
  const colon = name?.indexOf(':') ?? -1;
  const provider = ProviderName.safeParse(name?.slice(0, colon));
  if (name === undefined || colon < 1 || !provider.success) return { provider: null, model: name };
  return { provider: provider.data, model: name.slice(colon + 1) || undefined };
}

/** Sends each request to the provider that its model's name begins with, and all others to the default one. */
export function providerRouter(defaultName: ProviderName, make: (name: ProviderName) => ModelPort): ModelPort {
  const made = new Map<ProviderName, ModelPort>();
  const port = (name: ProviderName): ModelPort => {
    const present = made.get(name);
    if (present !== undefined) return present;
    const fresh = make(name);
    made.set(name, fresh);
    return fresh;
  };
  const routed = (name: string | undefined) => {
    const { provider, model } = splitModelName(name);
    return { port: port(provider ?? defaultName), model };
  };
  return {
    rehearsed: port(defaultName).rehearsed,
    identity(name) {
      const to = routed(name);
      return to.port.identity(to.model);
    },
    async complete(request, signal, onFailedTry, beforeTry) {
      const { model: name, ...rest } = request;
      const to = routed(name);
      return to.port.complete(
        { ...rest, ...(to.model === undefined ? {} : { model: to.model }) },
        signal,
        onFailedTry,
        beforeTry,
      );
    },
  };
}

/** A model's name that a provider cannot do without. @throws ForgeError `params.invalid` */
export function namedModel(provider: ProviderName, model: string | undefined): string {
  if (model !== undefined) return model;
  throw new ForgeError('params.invalid', `The provider ${provider} needs the name of a model.`, {
    fix: `Write ${provider}:MODEL, or set FORGE_MODEL with FORGE_MODEL_PROVIDER=${provider}.`,
  });
}
