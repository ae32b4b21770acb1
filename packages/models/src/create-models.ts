import { ForgeError } from '@cua-forge/spec/errors';
import type { ModelPort } from '@cua-forge/spec/model-port';
import { recordingModels, replayingModels } from './cassettes.ts';
import type { ModelsConfig } from './models-config.ts';
import { openAiModels } from './openai.ts';
import { withPromptLimit } from './prompt-limit.ts';
import { rehearsalModels } from './rehearsal.ts';
import { resilient } from './resilient.ts';

/**
 * The models that a configuration asks for, behind one port.
 * @throws ForgeError `input.invalid` when the provider needs a model and none is named
 */
export function createModels(config: ModelsConfig): ModelPort {
  return withPromptLimit(withCassettes(providerOf(config), config), config.limits.maxPromptBytes);
}

function providerOf({ provider, model, baseUrl, apiKey }: ModelsConfig): ModelPort {
  if (provider === 'rehearsal') return rehearsalModels();
  if (model === undefined) {
    throw new ForgeError('input.invalid', 'The provider openai needs the name of a model.', {
      fix: 'Set FORGE_MODEL.',
    });
  }
  return openAiModels({ baseUrl, apiKey, model });
}

function withCassettes(port: ModelPort, { cassettes, limits }: ModelsConfig): ModelPort {
  if (cassettes?.mode === 'replay') return replayingModels((model) => port.identity(model), cassettes.folder);
  const guarded = port.rehearsed ? port : resilient(port, limits);
  return cassettes?.mode === 'record' ? recordingModels(guarded, cassettes.folder) : guarded;
}
