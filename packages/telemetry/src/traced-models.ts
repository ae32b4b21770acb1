import type { ModelPort } from '@cua-forge/spec/model-port';
import { SpanKind, type Tracer } from '@opentelemetry/api';
import { inSpan } from './in-span.ts';

/** The port with a span for each call: who was asked, tokens, money, tries; prompts and answers stay in the store. */
export function tracedModels(models: ModelPort, tracer: Tracer): ModelPort {
  return {
    identity: (model) => models.identity(model),
    rehearsed: models.rehearsed,
    complete: (request, signal, onFailedTry) =>
      inSpan(
        tracer,
        `model ${request.purpose}`,
        {
          kind: SpanKind.CLIENT,
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.request.model': request.model ?? models.identity(request.model),
            'gen_ai.request.temperature': request.temperature,
            'gen_ai.request.max_tokens': request.maxOutputTokens,
          },
        },
        async (span) => {
          let tries = 1;
          const result = await models.complete(request, signal, (failed) => {
            tries += 1;
            span.addEvent('try failed', { 'error.type': failed.error.code, ms: failed.milliseconds });
            onFailedTry?.(failed);
          });
          span.setAttributes({
            'gen_ai.system': result.provider,
            'gen_ai.response.model': result.model,
            'gen_ai.response.finish_reasons': [result.finish],
            'gen_ai.usage.input_tokens': result.usage.input,
            'gen_ai.usage.cached_tokens': result.usage.cached,
            'gen_ai.usage.output_tokens': result.usage.output,
            'forge.model.tries': tries,
            ...(result.usd === null ? {} : { 'forge.model.usd': result.usd }),
          });
          return result;
        },
      ),
  };
}
