import type { EngineActivities, MemberResult } from '@cua-forge/spec/engine';
import { ExecuteBatch, ExecuteHosted } from '@cua-forge/spec/engine';
import { isRetryable, toForgeError } from '@cua-forge/spec/errors';
import type { ValueRef } from '@cua-forge/spec/value';
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { Delivery, ExecutorParts } from '../executor/execute-member.ts';
import { executeMember, resultOf, TryAgain } from '../executor/execute-member.ts';
import type { RunFacts } from '../executor/run-facts.ts';
import type { ObserveExecution } from '../observe-executions.ts';
import type { ProgressWriter } from '../progress-writer.ts';

/** Milliseconds between heartbeats at most: a cancellation is noticed with the next. */
const HEARTBEAT = 1_000;
/** Milliseconds after which a host gets what is done, so that it hears of cancels before it asks for the rest. */
const HOSTED = 1_000;
/** Milliseconds that the commit of one of several activities waits for those of the others: one transaction for all costs less. */
const PATIENCE = 5;

export function executeActivities(
  parts: ExecutorParts,
  facts: RunFacts,
  progress: ProgressWriter,
  observe?: ObserveExecution,
): Pick<EngineActivities, 'executeNodes' | 'executeHosted' | 'recallMembers'> {
  /** Executes the members of one run in order, and commits each as it ends. */
  async function executeMembers({ runId, members }: ExecuteBatch, delivery: Delivery): Promise<MemberResult[]> {
    const run = await facts.run(runId);
    const made = new Map<number, Record<string, ValueRef>>();
    const results: MemberResult[] = [];
    // Members are committed in order: behind the first that an earlier delivery did not reach, there is nothing to find.
    let reached = true;
    for (const member of members) {
      const committed = reached ? await parts.store.meta.findOutcome(runId, member.key, member.token) : null;
      const execute = () => executeMember(parts, run, member, made, delivery);
      const result = committed
        ? resultOf(committed)
        : await (observe === undefined ? execute() : observe(runId, member, delivery.attempt, execute));
      if (!result) continue;
      if (!committed) reached = false;
      results.push(result);
      if (result.outputs) made.set(member.token, result.outputs);
    }
    return results;
  }

  /** Executions in this process that have an activity to themselves. */
  let remote = 0;

  return {
    async executeNodes(input) {
      const batch = ExecuteBatch.parse(input);
      const { runId, attempts, members } = batch;
      const context = Context.current();
      const { info } = context;
      const delivery: Delivery = {
        signal: context.cancellationSignal,
        attempt: info.attempt,
        attempts,
        patience: () => (!info.isLocal && remote > 1 ? PATIENCE : 0),
        progress: (key, message, fraction) => {
          if (!info.isLocal) context.heartbeat({ key, message, fraction });
          progress.add(runId, key, message, fraction);
        },
        log: ({ key, token }, line, level) => progress.log(runId, { key, token, level, line }),
      };
      const beat =
        info.isLocal || info.heartbeatTimeoutMs === undefined
          ? null
          : setInterval(() => context.heartbeat(), Math.max(250, Math.min(HEARTBEAT, info.heartbeatTimeoutMs / 3)));
      if (!info.isLocal) remote += 1;
      try {
        const results = await executeMembers(batch, delivery);
        const failure = members.length === 1 ? results[0]?.failure : undefined;
        if (failure && !info.isLocal)
          throw ApplicationFailure.create({
            message: failure.message,
            type: failure.code,
            nonRetryable: true,
            details: [failure],
          });
        return results;
      } catch (thrown) {
        throw forTemporal(thrown, context.cancellationSignal);
      } finally {
        if (!info.isLocal) remote -= 1;
        if (beat) clearInterval(beat);
      }
    },

    async executeHosted(input) {
      const { runs } = ExecuteHosted.parse(input);
      const signal = Context.current().cancellationSignal;
      const answers: (MemberResult[] | null)[] = [];
      const until = performance.now() + HOSTED;
      for (const batch of runs) {
        if (answers.length > 0 && performance.now() > until) break;
        const delivery: Delivery = {
          signal,
          attempt: 1,
          attempts: batch.attempts,
          patience: () => 0,
          progress: (key, message, fraction) => progress.add(batch.runId, key, message, fraction),
          log: ({ key, token }, line, level) => progress.log(batch.runId, { key, token, level, line }),
        };
        // One run's failure is no business of the others.
        answers.push(await executeMembers(batch, delivery).catch(() => null));
        if (signal.aborted) throw new CancelledFailure('cancelled');
      }
      return answers;
    },

    async recallMembers(input) {
      const { runId, members } = ExecuteBatch.parse(input);
      const outcomes = await Promise.all(
        members.map(({ key, token }) => parts.store.meta.findOutcome(runId, key, token)),
      );
      return outcomes.flatMap((outcome) => (outcome ? [resultOf(outcome)] : []));
    },
  };
}

/** What Temporal makes of it: repeated when that can help, ended otherwise, with the failure as its detail. */
export function forTemporal(thrown: unknown, signal: AbortSignal): Error {
  if (thrown instanceof ApplicationFailure || thrown instanceof CancelledFailure) return thrown;
  if (signal.aborted) return new CancelledFailure('cancelled');
  const error = thrown instanceof TryAgain ? thrown.error : toForgeError(thrown);
  return ApplicationFailure.create({
    message: error.message,
    type: error.code,
    nonRetryable: !(thrown instanceof TryAgain) && !isRetryable(error.code),
    details: [error.toFailure()],
    ...(error.retryAfterMs === undefined ? {} : { nextRetryDelay: error.retryAfterMs }),
    cause: error,
  });
}
