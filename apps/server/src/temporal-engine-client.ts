import { randomUUID } from 'node:crypto';
import {
  ApproveCommand,
  batchSignal,
  cancelRunSignal,
  RetryAnswer,
  RetryCommand,
  RunBatchInput,
  RunGraphInput,
  RunHostedInput,
  RunResult,
  searchAttributes,
  taskQueues,
  updateNames,
  versionOf,
  workflowTypes,
} from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import { ConsultationAnswer } from '@cua-forge/spec/models-view';
import type { Tracing } from '@cua-forge/telemetry/tracing';
import {
  Client,
  Connection,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionStatusName,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry';
import { z } from 'zod';
import type { EngineClient, EngineHealth, WorkflowSituation, WorkflowStatus } from './engine-client.ts';
import { fromTemporal, isDeadline, namesUnknownAttribute } from './temporal-faults.ts';
import { temporalOperations } from './temporal-operations.ts';
import { temporalSchedules } from './temporal-schedules.ts';

export interface TemporalSettings {
  address: string;
  namespace: string;
  tls: boolean;
  apiKey: string | undefined;
}

/** Milliseconds a call may take; updates wait for a worker and get longer. */
const callMs = 5_000;
const updateMs = 20_000;
/** Milliseconds a question to a worker may take, models that answer slowly included. */
const consultMs = 1_200_000;
const pending = Symbol('no answer yet');

const keys = {
  skill: defineSearchAttributeKey(searchAttributes.skill, 'KEYWORD'),
  workflow: defineSearchAttributeKey(searchAttributes.workflow, 'KEYWORD'),
  version: defineSearchAttributeKey(searchAttributes.version, 'KEYWORD'),
  batch: defineSearchAttributeKey(searchAttributes.batch, 'KEYWORD'),
};

const Memo = z.object({ epoch: z.number().int().positive() });

const statusOf: Record<WorkflowExecutionStatusName, WorkflowStatus> = {
  RUNNING: 'open',
  PAUSED: 'open',
  CONTINUED_AS_NEW: 'open',
  UNSPECIFIED: 'open',
  UNKNOWN: 'open',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  TERMINATED: 'terminated',
  TIMED_OUT: 'timed-out',
};

interface Start {
  input: RunGraphInput | RunHostedInput | RunBatchInput;
  summary: string;
  epoch: number;
  /** Sent to the workflow, also when it is there already. */
  signal?: string;
  attributes: { skill: string; workflow: string; version: string; batch: string | null };
}

/** An answer that a short call did not wait for is still to come. */
function stillWorking(thrown: unknown): typeof pending {
  if (isDeadline(thrown)) return pending;
  throw thrown;
}

/** Text in quotes for a visibility query. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** The engine on Temporal. It connects when first used, and again after every interruption. */
export function temporalEngineClient(settings: TemporalSettings, tracing?: Tracing): EngineClient {
  const connection = Connection.lazy({
    address: settings.address,
    ...(settings.tls ? { tls: true } : {}),
    ...(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey }),
    connectTimeout: callMs,
  });
  const client = new Client({
    connection,
    namespace: settings.namespace,
    ...(tracing === undefined
      ? {}
      : { interceptors: { workflow: [new OpenTelemetryWorkflowClientInterceptor({ tracer: tracing.tracer })] } }),
  });

  /** The client's own repeats throw out of a timer when the connection is closed under them, so closing waits for these. */
  const underWay = new Set<Promise<unknown>>();

  async function call<T>(work: () => Promise<T>, milliseconds = callMs): Promise<T> {
    const answer = connection.withDeadline(Date.now() + milliseconds, work);
    underWay.add(answer);
    try {
      return await answer;
    } catch (thrown) {
      throw fromTemporal(thrown, settings.address);
    } finally {
      underWay.delete(answer);
    }
  }

  let closing = false;

  /** A cluster whose administrator has not created the search attributes runs everything without them. */
  let attributesExist = true;

  /** Starts a workflow; one of that id that is there already (open, or for a first start in any state) is left alone. */
  async function start(type: string, workflowId: string, options: Start): Promise<void> {
    const { skill, workflow, version, batch } = options.attributes;
    const attempt = async (): Promise<void> => {
      const { signal } = options;
      const common = {
        workflowId,
        taskQueue: taskQueues.workflows,
        args: [options.input],
        staticSummary: options.summary.slice(0, 200),
        memo: { epoch: options.epoch },
        ...(attributesExist
          ? {
              typedSearchAttributes: [
                { key: keys.skill, value: skill },
                { key: keys.workflow, value: workflow },
                { key: keys.version, value: version },
                ...(batch === null ? [] : [{ key: keys.batch, value: batch }]),
              ],
            }
          : {}),
      };
      await (signal === undefined
        ? client.workflow.start(type, {
            ...common,
            workflowIdReusePolicy: options.epoch === 1 ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
            workflowIdConflictPolicy: 'FAIL',
          })
        : client.workflow.signalWithStart(type, { ...common, workflowIdReusePolicy: 'ALLOW_DUPLICATE', signal }));
    };
    await call(async () => {
      try {
        await attempt().catch((thrown: unknown) => {
          if (!attributesExist || !namesUnknownAttribute(thrown)) throw thrown;
          attributesExist = false;
          return attempt();
        });
      } catch (thrown) {
        if (!(thrown instanceof WorkflowExecutionAlreadyStartedError)) throw thrown;
      }
    });
  }

  /** Why a closed workflow ended, and what it returned. */
  async function endOf(workflowId: string): Promise<{ detail: string; result: RunResult | null }> {
    try {
      const result = RunResult.safeParse(await client.workflow.result(workflowId));
      return { detail: '', result: result.success ? result.data : null };
    } catch (thrown) {
      if (!(thrown instanceof WorkflowFailedError)) throw thrown;
      return { detail: thrown.cause?.message ?? thrown.message, result: null };
    }
  }

  const operations = temporalOperations({ client, connection, namespace: settings.namespace, call, now: Date.now });

  return {
    startRun: (run, retry, opening) => {
      const input: RunGraphInput = RunGraphInput.parse({
        runId: run.id,
        epoch: run.epoch,
        retry: [...retry],
        carried: null,
        ...(opening ? { opening } : {}),
      });
      return start(workflowTypes.runGraph, run.workflowId, {
        input,
        summary: run.title,
        epoch: run.epoch,
        attributes: {
          skill: run.skill,
          workflow: run.documentId,
          version: versionOf(run.documentHash),
          batch: run.batchId,
        },
      });
    },

    startHost: async (workflowId, runs) => {
      const [first] = runs;
      if (first === undefined) return;
      await start(workflowTypes.runHosted, workflowId, {
        input: RunHostedInput.parse({ runs: runs.map(({ id }) => id) }),
        summary: `${runs.length} runs: ${first.title}`,
        epoch: 1,
        attributes: {
          skill: first.skill,
          workflow: first.documentId,
          version: versionOf(first.documentHash),
          batch: first.batchId,
        },
      });
    },

    startBatch: ({ id, title, parts, count, workflowId }) => {
      const [first] = parts;
      const several = (values: string[]): string => [...new Set(values)].join(', ').slice(0, 200);
      return start(workflowTypes.runBatch, workflowId, {
        input: RunBatchInput.parse({ batchId: id }),
        summary: `${title}: ${count} runs${first === undefined ? '' : ` from seed ${first.seed}`}`,
        epoch: 1,
        signal: batchSignal,
        attributes: {
          skill: several(parts.map((part) => part.skill)),
          workflow: several(parts.map((part) => part.documentId)),
          version: several(parts.map((part) => versionOf(part.documentHash))),
          batch: id,
        },
      });
    },

    retry: async (workflowId, command) => {
      const answer = await call(
        () =>
          client.workflow
            .getHandle(workflowId)
            .executeUpdate(updateNames.retry, { args: [RetryCommand.parse(command)] }),
        updateMs,
      );
      return RetryAnswer.parse(answer);
    },

    approve: async (workflowId, command) => {
      await call(
        () =>
          client.workflow
            .getHandle(workflowId)
            .executeUpdate(updateNames.approve, { args: [ApproveCommand.parse(command)] }),
        updateMs,
      );
    },

    cancel: async (workflowId) => {
      await call(() => client.workflow.getHandle(workflowId).cancel());
    },

    cancelHosted: async (workflowId, runId) => {
      await call(() => client.workflow.getHandle(workflowId).signal(cancelRunSignal, runId));
    },

    describe: (workflowId) =>
      call(async (): Promise<WorkflowSituation> => {
        try {
          const described = await client.workflow.getHandle(workflowId).describe();
          const status = statusOf[described.status.name];
          const memo = Memo.safeParse(described.memo);
          const end = status === 'open' ? { detail: '', result: null } : await endOf(workflowId);
          return { status, epoch: memo.success ? memo.data.epoch : null, ...end };
        } catch (thrown) {
          if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
          return { status: 'not-found', detail: 'Temporal knows no workflow of this id.', epoch: null, result: null };
        }
      }),

    listOpen: async function* () {
      const types = [workflowTypes.runGraph, workflowTypes.runHosted, workflowTypes.runBatch].map(quoted).join(', ');
      const open = client.workflow.list({
        query: `ExecutionStatus = "Running" AND WorkflowType IN (${types})`,
        pageSize: 500,
      });
      const iterator = open[Symbol.asyncIterator]();
      for (;;) {
        const next = await call(() => iterator.next());
        if (next.done === true) return;
        yield next.value.workflowId;
      }
    },

    cancelChildren: (workflowId) =>
      call(async () => {
        const query = `ParentWorkflowId = ${quoted(workflowId)} AND ExecutionStatus = "Running"`;
        let cancelled = 0;
        for await (const child of client.workflow.list({ query, pageSize: 500 })) {
          try {
            await client.workflow.getHandle(child.workflowId, child.runId).cancel();
            cancelled += 1;
          } catch (thrown) {
            if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
          }
        }
        return cancelled;
      }, updateMs),

    consult: async (question, signal) => {
      const handle = await call(() =>
        client.workflow.start(workflowTypes.consult, {
          workflowId: `consult/${randomUUID()}`,
          taskQueue: taskQueues.workflows,
          args: [question],
          workflowExecutionTimeout: consultMs,
          staticSummary: `consult: ${question.what}`,
        }),
      );
      const cancel = () => void call(() => handle.cancel()).catch(() => undefined);
      signal.addEventListener('abort', cancel, { once: true });
      try {
        // Asked for in short calls, so that closing the connection need not wait for the answer.
        for (;;) {
          const said = await call(() => handle.result().catch(stillWorking), callMs);
          if (said !== pending) return ConsultationAnswer.parse(said);
          if (closing)
            throw new ForgeError('server.busy', 'The server is stopping.', { fix: 'Ask again when it is back.' });
        }
      } catch (thrown) {
        signal.throwIfAborted();
        throw thrown;
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },

    health: async (): Promise<EngineHealth> => {
      try {
        const queues = await operations.queues();
        const workers = queues.map(({ queue, workers }) => ({ queue, pollers: workers.length }));
        return { reachable: true, detail: '', workers };
      } catch (thrown) {
        const error = thrown instanceof ForgeError ? thrown : fromTemporal(thrown, settings.address);
        return { reachable: false, detail: [error.message, error.fix ?? ''].join(' ').trim(), workers: [] };
      }
    },

    operations,

    schedules: temporalSchedules(client, call),

    close: async () => {
      closing = true;
      await Promise.allSettled(underWay);
      await connection.close();
    },
  };
}
