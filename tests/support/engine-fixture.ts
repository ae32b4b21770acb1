import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TemporalServer } from '@cua-forge/cli/bootstrap/temporal-server';
import { startTemporalServer } from '@cua-forge/cli/bootstrap/temporal-server';
import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { chainedSecrets } from '@cua-forge/secrets/chained-secrets';
import { Redactor } from '@cua-forge/secrets/redactor';
import { DesktopHosts } from '@cua-forge/server/desktops/desktop-hosts';
import { EventHub } from '@cua-forge/server/events/event-hub';
import { KeyedLock } from '@cua-forge/server/keyed-lock';
import { loadEnv } from '@cua-forge/server/load-env';
import { retryRun } from '@cua-forge/server/runs/retry-run';
import { startRun } from '@cua-forge/server/runs/start-run';
import { createAccess } from '@cua-forge/server/security/create-access';
import type { Services } from '@cua-forge/server/services';
import { temporalEngineClient } from '@cua-forge/server/temporal-engine-client';
import { Collector } from '@cua-forge/server/upkeep/collector';
import type { RetryRun, StartRun } from '@cua-forge/spec/api/runs';
import { GraphDocument } from '@cua-forge/spec/document';
import type { Json } from '@cua-forge/spec/json';
import type { Kind } from '@cua-forge/spec/kind';
import { metaOf } from '@cua-forge/spec/kind';
import { kinds as shipped } from '@cua-forge/spec/kinds';
import type { ModelPort } from '@cua-forge/spec/model-port';
import type { RunRecord, RunState, Store } from '@cua-forge/spec/store-port';
import { instanceName } from '@cua-forge/store/instance-name';
import { openStore } from '@cua-forge/store/open-store';
import { noOffice } from '@cua-forge/testing/execute-context';
import { QuickJs } from '@cua-forge/worker/code/quick-js';
import type { ForgeWorkers } from '@cua-forge/worker/create-workers';
import { createWorkers } from '@cua-forge/worker/create-workers';
import { kindRegistry } from '@cua-forge/worker/executor/kind-registry';
import { parseAllowList } from '@cua-forge/worker/http/allow-list';
import { AllowedHttp } from '@cua-forge/worker/http/allowed-http';
import { kindLoaders } from '@cua-forge/worker/kinds.generated';
import { workflowBundle } from '@cua-forge/worker/workflow-bundle';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import pino from 'pino';
import { z } from 'zod';

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });

export interface Engine {
  temporal: TemporalServer;
  client: Client;
  store: Store;
  services: Services;
  start(document: unknown, options?: Partial<StartRun>): Promise<RunRecord>;
  /** Starts a run and waits until it is in one of these states (by default any end, or needs-attention). */
  run(document: unknown, options?: Partial<StartRun>): Promise<RunRecord>;
  retry(runId: string, request: Partial<RetryRun>): Promise<RunRecord>;
  settled(runId: string, states?: readonly RunState[]): Promise<RunRecord>;
  /** Values of the outputs of the newest outcome of a node. */
  outputs(runId: string, key: string): Promise<Record<string, Json>>;
  statuses(runId: string): Promise<Record<string, string>>;
  /** How often each node was executed (not answered from memory). */
  executions(runId: string): Promise<Record<string, number>>;
  restartWorker(): Promise<void>;
  stop(): Promise<void>;
}

export const ended: readonly RunState[] = ['succeeded', 'failed', 'cancelled', 'terminated', 'needs-attention'];

