import type { Redactor } from '@cua-forge/secrets/redactor';
import type { CodePort } from '@cua-forge/spec/code-port';
import { deploymentName as DEPLOYMENT, taskQueues } from '@cua-forge/spec/engine';
import type { HttpPort } from '@cua-forge/spec/http-port';
import type { OfficePort, QueueName } from '@cua-forge/spec/kind';
import type { ModelPort } from '@cua-forge/spec/model-port';
import type { ModelsView } from '@cua-forge/spec/models-view';
import type { SecretsPort } from '@cua-forge/spec/secrets-port';
import type { Store } from '@cua-forge/spec/store-port';
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { NativeConnection, WorkerOptions, WorkerPlugin } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { batchActivities } from './activities/batch-activities.ts';
import { consultActivity } from './activities/consult-activity.ts';
import { executeActivities, forTemporal } from './activities/execute-nodes.ts';
import { mapActivities } from './activities/map-activities.ts';
import { markRunning, runActivities } from './activities/run-activities.ts';
import { scheduleActivities } from './activities/schedule-activities.ts';
import type { ExecutorParts } from './executor/execute-member.ts';
import type { KindRegistry } from './executor/kind-registry.ts';
import { kindRegistry } from './executor/kind-registry.ts';
import { Memo } from './executor/memo.ts';
import { ParsedParams } from './executor/parsed-params.ts';
import { RunFacts } from './executor/run-facts.ts';
import { Values } from './executor/values.ts';
import { WorkerRole } from './load-env.ts';
import { NodeReports } from './node-reports.ts';
import type { ObserveExecution } from './observe-executions.ts';
import { ProgressWriter } from './progress-writer.ts';
import { withoutSandboxes } from './sandbox/lent-sandboxes.ts';

export interface WorkerParts {
  connection: NativeConnection;
  namespace: string;
  store: Store;
  models: ModelPort;
  /** What GET /api/models says. */
  describeModels?: () => Promise<ModelsView>;
  office: OfficePort;
  secrets: SecretsPort;
  redactor: Redactor;
  http: HttpPort;
  code: CodePort;
  /** Left out, nodes have no sandboxes. */
  sandboxes?: ExecutorParts['sandboxes'];
  /** Versions of outside tools that results depend on. */
  environment: string;
  bundle: { code: string };
  slots: Record<QueueName, number>;
  tuning?: WorkerTuning;
  /** Told of each execution that ended. */
  observe?: ObserveExecution;
  /** Makes spans of workflows and activities. */
  plugin?: WorkerPlugin;
  log: Logger;
  kinds?: KindRegistry;
}

/** How much this process takes on, and under which name; every member has a default. */
export interface WorkerTuning {
  /** What this process serves. */
  roles?: readonly WorkerRole[];
  workflowSlots?: number;
  localSlots?: number;
  cachedWorkflows?: number | undefined;
  identity?: string | undefined;
  /** Runs stay with the build that they were started on; which build new runs start on is set on the cluster. */
  buildId?: string | undefined;
}

export interface ForgeWorkers {
  /** Ends when `shutdown` was called and work in flight has ended or been handed back; rejects when a worker breaks. */
  run(): Promise<void>;
  shutdown(): void;
}

const INTERNAL_ATTEMPTS = 5;

type Activity = (input: never) => Promise<unknown>;

/** Errors of bookkeeping activities: faults of the user end the activity, the rest is repeated. */
function guarded<T extends object>(activities: T): T {
  return Object.fromEntries(
    Object.entries(activities).map(([name, run]: [string, Activity]) => [
      name,
      async (input: never) => {
        try {
          return await run(input);
        } catch (thrown) {
          const error = forTemporal(thrown, Context.current().cancellationSignal);
          // A fault of ours does not go away by trying; a full disk or a busy store does.
          if (
            error instanceof ApplicationFailure &&
            error.type === 'internal' &&
            Context.current().info.attempt >= INTERNAL_ATTEMPTS
          )
            throw ApplicationFailure.nonRetryable(error.message, error.type, ...(error.details ?? []));
          throw error;
        }
      },
    ]),
  ) as T;
}

