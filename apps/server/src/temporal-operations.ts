import { deploymentName, taskQueues, workflowTypes } from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import type { PendingProblem, QueueSituation, WorkerBuild } from '@cua-forge/spec/operations';
import type { Client, Connection } from '@temporalio/client';
import pLimit from 'p-limit';

/** Milliseconds without a poll after which a worker counts as gone: a poll is held open for a minute. */
const pollerMs = 75_000;
/** Milliseconds after which an activity that no worker took up counts as a problem. */
const patienceMs = 15_000;
/** Questions to Temporal at once. */
const askedAtOnce = 8;

interface Timestamp {
  seconds?: unknown;
  nanos?: number | null;
}
const millisecondsOf = (time: Timestamp | null | undefined): number =>
  time ? Number(time.seconds ?? 0) * 1_000 + Math.floor((time.nanos ?? 0) / 1e6) : 0;

/** Temporal's `WorkerDeploymentVersionStatus`. */
const buildStatus: Record<number, WorkerBuild['status']> = {
  1: 'inactive',
  2: 'current',
  3: 'ramping',
  4: 'draining',
  5: 'drained',
};

export interface TemporalOperations {
  queues(): Promise<QueueSituation[]>;
  /** Looks at the newest open workflows, at most `limit`. */
  pendingProblems(limit: number): Promise<{ examined: number; open: number; problems: PendingProblem[] }>;
  /** Empty where workers have no builds. */
  builds(): Promise<WorkerBuild[]>;
  /** @throws ForgeError `not-found` when no worker of that build has been seen */
  setCurrentBuild(build: string): Promise<void>;
}

/** What an operator asks of Temporal. `call` gives each question its time limit and turns its faults into the product's. */
export function temporalOperations(parts: {
  client: Client;
  connection: Connection;
  namespace: string;
  call<T>(work: () => Promise<T>): Promise<T>;
  now(): number;
}): TemporalOperations {
  const { client, connection, namespace, call, now } = parts;
  const service = () => connection.workflowService;

  async function queueSituation(queue: string): Promise<QueueSituation> {
    const { pollers, stats } = await service().describeTaskQueue({
      namespace,
      taskQueue: { name: queue },
      taskQueueType: queue === taskQueues.workflows ? 1 : 2,
      reportStats: true,
    });
    return {
      queue,
      backlog: Number(stats?.approximateBacklogCount ?? 0),
      backlogAgeMs: millisecondsOf(stats?.approximateBacklogAge),
      addedPerSecond: stats?.tasksAddRate ?? 0,
      takenPerSecond: stats?.tasksDispatchRate ?? 0,
      // Temporal remembers pollers for minutes after they are gone.
      workers: (pollers ?? [])
        .map(({ identity, lastAccessTime, deploymentOptions }) => ({
          identity: identity ?? '',
          lastSeen: millisecondsOf(lastAccessTime),
          build: deploymentOptions?.buildId || null,
        }))
        .filter(({ lastSeen }) => now() - lastSeen < pollerMs),
    };
  }

  async function problemsOf(workflowId: string): Promise<PendingProblem[]> {
    const { pendingActivities } = await service().describeWorkflowExecution({ namespace, execution: { workflowId } });
    return (pendingActivities ?? []).flatMap((pending) => {
      // A slice of a map is a workflow below its run's.
      const runId = /^run\/([^/]+)/.exec(workflowId)?.[1] ?? null;
      const scheduledAt = millisecondsOf(pending.scheduledTime);
      const attempt = pending.attempt ?? 0;
      const untaken = millisecondsOf(pending.lastStartedTime) === 0 && now() - scheduledAt > patienceMs;
      if (!pending.lastFailure && !untaken) return [];
      return [
        {
          workflowId,
          runId,
          queue: pending.activityOptions?.taskQueue?.name ?? '',
          activity: pending.activityType?.name ?? '',
          attempt,
          attempts: pending.maximumAttempts ?? 0,
          scheduledAt,
          failure: pending.lastFailure?.message ?? null,
          lastWorker: pending.lastWorkerIdentity || null,
        },
      ];
    });
  }

  return {
    queues: async () => {
      const asked = Object.values(taskQueues).map((queue) => call(() => queueSituation(queue)));
      // One that fails must not leave the others under way.
      await Promise.allSettled(asked);
      return Promise.all(asked);
    },

    async pendingProblems(limit) {
      const types = Object.values(workflowTypes).map((type) => `"${type}"`);
      const query = `ExecutionStatus = "Running" AND WorkflowType IN (${types.join(', ')})`;
      const { count } = await call(() => client.workflow.count(query));
      const ids: string[] = [];
      const iterator = client.workflow.list({ query, pageSize: Math.min(limit, 500) })[Symbol.asyncIterator]();
      while (ids.length < limit) {
        const next = await call(() => iterator.next());
        if (next.done === true) break;
        ids.push(next.value.workflowId);
      }
      const few = pLimit(askedAtOnce);
      const found = await Promise.all(ids.map((id) => few(() => call(() => problemsOf(id)))));
      return { examined: ids.length, open: count, problems: found.flat() };
    },

    builds: () =>
      call(async () => {
        try {
          const { workerDeploymentInfo } = await service().describeWorkerDeployment({ namespace, deploymentName });
          return (workerDeploymentInfo?.versionSummaries ?? []).map(({ deploymentVersion, status, createTime }) => ({
            build: deploymentVersion?.buildId ?? '',
            status: buildStatus[status ?? 0] ?? 'unknown',
            createdAt: millisecondsOf(createTime),
          }));
        } catch (thrown) {
          // No worker ever had a build, or the cluster is older than builds.
          if (isNotThere(thrown)) return [];
          throw thrown;
        }
      }),

    async setCurrentBuild(build) {
      await call(async () => {
        try {
          await service().setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId: build });
        } catch (thrown) {
          if (!isNotThere(thrown)) throw thrown;
          throw new ForgeError('not-found', `No worker of build '${build}' has been seen.`, {
            fix: 'Start a worker with FORGE_BUILD_ID set to it first.',
            cause: thrown,
          });
        }
      });
    },
  };
}

const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;
const UNIMPLEMENTED = 12;
const isNotThere = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  (thrown.code === NOT_FOUND || thrown.code === UNIMPLEMENTED || thrown.code === FAILED_PRECONDITION);
