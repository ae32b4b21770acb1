import type { Redactor } from '@cua-forge/secrets/redactor';
import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { FailedTry, ModelPort, ModelRequest, ModelResult } from '@cua-forge/spec/model-port';
import type { ExecutionId, ModelCall, Store } from '@cua-forge/spec/store-port';
import { refuseWhenSpent } from './refuse-when-spent.ts';
import type { Values } from './values.ts';

type Times = Pick<FailedTry, 'startedAt' | 'milliseconds'>;

/** What of a call its node's cost is summed up from. */
export type CountedCall = Pick<ModelCall, 'provider' | 'model' | 'usage' | 'usd' | 'status'>;

export interface CountedModels {
  port: ModelPort;
  calls: readonly CountedCall[];
}

/** The model port of one execution: no call is made beyond a budget; every call, a try that is repeated too, is written down, with its prompt and answer, as soon as it ends. */
export function countedModels(
  models: ModelPort,
  redactor: Redactor,
  store: Store,
  values: Values,
  execution: ExecutionId,
  activityAttempt: number,
): CountedModels {
  const calls: ModelCall[] = [];
  let index = 0;

  async function keep(
    request: ModelRequest,
    { startedAt, milliseconds }: Times,
    result: ModelResult | null,
    error: ForgeError | null,
  ): Promise<void> {
    const { rehearsal, ...prompt } = request;
    void rehearsal;
    const stored = async (value: unknown) =>
      values.refOf({ literal: redactor.data(JSON.parse(JSON.stringify(value))) });
    const call: ModelCall = {
      ...execution,
      index: index++,
      activityAttempt,
      purpose: request.purpose,
      provider: result?.provider ?? models.identity(request.model).split(':')[0] ?? 'unknown',
      model: result?.model ?? request.model ?? models.identity(request.model),
      usage: result?.usage ?? { input: 0, cached: 0, output: 0 },
      usd: result ? result.usd : null,
      milliseconds: Math.max(0, Math.round(milliseconds)),
      status: result ? 'ok' : 'failed',
      error: error === null ? null : redactor.text(`${error.code}: ${error.message}`),
      prompt: withoutPreview(await stored(prompt)),
      response: result ? withoutPreview(await stored(result.text)) : null,
      at: startedAt,
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
        // Asked again when the call's turn has come: those before it may have used the rest.
        const mayBegin = () => refuseWhenSpent(store.meta, execution.runId);
        await mayBegin();
        let startedAt = Date.now();
        const failedTries: Promise<void>[] = [];
        const onFailedTry = (failed: FailedTry) => {
          startedAt = Date.now();
          failedTries.push(keep(request, failed, null, failed.error).catch(() => undefined));
        };
        try {
          const result = await models.complete(request, signal, onFailedTry, mayBegin);
          await Promise.all(failedTries);
          await keep(request, { startedAt, milliseconds: result.milliseconds }, result, null);
          return result;
        } catch (thrown) {
          const error = toForgeError(thrown);
          const milliseconds = Date.now() - startedAt;
          await Promise.all(failedTries);
          if (!error.code.startsWith('store.') && error.code !== 'budget.exhausted')
            await keep(request, { startedAt, milliseconds }, null, error).catch(() => undefined);
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
