import type { Failure } from '@cua-forge/spec/errors';
import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { Result } from '../interpreter/state.ts';

const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value;

/** How a rejected activity counts for its node. */
export function resultOf(
  thrown: unknown,
  title: string,
): Exclude<Result, { status: 'succeeded' } | { status: 'unexecuted' }> {
  if (isCancellation(thrown)) return { status: 'cancelled' };
  return { status: 'failed', failure: failureOf(thrown, title) };
}

export function failureOf(thrown: unknown, title: string): Failure {
  const cause = thrown instanceof ActivityFailure ? thrown.cause : thrown;
  if (cause instanceof ApplicationFailure) {
    const detail: unknown = cause.details?.[0];
    // Written by the executor of the same product version.
    if (isFailure(detail)) return detail;
    return {
      code: 'internal',
      message: cause.message,
      fix: 'Retry the node; if it fails again, report it with the log of the worker.',
    };
  }
  if (cause instanceof TimeoutFailure) {
    return {
      code: 'node.timeout',
      message: `'${title}' ran out of time (${cause.timeoutType === 'HEARTBEAT' ? 'no sign of life from its worker' : 'time limit reached'}).`,
      fix: 'Retry it, or raise the time limit of the node.',
    };
  }
  return {
    code: 'internal',
    message: cause instanceof Error ? cause.message : String(cause),
    fix: 'Retry the node; if it fails again, report it with the log of the worker.',
  };
}
