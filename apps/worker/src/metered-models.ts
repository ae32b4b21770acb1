import type { ModelPort } from '@cua-forge/spec/model-port';
import type { MetricMeter } from '@temporalio/common';

/**
 * The port with figures: `forge_model_calls` by provider, model, purpose and status; `forge_model_tokens` by model and direction (`input`, of which `cached`, and
 * `output`); `forge_model_microdollars` by model, where a price is known; `forge_model_call_latency` in milliseconds.
 */
export function meteredModels(models: ModelPort, meter: MetricMeter): ModelPort {
  const calls = meter.createCounter('forge_model_calls', undefined, 'Calls of models, each try counted.');
  const tokens = meter.createCounter('forge_model_tokens', undefined, 'Tokens read and written by models.');
  const money = meter.createCounter(
    'forge_model_microdollars',
    undefined,
    'Millionths of a US dollar spent on models.',
  );
  const latency = meter.createHistogram(
    'forge_model_call_latency',
    'int',
    'milliseconds',
    'Time that a call of a model took, waiting for a free place included.',
  );
  return {
    identity: (model) => models.identity(model),
    rehearsed: models.rehearsed,
    async complete(request, signal, onFailedTry) {
      const { purpose } = request;
      const [provider = 'unknown', model = 'default'] = models.identity(request.model).split(':');
      const started = performance.now();
      const failed = () => calls.add(1, { provider, model, purpose, status: 'failed' });
      try {
        const result = await models.complete(request, signal, (attempt) => {
          failed();
          onFailedTry?.(attempt);
        });
        const named = { provider: result.provider, model: result.model };
        calls.add(1, { ...named, purpose, status: 'ok' });
        tokens.add(result.usage.input, { ...named, direction: 'input' });
        tokens.add(result.usage.cached, { ...named, direction: 'cached' });
        tokens.add(result.usage.output, { ...named, direction: 'output' });
        if (result.usd !== null) money.add(Math.round(result.usd * 1e6), named);
        latency.record(Math.round(performance.now() - started), named);
        return result;
      } catch (thrown) {
        failed();
        throw thrown;
      }
    },
  };
}
