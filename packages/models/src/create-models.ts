import type { ModelPort } from '@cua-forge/spec/model-port';
import { anthropicModels } from './anthropic.ts';
import { recordingModels, replayingModels } from './cassettes.ts';
import { localModels } from './local/local.ts';
import type { ModelsConfig } from './models-config.ts';
import { openAiModels } from './openai.ts';
import { withPromptLimit } from './prompt-limit.ts';
import { type ProviderName, providerRouter } from './provider-router.ts';
import { rehearsalModels } from './rehearsal.ts';
import { resilient } from './resilient.ts';

/** A model in this process is asked one thing at a time, takes longer, and does not get better by trying again. */
const localLimits = { concurrency: 1, requestsPerMinute: null, timeoutMs: 900_000, retries: 0 };

/** The models that a configuration asks for, behind one port: its own provider, and each other one whose name a model begins with. */
export function createModels(config: ModelsConfig): ModelPort {
  const providers = providerRouter(config.provider, (name) => guarded(name, config));
  return withPromptLimit(withCassettes(providers, config), config.limits.maxPromptBytes);
}

function guarded(name: ProviderName, config: ModelsConfig): ModelPort {
  const model = name === config.provider ? config.model : undefined;
  const { prices, limits, openAiUrl, openAiKey, anthropicUrl, anthropicKey } = config;
  switch (name) {
    case 'rehearsal':
      return rehearsalModels();
    case 'openai':
      return resilient(openAiModels({ baseUrl: openAiUrl, apiKey: openAiKey, model, prices }), limits);
    case 'anthropic':
      return resilient(anthropicModels({ baseUrl: anthropicUrl, apiKey: anthropicKey, model, prices }), limits);
    case 'local': {
      const { cacheFolder, localContext: context, localThreads: threads } = config;
      return resilient(localModels({ cacheFolder, model, context, threads, prices }), localLimits);
    }
  }
}

function withCassettes(port: ModelPort, { cassettes }: ModelsConfig): ModelPort {
  if (cassettes?.mode === 'replay') return replayingModels((model) => port.identity(model), cassettes.place);
  return cassettes?.mode === 'record' ? recordingModels(port, cassettes.place) : port;
}
