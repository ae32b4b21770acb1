import { expect, it } from 'vitest';
import { tracingConfigFromEnv } from './telemetry-config.ts';

it('traces nothing without an endpoint, or when told so', () => {
  expect(tracingConfigFromEnv({})).toBeNull();
  expect(tracingConfigFromEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeNull();
  expect(tracingConfigFromEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' })).toBeNull();
});

it('adds the path of traces to the common endpoint, and takes the one for traces as it is', () => {
  expect(tracingConfigFromEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' })).toEqual({
    url: 'http://c:4318/v1/traces',
    headers: {},
    ratio: 1,
  });
  expect(
    tracingConfigFromEnv({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/own',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==, tenant=a',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    }),
  ).toEqual({ url: 'https://c/own', headers: { authorization: 'Basic YQ==', tenant: 'a' }, ratio: 0.25 });
});

it('names what is wrong', () => {
  expect(() =>
    tracingConfigFromEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: 'not an address', OTEL_TRACES_SAMPLER_ARG: '7' }),
  ).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT.*OTEL_TRACES_SAMPLER_ARG/);
});
