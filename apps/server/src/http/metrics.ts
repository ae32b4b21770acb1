import type { RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { EngineClient } from '../engine-client.ts';
import type { EventHub } from '../events/event-hub.ts';
import { routeOf } from './trace-requests.ts';

export interface ServerMetrics {
  /** Counts and times requests. */
  measure: RequestHandler;
  /** All figures in Prometheus's text format. */
  text(): Promise<string>;
  contentType: string;
}

/** Milliseconds for which the queues' figures of one scrape serve the next: asking Temporal costs it work. */
const QUEUES_KEPT = 5_000;

/**
 * The server's figures: `forge_http_requests_total`, `forge_http_request_seconds` by method, route and status; `forge_event_streams`; `forge_queue_backlog`,
 * `forge_queue_backlog_age_seconds` and `forge_queue_workers` by queue; `forge_temporal_up`; and those of the process. Counts of runs come from the store with each scrape.
 */
export function serverMetrics(parts: {
  engine: Pick<EngineClient, 'operations'>;
  events: Pick<EventHub, 'size'>;
  countRuns(): Promise<readonly { state: string; count: number }[]>;
}): ServerMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'forge_server_' });
  const labelNames = ['method', 'route', 'status'];
  const requests = new Counter({
    name: 'forge_http_requests_total',
    help: 'Requests answered.',
    labelNames,
    registers,
  });
  const seconds = new Histogram({
    name: 'forge_http_request_seconds',
    help: 'Time until a request was answered.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  new Gauge({
    name: 'forge_event_streams',
    help: 'Open streams of events.',
    registers,
    collect() {
      this.set(parts.events.size);
    },
  });
  new Gauge({
    name: 'forge_runs',
    help: 'Runs by state.',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset();
      for (const { state, count } of await parts.countRuns()) this.inc({ state }, count);
    },
  });

  const up = new Gauge({ name: 'forge_temporal_up', help: 'Whether Temporal answers.', registers });
  const backlog = new Gauge({
    name: 'forge_queue_backlog',
    help: 'Tasks that wait for a worker.',
    labelNames: ['queue'],
    registers,
  });
  const age = new Gauge({
    name: 'forge_queue_backlog_age_seconds',
    help: 'Age of the oldest task that waits for a worker.',
    labelNames: ['queue'],
    registers,
  });
  const workers = new Gauge({
    name: 'forge_queue_workers',
    help: 'Workers that polled lately.',
    labelNames: ['queue'],
    registers,
  });
  let askedAt = Number.NEGATIVE_INFINITY;
  async function askTemporal(): Promise<void> {
    if (performance.now() - askedAt < QUEUES_KEPT) return;
    askedAt = performance.now();
    for (const gauge of [backlog, age, workers]) gauge.reset();
    try {
      for (const queue of await parts.engine.operations.queues()) {
        backlog.set({ queue: queue.queue }, queue.backlog);
        age.set({ queue: queue.queue }, queue.backlogAgeMs / 1_000);
        workers.set({ queue: queue.queue }, queue.workers.length);
      }
      up.set(1);
    } catch {
      up.set(0);
    }
  }

  return {
    measure: (request, response, next) => {
      const started = performance.now();
      response.once('finish', () => {
        const { method } = request;
        const route = routeOf(request);
        requests.inc({ method, route, status: String(response.statusCode) });
        seconds.observe({ method, route }, (performance.now() - started) / 1_000);
      });
      next();
    },
    async text() {
      await askTemporal();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
