import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTemporalServer } from '@cua-forge/cli/bootstrap/temporal-server';
import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { chainedSecrets } from '@cua-forge/secrets/chained-secrets';
import { Redactor } from '@cua-forge/secrets/redactor';
import { DesktopHosts } from '@cua-forge/server/desktops/desktop-hosts';
import { EventHub } from '@cua-forge/server/events/event-hub';
import { KeyedLock } from '@cua-forge/server/keyed-lock';
import { loadEnv } from '@cua-forge/server/load-env';
import { startRuns } from '@cua-forge/server/runs/start-runs';
import { createAccess } from '@cua-forge/server/security/create-access';
import type { Services } from '@cua-forge/server/services';
import { temporalEngineClient } from '@cua-forge/server/temporal-engine-client';
import { Collector } from '@cua-forge/server/upkeep/collector';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { compile } from '@cua-forge/spec/compile';
import type { GraphDocument } from '@cua-forge/spec/document';
import { openingOf, runWorkflowId, taskQueues, workflowTypes } from '@cua-forge/spec/engine';
import { metaOf } from '@cua-forge/spec/kind';
import { kinds } from '@cua-forge/spec/kinds';
import type { Plan } from '@cua-forge/spec/plan';
import type { RunRecord } from '@cua-forge/spec/store-port';
import type { ValueRef } from '@cua-forge/spec/value';
import { sha256 } from '@cua-forge/store/hash';
import { instanceName } from '@cua-forge/store/instance-name';
import { openStore } from '@cua-forge/store/open-store';
import { noOffice } from '@cua-forge/testing/execute-context';
import { QuickJs } from '@cua-forge/worker/code/quick-js';
import { createWorkers } from '@cua-forge/worker/create-workers';
import { kindRegistry } from '@cua-forge/worker/executor/kind-registry';
import { parseAllowList } from '@cua-forge/worker/http/allow-list';
import { AllowedHttp } from '@cua-forge/worker/http/allowed-http';
import { workflowBundle } from '@cua-forge/worker/workflow-bundle';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pino from 'pino';
import { z } from 'zod';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { median } from '../statistics.ts';
import type { RawActivities } from './raw.workflow.ts';
import { benchKinds, chain, diamond, diamonds, layer, stepText } from './workloads.ts';

const CONCURRENT = 200;
/** Nodes that each side executes before the measuring begins, at least one round. */
const WARM_UP_NODES = 1_000;

interface Frozen {
  plan: Plan;
  planHash: string;
  documentHash: string;
}
type Side = 'ours' | 'raw';
type Times = Record<Side, number[]>;
interface Workload {
  name: string;
  metric: string;
  nodes: number;
  ours(): Promise<unknown>;
  raw(): Promise<unknown>;
  figure(times: Times): Omit<BenchmarkResult, 'metric' | 'ratio'>;
}
/** Milliseconds of time, and of the processor time of two processes. */
interface Measured {
  time: number;
  worker: number;
  server: number;
}

/** Processor time of a process so far, in milliseconds; 0 where /proc does not tell. */
async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime and stime, in ticks of 10 ms.
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}

/**
 * The engine beside a hand-written workflow: same server, same worker settings, one process, the same steps reading and writing values in the same store by
 * reference; memo, events and outcomes on in ours. Five interleaved pairs; ratios are medians of the pairs' ratios.
 */
