import { toForgeError } from '@cua-forge/spec/errors';
import { type Attributes, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';

/** Does the work inside a span; a failure is marked with its code, never with its message, which may quote what a model or a document said. */
export async function inSpan<T>(
  tracer: Tracer,
  name: string,
  options: { attributes: Attributes; kind?: SpanKind },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(
    name,
    { attributes: options.attributes, kind: options.kind ?? SpanKind.INTERNAL },
    async (span) => {
      try {
        return await work(span);
      } catch (thrown) {
        const { code } = toForgeError(thrown);
        span.setAttribute('error.type', code);
        span.setStatus({ code: SpanStatusCode.ERROR, message: code });
        throw thrown;
      } finally {
        span.end();
      }
    },
  );
}
