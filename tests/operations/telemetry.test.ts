import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@cua-forge/cli/bootstrap/ports';
import { GraphDocument } from '@cua-forge/spec/document';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runIn } from '../support/run-watch.ts';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { documentOf } from '../support/test-kinds.ts';
import { type CollectedSpan, type TraceCollector, traceCollector } from '../support/trace-collector.ts';

const document = GraphDocument.parse(
  documentOf(
    [
      { id: 'topic', kind: 'data.transform', params: { expression: '"rivers"', inputs: {} } },
      {
        id: 'draft',
        kind: 'llm.generate',
        params: { prompt: 'Say one thing of {{ topic }}.', inputs: { topic: 'json' } },
      },
      { id: 'broken', kind: 'data.transform', params: { expression: '$error("secret-looking text")', inputs: {} } },
    ],
    [['topic.value', 'draft.topic']],
  ),
);

let collector: TraceCollector;
let services: RunningServices;
let workerMetrics: string;
let runId: string;

beforeAll(async () => {
  collector = await traceCollector();
  const port = await freePort(30_000 + Math.floor(Math.random() * 2_000));
  workerMetrics = `http://127.0.0.1:${port}/metrics`;
  services = await startServices({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      FORGE_METRICS_ADDRESS: `127.0.0.1:${port}`,
      FORGE_LOG_LEVEL: 'debug',
    },
  });
  const started = await services.api.startRun({ document, inputs: {}, seed: 1, mode: 'batch' });
  runId = started.id;
  expect(await runIn(services.api, runId)).toMatchObject({ state: 'failed' });
});
afterAll(async () => {
  await services?.stop();
  await collector?.close();
});

it('makes one trace from the request through workflow and activity to the call of the model', async () => {
  const named = (name: string): CollectedSpan | undefined => collector.spans.find((span) => span.name === name);
  const wanted = [
    'POST /api/runs',
    'StartWorkflow:runGraph',
    'RunWorkflow:runGraph',
    'StartActivity:executeNodes',
    'RunActivity:executeNodes',
    'node llm.generate',
    'model draft',
  ];
  await eventually('all spans came', async () => {
    const missing = wanted.filter((name) => !named(name));
    if (missing.length > 0)
      throw new Error(`missing: ${missing.join(', ')} of ${[...new Set(collector.spans.map(({ name }) => name))]}`);
    return true;
  });
  const trace = named('POST /api/runs')?.traceId;
  expect(wanted.map((name) => collector.spans.some((span) => span.name === name && span.traceId === trace))).toEqual(
    wanted.map(() => true),
  );
  const node = collector.spans.find(({ name, traceId }) => name === 'node llm.generate' && traceId === trace);
  expect(node?.attributes).toMatchObject({ 'forge.run': runId, 'forge.node': 'draft', 'forge.kind': 'llm.generate' });
  const model = collector.spans.find(({ name, traceId }) => name === 'model draft' && traceId === trace);
  expect(model?.parentSpanId).toBe(node?.spanId);
  expect(model?.attributes).toMatchObject({ 'gen_ai.system': 'rehearsal', 'gen_ai.usage.input_tokens': 0 });
  const failed = collector.spans.find(({ attributes }) => attributes['forge.node'] === 'broken');
  expect(failed?.attributes['error.type']).toMatch(/^[a-z.-]+$/);
  expect(JSON.stringify(collector.spans.filter(({ name }) => !name.includes('Workflow')))).not.toContain(
    'secret-looking',
  );
});

it("offers the server's figures to Prometheus", async () => {
  const text = await (await fetch(`${services.url}/metrics`)).text();
  expect(text).toMatch(/^forge_http_requests_total\{method="POST",route="\/api\/runs",status="20\d"\} 1$/m);
  expect(text).toMatch(/^forge_runs\{state="failed"\} 1$/m);
  expect(text).toMatch(/^forge_temporal_up 1$/m);
  for (const queue of ['forge', 'forge-light', 'forge-model', 'forge-heavy']) {
    expect(text).toContain(`forge_queue_workers{queue="${queue}"} 1`);
    expect(text).toMatch(new RegExp(`^forge_queue_backlog\\{queue="${queue}"\\} \\d+$`, 'm'));
  }
});

it("offers the worker's figures, Temporal's own among them, to Prometheus", async () => {
  const text = await (await fetch(workerMetrics)).text();
  const executions = text.split('\n').filter((line) => line.startsWith('forge_node_executions'));
  expect(executions.find((line) => line.includes('llm.generate') && line.includes('succeeded'))).toMatch(/ 1$/);
  expect(executions.find((line) => line.includes('status="failed"'))).toMatch(/ 1$/);
  expect(text).toMatch(/forge_model_calls\S*\{[^}]*provider="rehearsal"[^}]*\} 1/);
  expect(text).toMatch(/^temporal_workflow_completed/m);
});

it('writes log lines with run, node and trace', async () => {
  const lines = (await readFile(join(services.folder, 'logs/worker.log'), 'utf8')).split('\n');
  const line = lines.find((text) => text.includes('node failed'));
  const entry: unknown = JSON.parse(line?.slice(line.indexOf('{')) ?? '{}');
  expect(entry).toMatchObject({ run: runId, node: 'broken', kind: 'data.transform', round: 1, attempt: 1 });
  expect(entry).toHaveProperty('trace_id');
  expect(line).not.toContain('secret-looking');
});