/** One worker for each task queue, in this process. */
export async function createWorkers(parts: WorkerParts): Promise<ForgeWorkers> {
  const { store, log, tuning = {} } = parts;
  const values = new Values(store.artifacts);
  const facts = new RunFacts(store);
  const progress = new ProgressWriter(store);
  const reports = new NodeReports(store, log);
  const executor = {
    store,
    values,
    memo: new Memo(store.meta, values),
    params: new ParsedParams(values),
    kinds: parts.kinds ?? kindRegistry(),
    models: parts.models,
    office: parts.office,
    secrets: parts.secrets,
    redactor: parts.redactor,
    http: parts.http,
    code: parts.code,
    sandboxes: parts.sandboxes ?? withoutSandboxes,
    environment: parts.environment,
    now: Date.now,
  };
  const activities = {
    ...executeActivities(executor, facts, progress, parts.observe),
    ...consultActivity(executor, parts.describeModels),
    ...guarded({
      ...runActivities(store, values, facts, (runId) => reports.flush(runId)),
      ...mapActivities(store, values, facts),
      ...batchActivities(store, facts),
      ...scheduleActivities(store),
    }),
  };
  const common: Pick<
    WorkerOptions,
    | 'connection'
    | 'namespace'
    | 'activities'
    | 'maxHeartbeatThrottleInterval'
    | 'defaultHeartbeatThrottleInterval'
    | 'shutdownGraceTime'
    | 'shutdownForceTime'
    | 'identity'
    | 'workerDeploymentOptions'
    | 'plugins'
  > = {
    connection: parts.connection,
    namespace: parts.namespace,
    activities,
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    shutdownGraceTime: '1s',
    shutdownForceTime: '20s',
    ...(tuning.identity === undefined ? {} : { identity: tuning.identity }),
    ...(parts.plugin === undefined ? {} : { plugins: [parts.plugin] }),
    ...(tuning.buildId === undefined
      ? {}
      : {
          workerDeploymentOptions: {
            version: { deploymentName: DEPLOYMENT, buildId: tuning.buildId },
            useWorkerVersioning: true,
            defaultVersioningBehavior: 'PINNED',
          },
        }),
  };
  const createWorkflowWorker = (): Promise<Worker> =>
    Worker.create({
      ...common,
      taskQueue: taskQueues.workflows,
      workflowBundle: parts.bundle,
      stickyQueueScheduleToStartTimeout: '1s',
      maxConcurrentLocalActivityExecutions: tuning.localSlots ?? 200,
      ...(tuning.workflowSlots === undefined ? {} : { maxConcurrentWorkflowTaskExecutions: tuning.workflowSlots }),
      ...(tuning.cachedWorkflows === undefined ? {} : { maxCachedWorkflows: tuning.cachedWorkflows }),
      sinks: {
        forge: {
          report: {
            fn: (_info, runId: string, nodes: unknown[]) => reports.report(runId, nodes),
            callDuringReplay: false,
          },
          opened: {
            fn: (_info, runId: string, epoch: number) =>
              void markRunning(store, runId, epoch, ['queued']).catch((error: unknown) => {
                log.warn({ runId, error: String(error) }, 'the run is under way, but its record could not say so');
              }),
            callDuringReplay: false,
          },
        },
      },
    });
  const createActivityWorker = (queue: QueueName): Promise<Worker> =>
    Worker.create({
      ...common,
      taskQueue: taskQueues[queue],
      maxConcurrentActivityTaskExecutions: parts.slots[queue],
    });
  const workers = await Promise.all(
    (tuning.roles ?? WorkerRole.options).map((role) =>
      role === 'workflows' ? createWorkflowWorker() : createActivityWorker(role),
    ),
  );
  return {
    async run() {
      try {
        await Promise.all(workers.map((worker) => worker.run()));
      } finally {
        await reports.flush();
        await progress.flush();
      }
    },
    shutdown() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}
