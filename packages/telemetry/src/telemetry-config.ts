import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';

const text = z
  .string()
  .optional()
  .transform((value) => (value === '' ? undefined : value));

/** The standard variables of OpenTelemetry that this product understands. */
const Source = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: text.pipe(z.url().optional()),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text.pipe(z.url().optional()),
  OTEL_EXPORTER_OTLP_HEADERS: text,
  OTEL_TRACES_SAMPLER_ARG: text
    .transform((value) => (value === undefined ? 1 : Number(value)))
    .pipe(z.number().min(0).max(1)),
  OTEL_SDK_DISABLED: text.transform((value) => value === 'true' || value === '1'),
});

export interface TracingConfig {
  /** Where spans are sent as OTLP over HTTP, `/v1/traces` included. */
  url: string;
  headers: Record<string, string>;
  /** Share of traces that are kept, 0 to 1; a trace is kept whole or not at all. */
  ratio: number;
}

/** Null where no endpoint is set: then nothing is traced, and nothing is spent on it. @throws ForgeError `input.invalid` naming the variables that are wrong */
export function tracingConfigFromEnv(source: Readonly<Record<string, string | undefined>>): TracingConfig | null {
  const parsed = Source.safeParse(source);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ForgeError('input.invalid', `The settings for tracing are not right. ${faults.join('; ')}.`, {
      fix: 'Correct these environment variables, or unset them to trace nothing.',
    });
  }
  const env = parsed.data;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '');
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base === undefined ? undefined : `${base}/v1/traces`);
  if (url === undefined || env.OTEL_SDK_DISABLED) return null;
  return { url, headers: headersOf(env.OTEL_EXPORTER_OTLP_HEADERS ?? ''), ratio: env.OTEL_TRACES_SAMPLER_ARG };
}

/** `name=value,name=value`, values percent-encoded, as the OpenTelemetry specification writes them. */
function headersOf(list: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of list.split(',')) {
    const at = pair.indexOf('=');
    if (at > 0) headers[pair.slice(0, at).trim()] = decodeURIComponent(pair.slice(at + 1).trim());
  }
  return headers;
}
