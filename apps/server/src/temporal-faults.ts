import { ErrorCode, Failure, ForgeError, toForgeError } from '@cua-forge/spec/errors';
import {
  isGrpcServiceError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';

const INVALID_ARGUMENT = 3;
const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;
const PERMISSION_DENIED = 7;

function causes(thrown: unknown): Error[] {
  const chain: Error[] = [];
  let error: unknown = thrown;
  while (error instanceof Error && chain.length < 10) {
    chain.push(error);
    error = error.cause;
  }
  return chain;
}

const grpcCodeOf = (chain: readonly Error[]): number | undefined => chain.find(isGrpcServiceError)?.code;

const innermost = (thrown: unknown): string => causes(thrown).at(-1)?.message.replace(/\.$/, '') ?? String(thrown);

function refusedUpdate(thrown: unknown): ForgeError | null {
  if (!(thrown instanceof WorkflowUpdateFailedError)) return null;
  const cause = causes(thrown).find((error) => error instanceof ApplicationFailure);
  if (cause === undefined) return new ForgeError('run.state', thrown.message, { cause: thrown });
  const failure = Failure.safeParse(cause.details?.[0]);
  if (failure.success) {
    return new ForgeError(failure.data.code, failure.data.message, {
      fix: failure.data.fix,
      place: failure.data.place,
      cause: thrown,
    });
  }
  const code = ErrorCode.safeParse(cause.type);
  return new ForgeError(code.success ? code.data : 'run.state', cause.message, { cause: thrown });
}

/** Turns what the Temporal client throws into a ForgeError; `address` goes into the text for people. */
export function fromTemporal(thrown: unknown, address: string): ForgeError {
  if (thrown instanceof ForgeError) return thrown;
  const refused = refusedUpdate(thrown);
  if (refused !== null) return refused;
  if (thrown instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
    return new ForgeError('temporal.unreachable', 'No worker took the request in time.', {
      fix: 'See that a worker is running (GET /api/health lists them), then ask again.',
      cause: thrown,
    });
  }
  if (thrown instanceof WorkflowNotFoundError) {
    return new ForgeError('run.state', 'Temporal has no open workflow for it.', {
      fix: 'Wait a few seconds until its state is brought up to date, then look again.',
      cause: thrown,
    });
  }
  if (thrown instanceof WorkflowFailedError) {
    const late = causes(thrown).some((error) => error instanceof TimeoutFailure);
    return new ForgeError(
      'temporal.unreachable',
      `No worker answered${late ? ' in time' : ''}: ${innermost(thrown)}.`,
      {
        fix: 'See that a worker is running (GET /api/health lists them), then ask again.',
        cause: thrown,
      },
    );
  }
  const chain = causes(thrown);
  const code = grpcCodeOf(chain);
  if (code === UNAUTHENTICATED || code === PERMISSION_DENIED) {
    return new ForgeError('temporal.unreachable', `Temporal at ${address} refused the server's credentials.`, {
      fix: 'Check TEMPORAL_API_KEY, TEMPORAL_TLS and TEMPORAL_NAMESPACE.',
      cause: thrown,
    });
  }
  const noConnection = chain.some((error) => /failed to connect|before the deadline|ECONNREFUSED/i.test(error.message));
  if (code === UNAVAILABLE || code === DEADLINE_EXCEEDED || code === RESOURCE_EXHAUSTED || noConnection) {
    return new ForgeError('temporal.unreachable', `Temporal does not answer at ${address}.`, {
      fix: 'Start it (`npm start` does), or correct TEMPORAL_ADDRESS. The server connects again by itself.',
      cause: thrown,
      retryAfterMs: 5_000,
    });
  }
  return toForgeError(thrown);
}

/** Whether a call ended because its own time was over. */
export const isDeadline = (thrown: unknown): boolean => grpcCodeOf(causes(thrown)) === DEADLINE_EXCEEDED;

/** Whether a start was refused because the namespace lacks one of our search attributes. */
export function namesUnknownAttribute(thrown: unknown): boolean {
  const chain = causes(thrown);
  return grpcCodeOf(chain) === INVALID_ARGUMENT && chain.some(({ message }) => /search attribute/i.test(message));
}