export const engineBenchmark: Benchmark = {
  name: 'engine',
  async run(report, options) {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      shutdownSignals: [],
      // The core would write its warnings to stdout, among the results.
      telemetryOptions: { logging: { filter: 'error', forward: {} } },
    });
    const folder = await mkdtemp(join(tmpdir(), 'forge-bench-'));
    const temporal = await startTemporalServer({ folder: join(folder, 'temporal'), env: process.env });
    const store = await openStore({ folder: join(folder, 'store') });
    const log = pino({ level: 'silent' });
    const metas = [
      ...kinds,
      ...benchKinds.map((kind) => metaOf(kind, 'bench', (schema) => z.toJSONSchema(schema, { io: 'input' }))),
    ];
    const native = await NativeConnection.connect({ address: temporal.address });
    const ours = await createWorkers({
      connection: native,
      namespace: temporal.namespace,
      store,
      models: rehearsalModels(),
      office: noOffice,
      secrets: chainedSecrets([]),
      redactor: new Redactor(),
      http: new AllowedHttp(parseAllowList('')),
      code: new QuickJs(),
      environment: 'bench',
      bundle: await workflowBundle(join(folder, 'cache'), log),
      slots: { light: 50, model: 16, heavy: 2 },
      log,
      kinds: kindRegistry(Object.fromEntries(benchKinds.map((kind) => [`${kind.id}@1`, async () => kind]))),
    });
    const rawActivities: RawActivities = {
      async rawStep({ runId, step, inputs }) {
        const read = await Promise.all(
          inputs.map(
            async (hash): Promise<string> => JSON.parse(Buffer.from(await store.artifacts.get(hash)).toString('utf8')),
          ),
        );
        return (await store.artifacts.put(Buffer.from(canonicalJson(stepText(runId, step, read))))).hash;
      },
    };
    const settings = {
      connection: native,
      namespace: temporal.namespace,
      maxHeartbeatThrottleInterval: '1s',
      defaultHeartbeatThrottleInterval: '1s',
    } as const;
    const rawWorkflows = await Worker.create({
      ...settings,
      taskQueue: 'raw',
      stickyQueueScheduleToStartTimeout: '1s',
      workflowBundle: await bundleWorkflowCode({
        workflowsPath: fileURLToPath(new URL('raw.workflow.ts', import.meta.url)),
        logger: new DefaultLogger('ERROR'),
      }),
    });
    const rawSteps = await Worker.create({
      ...settings,
      taskQueue: 'raw-steps',
      maxConcurrentActivityTaskExecutions: 50,
      activities: rawActivities,
    });
    const running = [ours.run(), rawWorkflows.run(), rawSteps.run()];
    const connection = await Connection.connect({ address: temporal.address });
    const client = new Client({ connection, namespace: temporal.namespace });

    const env = loadEnv({
      FORGE_STORE: join(folder, 'store'),
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
    });
    const engine = temporalEngineClient(env.temporal);
    const events = new EventHub(store.meta);
    const services: Services = {
      env,
      access: await createAccess(env),
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

    let runs = 0;
    async function store1(value: string | string[]): Promise<ValueRef> {
      const { hash, size } = await store.artifacts.put(Buffer.from(canonicalJson(value)));
      return { hash, size };
    }
    async function freeze(document: GraphDocument): Promise<Frozen> {
      const { plan, params } = compile(document, metas, sha256);
      for (const { json } of params) await store.artifacts.put(Buffer.from(json));
      const { hash } = await store.artifacts.put(Buffer.from(canonicalJson(plan)));
      return { plan, planHash: hash, documentHash: plan.document.hash };
    }
    /** As the server starts a run: its record, then its workflow. */
    async function runOurs(
      document: GraphDocument,
      { plan, ...frozen }: Frozen,
      inputOf: (id: string) => string | string[] = (id) => id,
    ): Promise<void> {
      const id = `o${runs++}`;
      const first = await store1(inputOf(id));
      const run: RunRecord = {
        id,
        ...frozen,
        documentId: document.id,
        title: document.title,
        skill: '',
        seed: 1,
        mode: 'batch',
        batchId: null,
        baseRun: null,
        selection: { mode: 'all' },
        inputs: { first },
        edits: {},
        state: 'queued',
        failure: null,
        outputs: {},
        epoch: 1,
        workflowId: runWorkflowId(id),
        createdAt: Date.now(),
        startedAt: null,
        endedAt: null,
      };
      await store.meta.createRun(run);
      const result: { state: string } = await client.workflow.execute(workflowTypes.runGraph, {
        workflowId: runWorkflowId(id),
        taskQueue: taskQueues.workflows,
        args: [{ runId: id, epoch: 1, retry: [], carried: null, opening: openingOf(run, plan) }],
      });
      if (result.state !== 'succeeded')
        throw new Error(`run ${id} ended as ${result.state}: ${JSON.stringify(result)}`);
    }
    /** As the server starts many runs at once: their records, then the workflows that host them. Every result is looked at. */
    async function runMany(document: GraphDocument, count: number): Promise<void> {
      const words = Array.from({ length: count }, () => `o${runs++}`);
      const { ids, hosts } = await startRuns(services, {
        document,
        runs: words.map((first) => ({ inputs: { first }, seed: 1 })),
      });
      if (hosts === 0) throw new Error('The runs were not hosted.');
      const started = await Promise.all(ids.map((id) => store.meta.getRun(id)));
      const workflows = new Set(started.flatMap((run) => (run ? [run.workflowId] : [])));
      await Promise.all([...workflows].map((id) => client.workflow.result(id)));
      for (const id of ids) {
        const run = await store.meta.getRun(id);
        const last: unknown = run?.outputs.last?.preview;
        if (run?.state !== 'succeeded' || typeof last !== 'string' || !last.startsWith(`${id}:9(200,200,200,200)`))
          throw new Error(`run ${id} ended as ${run?.state} with ${JSON.stringify(last)}`);
      }
    }
    async function runRaw(type: string, ...more: unknown[]): Promise<void> {
      const id = `r${runs++}`;
      const first = await store1(id);
      await client.workflow.execute(type, { workflowId: id, taskQueue: 'raw', args: [id, first.hash, ...more] });
    }
    const measured = async (work: () => Promise<unknown>): Promise<Measured> => {
      const before = { time: performance.now(), worker: process.cpuUsage(), server: await cpuOf(temporal.pid) };
      await work();
      const { user, system } = process.cpuUsage(before.worker);
      return {
        time: performance.now() - before.time,
        worker: (user + system) / 1_000,
        server: (await cpuOf(temporal.pid)) - before.server,
      };
    };
    const many = (count: number, work: () => Promise<void>): Promise<unknown> =>
      Promise.all(Array.from({ length: count }, work));

    const results: BenchmarkResult[] = [];
    try {
      const remote = {
        chain: chain('bench.remote', 50),
        layer: layer('bench.remote', 200),
        diamond: diamond('bench.remote'),
      };
      const cheap = {
        chain: chain('bench.cheap', 50),
        diamond: diamond('bench.cheap'),
        diamonds: diamonds('bench.cheap'),
      };
      const frozen = {
        chain: await freeze(remote.chain),
        layer: await freeze(remote.layer),
        diamond: await freeze(remote.diamond),
        cheapChain: await freeze(cheap.chain),
        cheapDiamond: await freeze(cheap.diamond),
        cheapDiamonds: await freeze(cheap.diamonds),
      };
      const pairs = async ({ name, nodes, ours: oursOnce, raw: rawOnce }: Workload): Promise<Times> => {
        const times: Record<Side, Measured[]> = { ours: [], raw: [] };
        // Unmeasured: what is compiled and cached at first use. A short workload needs more rounds to be as warm as in a process that runs for days.
        for (let round = 0; round < Math.max(1, Math.round(WARM_UP_NODES / nodes)); round++) {
          await oursOnce();
          await rawOnce();
        }
        for (let pair = 0; pair < options.pairs; pair++) {
          // Who goes first alternates, so that a drift of the machine cancels.
          for (const side of pair % 2 === 0 ? (['ours', 'raw'] as const) : (['raw', 'ours'] as const))
            times[side].push(await measured(side === 'ours' ? oursOnce : rawOnce));
          report(
            `${name}: pair ${pair + 1} of ${options.pairs}, ours ${times.ours.at(-1)?.time.toFixed(0)} ms, raw ${times.raw.at(-1)?.time.toFixed(0)} ms`,
          );
        }
        // What costs what: processor time of this process (worker and client) and of the Temporal server.
        for (const process of ['worker', 'server'] as const) {
          const of = (side: Side): number => median(times[side].map((each) => each[process])) / nodes;
          results.push({
            metric: `cpu.${process}.${name.replaceAll(/[ ,]+/g, '-')}`,
            value: of('ours'),
            unit: 'ms of CPU a node',
            against: of('raw'),
            ratio: of('raw') / of('ours'),
            aim: 'told, not aimed at',
          });
        }
        return { ours: times.ours.map(({ time }) => time), raw: times.raw.map(({ time }) => time) };
      };
      const ratios = (times: Times): number =>
        median(times.raw.map((raw, pair) => raw / (times.ours[pair] ?? Number.NaN)));

      const perSecond = (nodes: number, times: readonly number[]): number => (nodes * 1_000) / median(times);
      const throughput =
        (count: number, unit: string, aim: string): Workload['figure'] =>
        (times) => ({ value: perSecond(count, times.ours), unit, against: perSecond(count, times.raw), aim });
      const workloads: Workload[] = [
        {
          name: 'chain of 50, remote',
          metric: 'chain.remote.added',
          nodes: 50,
          ours: () => runOurs(remote.chain, frozen.chain),
          raw: () => runRaw('rawChain', 50),
          figure: (times) => ({
            value: median(times.ours.map((time, pair) => (time - (times.raw[pair] ?? Number.NaN)) / 50)),
            unit: 'ms a node',
            against: median(times.raw) / 50,
            aim: '≤ 5',
          }),
        },
        {
          name: 'layer of 200, remote',
          metric: 'throughput.layer',
          nodes: 200,
          ours: () => runOurs(remote.layer, frozen.layer),
          raw: () => runRaw('rawLayer', 200),
          figure: throughput(200, 'nodes/s', 'ratio ≥ 0.85'),
        },
        {
          name: '200 DAGs of ten, remote',
          metric: 'throughput.dags',
          nodes: CONCURRENT * 10,
          ours: () => many(CONCURRENT, () => runOurs(remote.diamond, frozen.diamond)),
          raw: () => many(CONCURRENT, () => runRaw('rawDiamond')),
          figure: throughput(CONCURRENT * 10, 'nodes/s', 'ratio ≥ 0.85'),
        },
        {
          name: 'chain of 50, cheap',
          metric: 'chain.cheap',
          nodes: 50,
          ours: () => runOurs(cheap.chain, frozen.cheapChain),
          raw: () => runRaw('rawChain', 50),
          figure: (times) => ({
            value: median(times.ours) / 50,
            unit: 'ms a node',
            against: median(times.raw) / 50,
            aim: '≤ 1.5',
          }),
        },
        {
          name: '200 DAGs of ten, cheap, as 200 runs started together',
          metric: 'throughput.cheap',
          nodes: CONCURRENT * 10,
          ours: () => runMany(cheap.diamond, CONCURRENT),
          raw: () => many(CONCURRENT, () => runRaw('rawDiamond')),
          figure: throughput(CONCURRENT * 10, 'nodes/s', '≥ 1000'),
        },
        {
          name: '200 DAGs of ten, cheap, a workflow each',
          metric: 'throughput.cheap.alone',
          nodes: CONCURRENT * 10,
          ours: () => many(CONCURRENT, () => runOurs(cheap.diamond, frozen.cheapDiamond)),
          raw: () => many(CONCURRENT, () => runRaw('rawDiamond')),
          figure: throughput(CONCURRENT * 10, 'nodes/s', 'told, not aimed at'),
        },
        {
          name: '200 DAGs of ten, cheap, items of one run',
          metric: 'throughput.cheap.items',
          nodes: CONCURRENT * 10,
          ours: () =>
            runOurs(cheap.diamonds, frozen.cheapDiamonds, (id) =>
              Array.from({ length: CONCURRENT }, (_, item) => `${id}-${item}`),
            ),
          raw: () => many(CONCURRENT, () => runRaw('rawDiamond')),
          figure: throughput(CONCURRENT * 10, 'nodes/s', '≥ 1000'),
        },
        {
          name: '200 runs of ten cheap nodes beside 200 empty workflows',
          metric: 'throughput.runs',
          nodes: CONCURRENT,
          ours: () => many(CONCURRENT, () => runOurs(cheap.diamond, frozen.cheapDiamond)),
          raw: () => many(CONCURRENT, () => runRaw('rawNothing')),
          figure: throughput(CONCURRENT, 'runs/s', 'told: the most that one workflow a run allows'),
        },
      ];
      for (const workload of workloads.filter(({ name }) => name.includes(options.only))) {
        const times = await pairs(workload);
        results.push({ metric: workload.metric, ratio: ratios(times), ...workload.figure(times) });
      }
      return results;
    } finally {
      ours.shutdown();
      rawWorkflows.shutdown();
      rawSteps.shutdown();
      await Promise.allSettled(running);
      events.close();
      await Promise.allSettled([native.close(), connection.close(), engine.close()]);
      await temporal.stop();
      await store.meta.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
