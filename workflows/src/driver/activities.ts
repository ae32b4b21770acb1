import type { EngineActivities, ReportedNode } from '@cua-forge/spec/engine';
import { taskQueues } from '@cua-forge/spec/engine-names';
import type { Sinks } from '@temporalio/workflow';
import { ActivityCancellationType, proxyActivities, proxyLocalActivities, proxySinks } from '@temporalio/workflow';
import type { Command, RunState } from '../interpreter/state.ts';

export type Activities = EngineActivities<RunState, Command>;

/** Bookkeeping next to the workflow: quick reads and commits in the store. Retried until the store answers. */
export const local = proxyLocalActivities<Activities>({
  startToCloseTimeout: '60s',
  localRetryThreshold: '30s',
  retry: { initialInterval: '200ms', maximumInterval: '30s' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** The same, for what may take longer than a workflow task. */
export const remote = proxyActivities<Activities>({
  taskQueue: taskQueues.light,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '500ms', maximumInterval: '30s' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

export interface ForgeSinks extends Sinks {
  forge: {
    report(runId: string, nodes: ReportedNode[]): void;
    /** A run that needed no look into the store is under way. */
    opened(runId: string, epoch: number): void;
  };
}
export const { forge } = proxySinks<ForgeSinks>();
