import type { Member, MemberResult } from '@cua-forge/spec/engine';
import { toForgeError } from '@cua-forge/spec/errors';
import { inSpan } from '@cua-forge/telemetry/in-span';
import type { Tracer } from '@opentelemetry/api';
import type { MetricMeter } from '@temporalio/common';
import type { Logger } from 'pino';

/** Carries out one execution of a node and tells of it; what it answers or throws stays as it is. */
export type ObserveExecution = (
  runId: string,
  member: Member,
  delivery: number,
  execute: () => Promise<MemberResult | null>,
) => Promise<MemberResult | null>;

/**
 * Figures, a log line and (where traced) a span for each execution. Figures: `forge_node_executions` by kind, status and origin, `forge_node_execution_latency` in
 * milliseconds by kind. Log lines carry run, node, round and attempt, never a value.
 */
export function observeExecutions(parts: { meter: MetricMeter; log: Logger; tracer: Tracer | null }): ObserveExecution {
  const { meter, log, tracer } = parts;
  const executions = meter.createCounter('forge_node_executions', undefined, 'Executions of nodes that ended.');
  const latency = meter.createHistogram(
    'forge_node_execution_latency',
    'int',
    'milliseconds',
    'Time that an execution of a node took.',
  );

  const watched: ObserveExecution = async (runId, member, delivery, execute) => {
    const started = performance.now();
    const { key, kind, token, round, attempt } = member;
    const facts = { run: runId, node: key, kind, token, round, attempt, delivery };
    const end = (status: string, origin: string): number => {
      const milliseconds = Math.round(performance.now() - started);
      executions.add(1, { kind, status, origin });
      latency.record(milliseconds, { kind });
      return milliseconds;
    };
    try {
      const result = await execute();
      if (result === null) return null;
      const { failure, origin } = result;
      const ms = end(failure ? 'failed' : 'succeeded', origin);
      if (failure) log.warn({ ...facts, ms, code: failure.code }, 'node failed');
      else log.debug({ ...facts, ms, origin }, 'node done');
      return result;
    } catch (thrown) {
      const { code } = toForgeError(thrown);
      const ms = end('interrupted', 'executed');
      log.warn({ ...facts, ms, code }, 'node interrupted');
      throw thrown;
    }
  };
  if (tracer === null) return watched;
  return (runId, member, delivery, execute) =>
    inSpan(
      tracer,
      `node ${member.kind}`,
      {
        attributes: {
          'forge.run': runId,
          'forge.node': member.key,
          'forge.kind': member.kind,
          'forge.round': member.round,
          'forge.attempt': member.attempt,
        },
      },
      async (span) => {
        const result = await watched(runId, member, delivery, execute);
        if (result) span.setAttribute('forge.origin', result.origin);
        if (result?.failure) span.setAttribute('error.type', result.failure.code);
        return result;
      },
    );
}
