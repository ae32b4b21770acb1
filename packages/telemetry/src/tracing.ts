import { context, type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type IResource, Resource } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { TracingConfig } from './telemetry-config.ts';

export interface Tracing {
  tracer: Tracer;
  resource: IResource;
  processor: SpanProcessor;
  /** Sends what is left; spans made later are lost. Never rejects. */
  shutdown(): Promise<void>;
}

/** Milliseconds that the last spans get to reach the collector. */
const FAREWELL = 3_000;

/** Starts tracing in this process: a batch of spans is sent every second, context follows promises. Call it once. */
export function startTracing(config: TracingConfig, service: string, version: string): Tracing {
  const resource = new Resource({
    'service.name': service,
    'service.version': version,
    'service.instance.id': String(process.pid),
  });
  const exporter = new OTLPTraceExporter({ url: config.url, headers: config.headers, timeoutMillis: 5_000 });
  const processor = new BatchSpanProcessor(exporter, {
    scheduledDelayMillis: 1_000,
    maxQueueSize: 8_192,
    maxExportBatchSize: 512,
  });
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [processor],
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.ratio) }),
  });
  provider.register();
  return {
    tracer: trace.getTracer('cua-forge', version),
    resource,
    processor,
    async shutdown() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, FAREWELL).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

/** Ids of the span at work, for log lines; empty where nothing is traced. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = trace.getSpanContext(context.active());
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}
