import { context, propagation, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { Request, RequestHandler } from 'express';

/** Streams stay open for hours: a span for one would say nothing. */
const untraced = new Set(['/api/events']);

/** A span for each request to the API, continuing the caller's trace where it sends a `traceparent`; what the handler starts becomes part of it. */
export function traceRequests(tracer: Tracer): RequestHandler {
  return (request, response, next) => {
    if (!request.path.startsWith('/api/') || untraced.has(request.path)) {
      next();
      return;
    }
    const parent = propagation.extract(context.active(), request.headers);
    const { method } = request;
    const attributes = { 'http.request.method': method };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    response.once('close', () => {
      const route = routeOf(request);
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': response.statusCode });
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(parent, span), next);
  };
}

/** The pattern that matched, never the address itself: that may hold names, and there are endlessly many. */
export function routeOf(request: Request): string {
  const route: unknown = request.route?.path;
  return typeof route === 'string' ? `${request.baseUrl}${route}` : 'unmatched';
}