/** A Temporal server, a store, one worker and the server's own functions, in this process, with kinds of the test's own beside the shipped ones. */
export async function startEngine(
  options: {
    kinds?: Kind[];
    models?: ModelPort;
    /** Events after which Temporal suggests to go on in a new history. */
    suggestedHistory?: number;
  } = {},
): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-engine-'));
  const temporal = await startTemporalServer({
    folder: join(folder, 'temporal'),
    env: process.env,
    ...(options.suggestedHistory === undefined
      ? {}
      : { dynamicConfig: [`limit.historyCount.suggestContinueAsNew=${options.suggestedHistory}`] }),
  });
  const store = await openStore({ folder: join(folder, 'store') });
  const log = pino({ level: 'silent' });
  const own = options.kinds ?? [];
  const metas = [
    ...shipped,
    ...own.map((kind) => metaOf(kind, 'test', (schema) => z.toJSONSchema(schema, { io: 'input' }))),
  ];
  const loaders = {
    ...kindLoaders,
    ...Object.fromEntries(own.map((kind) => [`${kind.id}@${kind.version}`, async () => kind])),
  };
  const bundle = await workflowBundle(join(tmpdir(), 'forge-test-bundles'), log);

  const env = loadEnv({
    FORGE_STORE: join(folder, 'store'),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
  });
  const engine = temporalEngineClient(env.temporal);
  const events = new EventHub(store.meta);
  const access = await createAccess(env);
  const services: Services = {
    env,
    access,
    redactor: new Redactor(),
    store,
    engine,
    kinds: metas,
    events,
    log,
    locks: new KeyedLock(),
    collector: new Collector({ store, log, now: Date.now }, env.upkeep),
    desktops: new DesktopHosts({ ...env.desktops, instance: instanceName(env.store) }),
    now: Date.now,
  };
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection, namespace: temporal.namespace });

  let worker: { connection: NativeConnection; workers: ForgeWorkers; running: Promise<void> } | null = null;
  async function startWorker(): Promise<void> {
    const native = await NativeConnection.connect({ address: temporal.address });
    const workers = await createWorkers({
      connection: native,
      namespace: temporal.namespace,
      store,
      models: options.models ?? rehearsalModels(),
      office: {
        ...noOffice,
        open: async (name) => ({
          opened: null,
          application: 'LibreOffice',
          detail: `'${name}' was not opened in this test.`,
        }),
      },
      secrets: chainedSecrets([]),
      redactor: new Redactor(),
      http: new AllowedHttp(parseAllowList('')),
      code: new QuickJs(),
      environment: 'test',
      bundle,
      slots: { light: 50, model: 16, heavy: 2 },
      log,
      kinds: kindRegistry(loaders),
    });
    worker = { connection: native, workers, running: workers.run() };
  }
  async function stopWorker(): Promise<void> {
    if (!worker) return;
    worker.workers.shutdown();
    await worker.running.catch(() => undefined);
    await worker.connection.close();
    worker = null;
  }
  await startWorker();

  const self: Engine = {
    temporal,
    client,
    store,
    services,
    start: (document, request = {}) =>
      startRun(services, {
        document: GraphDocument.parse(document),
        inputs: {},
        seed: 1,
        mode: 'batch',
        selection: { mode: 'all' },
        baseRun: null,
        usePins: false,
        ...request,
      }),
    async run(document, request) {
      const run = await self.start(document, request);
      return self.settled(run.id);
    },
    async retry(runId, request) {
      await retryRun(services, runId, { targets: [], edits: {}, ...request });
      return self.settled(runId);
    },
    async settled(runId, states = ended) {
      for (const until = Date.now() + 60_000; Date.now() < until; await sleep(15)) {
        const run = await store.meta.getRun(runId);
        if (run && states.includes(run.state)) {
          // Node states travel beside the workflow, a moment later.
          await sleep(60);
          return run;
        }
      }
      throw new Error(
        `run ${runId} did not come to ${states.join(' or ')}: ${JSON.stringify(await store.meta.getRun(runId))} ${JSON.stringify(await self.statuses(runId))}`,
      );
    },
    async outputs(runId, key) {
      const outcome = (await store.meta.listOutcomes(runId, { key })).at(-1);
      if (!outcome) throw new Error(`'${key}' has no outcome`);
      const values = Object.entries(outcome.outputs).map(async ([port, ref]) => {
        const value: Json = JSON.parse(Buffer.from(await store.artifacts.get(ref.hash)).toString('utf8'));
        return [port, ref.index === undefined || !Array.isArray(value) ? value : (value[ref.index] ?? null)] as const;
      });
      return Object.fromEntries(await Promise.all(values));
    },
    async statuses(runId) {
      return Object.fromEntries((await store.meta.listNodeViews(runId)).map(({ key, status }) => [key, status]));
    },
    async executions(runId) {
      const counts: Record<string, number> = {};
      for (const { key, origin } of await store.meta.listOutcomes(runId))
        if (origin === 'executed') counts[key] = (counts[key] ?? 0) + 1;
      return counts;
    },
    async restartWorker() {
      await stopWorker();
      await startWorker();
    },
    async stop() {
      await stopWorker();
      events.close();
      await connection.close();
      await engine.close();
      await temporal.stop();
      await store.meta.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return self;
}
