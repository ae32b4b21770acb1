import type { ApproveCommand, Opening, RetryAnswer, RetryCommand, RunResult } from '@cua-forge/spec/engine';
import type { Consultation, ConsultationAnswer } from '@cua-forge/spec/models-view';
import type { BatchRecord, RunRecord } from '@cua-forge/spec/store-port';
import type { TemporalOperations } from './temporal-operations.ts';
import type { EngineSchedules } from './temporal-schedules.ts';

export type WorkflowStatus = 'open' | 'completed' | 'failed' | 'cancelled' | 'terminated' | 'timed-out' | 'not-found';

export interface WorkflowSituation {
  status: WorkflowStatus;
  /** Why it ended, where it did not complete. */
  detail: string;
  /** Epoch of the run that this execution was started for; null when it carries none. */
  epoch: number | null;
  /** What a completed run's workflow returned. */
  result: RunResult | null;
}

export interface EngineHealth {
  reachable: boolean;
  detail: string;
  workers: { queue: string; pollers: number }[];
}

/**
 * What the server asks of the engine. Every call throws ForgeError `temporal.unreachable` when the engine does not answer in a few
 * seconds; calls about a workflow that has ended throw `run.state`.
 */
export interface EngineClient {
  /** Starts the workflow of the run's epoch. Does nothing when it is started already. `retry` names nodes to run again; `opening` saves the
   * workflow a look into the store. */
  startRun(run: RunRecord, retry: readonly string[], opening?: Opening): Promise<void>;
  /** Starts the workflow that drives these runs, which are of one plan and name it as theirs. Does nothing when it is started already. */
  startHost(workflowId: string, runs: readonly RunRecord[]): Promise<void>;
  /** Starts the workflow of a batch; one that is open is told to look at its record. */
  startBatch(batch: BatchRecord): Promise<void>;
  retry(workflowId: string, command: RetryCommand): Promise<RetryAnswer>;
  approve(workflowId: string, command: ApproveCommand): Promise<void>;
  /** Asks the workflow to cancel; it does so in its own time. */
  cancel(workflowId: string): Promise<void>;
  /** Asks a host to cancel one of its runs. */
  cancelHosted(workflowId: string, runId: string): Promise<void>;
  describe(workflowId: string): Promise<WorkflowSituation>;
  /** Ids of open workflows, as the engine's index has them: it lags a second or so behind. */
  listOpen(): AsyncIterable<string>;
  /** Asks the open child workflows of a workflow that ended to cancel; answers how many there were. */
  cancelChildren(workflowId: string): Promise<number>;
  /** Asks a worker something that belongs to no run, and waits for its answer, which lies in the store. */
  consult(question: Consultation, signal: AbortSignal): Promise<ConsultationAnswer>;
  health(): Promise<EngineHealth>;
  /** What an operator asks of the engine: queues, workers and their builds, activities in trouble. */
  operations: TemporalOperations;
  schedules: EngineSchedules;
  close(): Promise<void>;
}
