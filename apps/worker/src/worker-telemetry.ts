import type { ModelPort } from '@cua-forge/spec/model-port';
import type { TracingConfig } from '@cua-forge/telemetry/telemetry-config';
import { tracedModels } from '@cua-forge/telemetry/traced-models';
import { startTracing } from '@cua-forge/telemetry/tracing';
import { OpenTelemetryPlugin } from '@temporalio/interceptors-opentelemetry';
import { DefaultLogger, Runtime, type WorkerPlugin } from '@temporalio/worker';
import type { Logger } from 'pino';
import manifest from '../package.json' with { type: 'json' };
import { meteredModels } from './metered-models.ts';
import type { ObserveExecution } from './observe-executions.ts';
import { observeExecutions } from './observe-executions.ts';

export interface WorkerTelemetry {
  observe: ObserveExecution;
  /** The same models, measured and traced. */
  watch(models: ModelPort): ModelPort;
  /** Spans of workflows and activities; absent where nothing is traced. */
  plugin: WorkerPlugin | undefined;
  /** Sends what is left. */
  shutdown(): Promise<void>;
}

/** Installs Temporal's runtime with this product's logs and figures, and starts tracing where it is set up. Call it once, before anything connects. */
export function startWorkerTelemetry(options: {
  log: Logger;
  /** `host:port` for Prometheus. */
  metricsAddress: string | undefined;
  tracing: TracingConfig | null;
}): WorkerTelemetry {
  const { log, metricsAddress } = options;
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) =>
      log[level === 'ERROR' ? 'error' : 'warn'](
        { meta: meta?.error instanceof Error ? { error: meta.error.message, ...meta } : meta },
        message,
      ),
    ),
    shutdownSignals: [],
    ...(metricsAddress === undefined
      ? {}
      : {
          telemetryOptions: {
            metrics: { prometheus: { bindAddress: metricsAddress, countersTotalSuffix: true, unitSuffix: true } },
          },
        }),
  });
  const meter = Runtime.instance().metricMeter;
  const tracing = options.tracing === null ? null : startTracing(options.tracing, 'cua-forge-worker', manifest.version);
  return {
    observe: observeExecutions({ meter, log, tracer: tracing?.tracer ?? null }),
    watch: (models) => {
      const metered = meteredModels(models, meter);
      return tracing === null ? metered : tracedModels(metered, tracing.tracer);
    },
    plugin:
      tracing === null
        ? undefined
        : new OpenTelemetryPlugin({
            resource: tracing.resource,
            spanProcessor: tracing.processor,
            tracer: tracing.tracer,
          }),
    shutdown: async () => tracing?.shutdown(),
  };
}
