import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { JsonObject } from '@cua-forge/spec/json';
import type { ModelPort } from '@cua-forge/spec/model-port';
import type { ModelsView, ModelTest } from '@cua-forge/spec/models-view';
import { z } from 'zod';
import { ProviderName } from './provider-router.ts';

const schema: JsonObject = {
  type: 'object',
  properties: { ready: { type: 'boolean' } },
  required: ['ready'],
  additionalProperties: false,
};
const Answer = z.looseObject({ ready: z.boolean() });

/** A provider that is named alone, and whose model the configuration does not say, is tested with a model that is here, or its cheapest. */
export function modelToTest({ providers }: ModelsView, name: string | null): string | null {
  const provider = providers.find((one) => one.name === name);
  if (provider === undefined || provider.model !== null || provider.models.length === 0) return name;
  const cost = ({ price }: (typeof provider.models)[number]) => price?.output ?? 0;
  const cheapest = provider.models.reduce((best, one) => (cost(one) < cost(best) ? one : best));
  return `${provider.name}:${cheapest.name}`;
}

/** Asks one tiny thing under a schema. Never rejects, but when it is cancelled; `model` null asks the default. */
export async function testModel(models: ModelPort, model: string | null, signal: AbortSignal): Promise<ModelTest> {
  // A provider alone stands for its default model.
  const name = ProviderName.safeParse(model).success ? `${model}:` : (model ?? undefined);
  const startedAt = Date.now();
  try {
    const {
      text,
      provider,
      model: answeredBy,
      usage,
      usd,
      milliseconds,
    } = await models.complete(
      {
        purpose: 'test',
        ...(name === undefined ? {} : { model: name }),
        system: `Answer with one JSON value alone, valid under this JSON Schema:\n${JSON.stringify(schema)}`,
        messages: [{ role: 'user', content: 'Are you ready? Answer with {"ready": true}.' }],
        schema,
        maxOutputTokens: 60,
        temperature: 0,
        seed: 1,
        rehearsal: [{ ready: true }],
      },
      signal,
    );
    const failure = understood(text)
      ? null
      : new ForgeError(
          'model.bad-output',
          `${answeredBy} answered, but not as the schema asks: ${text.slice(0, 200)}`,
          {
            fix: 'The connection works. For structured answers use a stronger model, or a server that constrains its answers.',
          },
        ).toFailure();
    return { model, ok: failure === null, provider, answeredBy, text, milliseconds, usage, usd, failure };
  } catch (thrown) {
    const error = toForgeError(thrown);
    if (error.code === 'node.cancelled') throw error;
    const [provider = '', answeredBy = ''] = models.identity(name).split(/:(.*)/);
    return {
      model,
      ok: false,
      provider,
      answeredBy,
      text: '',
      milliseconds: Date.now() - startedAt,
      usage: { input: 0, cached: 0, output: 0 },
      usd: null,
      failure: error.toFailure(),
    };
  }
}

function understood(text: string): boolean {
  try {
    return Answer.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
