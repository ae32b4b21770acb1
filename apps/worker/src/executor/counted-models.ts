import type { ModelPort, ModelRequest, ModelResult } from '@cua-forge/spec/model-port';
import type { ExecutionId, ModelCall, Store } from '@cua-forge/spec/store-port';
import { toForgeError } from '@cua-forge/spec/errors';
import type { Values } from './values.ts';

export interface CountedModels {
  port: ModelPort;
  calls: ModelCall[];
}

/** The model port of one execution: every call is written down, with its prompt and answer, as soon as it ends. */
export function countedModels(models: ModelPort, store: Store, values: Values, execution: ExecutionId, activityAttempt: number): CountedModels {
  const calls: ModelCall[] = [];
  let index = 0;

  async function keep(request: ModelRequest, started: number, result: ModelResult | null, error: string | null): Promise<void> {
    const { rehearsal, ...prompt } = request;
    void rehearsal;
    const stored = async (value: unknown) => values.refOf({ literal: JSON.parse(JSON.stringify(value)) });
    const call: ModelCall = {
      ...execution,
      index: index++,
      activityAttempt,
      purpose: request.purpose,
      provider: result?.provider ?? models.identity(request.model).split(':')[0] ?? 'unknown',
      model: result?.model ?? request.model ?? models.identity(request.model),
      usage: result?.usage ?? { input: 0, cached: 0, output: 0 },
      usd: result ? result.usd : null,
      milliseconds: Math.max(0, Math.round(result?.milliseconds ?? Date.now() - started)),
      status: result ? 'ok' : 'failed',
      error,
      prompt: withoutPreview(await stored(prompt)),
      response: result ? withoutPreview(await stored(result.text)) : null,
      at: started,
    };
    calls.push(call);
    await store.meta.addModelCall(call);
  }

  return {
    calls,
    port: {
      identity: (model) => models.identity(model),
      rehearsed: models.rehearsed,
      async complete(request, signal) {
        const started = Date.now();
        try {
          const result = await models.complete(request, signal);
          await keep(request, started, result, null);
          return result;
        } catch (thrown) {
          const error = toForgeError(thrown);
          if (error.code !== 'store.full' && error.code !== 'store.busy') await keep(request, started, null, `${error.code}: ${error.message}`).catch(() => undefined);
          throw error;
        }
      },
    },
  };
}

const withoutPreview = <T extends { preview?: string | undefined }>({ preview, ...ref }: T): Omit<T, 'preview'> => {
  void preview;
  return ref;
};
