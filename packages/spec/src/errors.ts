import { z } from 'zod';

/** Who has to act: the person who wrote the input, nobody (try again), or the developers of the product. */
export type Fault = 'user' | 'transient' | 'bug';

interface CodeFacts {
  fault: Fault;
  /** Whether the engine may repeat the activity that failed with this code. */
  retryable: boolean;
  /** HTTP status the server answers with. */
  http: number;
}

const facts = {
  'document.invalid': { fault: 'user', retryable: false, http: 422 },
  'document.newer': { fault: 'user', retryable: false, http: 422 },
  'document.conflict': { fault: 'user', retryable: false, http: 409 },
  'input.invalid': { fault: 'user', retryable: false, http: 400 },
  'kind.unknown': { fault: 'user', retryable: false, http: 422 },
  'kind.version-gone': { fault: 'user', retryable: false, http: 422 },
  'params.invalid': { fault: 'user', retryable: false, http: 422 },
  'expression.invalid': { fault: 'user', retryable: false, http: 422 },
  'template.invalid': { fault: 'user', retryable: false, http: 422 },
  'file.unreadable': { fault: 'user', retryable: false, http: 422 },
  'file.unsupported': { fault: 'user', retryable: false, http: 415 },
  'node.failed': { fault: 'user', retryable: false, http: 422 },
  'node.output-invalid': { fault: 'bug', retryable: false, http: 500 },
  'node.output-too-large': { fault: 'user', retryable: false, http: 422 },
  'node.timeout': { fault: 'transient', retryable: true, http: 504 },
  'node.cancelled': { fault: 'user', retryable: false, http: 409 },
  'artifact.missing': { fault: 'transient', retryable: false, http: 404 },
  'artifact.corrupt': { fault: 'transient', retryable: false, http: 500 },
  'store.full': { fault: 'transient', retryable: true, http: 507 },
  'store.busy': { fault: 'transient', retryable: true, http: 503 },
  'store.unreachable': { fault: 'transient', retryable: true, http: 503 },
  'model.unavailable': { fault: 'transient', retryable: true, http: 502 },
  'model.rate-limited': { fault: 'transient', retryable: true, http: 429 },
  'model.timeout': { fault: 'transient', retryable: true, http: 504 },
  'model.bad-output': { fault: 'transient', retryable: false, http: 502 },
  'model.auth': { fault: 'user', retryable: false, http: 401 },
  'model.refused': { fault: 'user', retryable: false, http: 422 },
  'model.prompt-too-large': { fault: 'user', retryable: false, http: 413 },
  'model.no-recording': { fault: 'user', retryable: false, http: 424 },
  'code.failed': { fault: 'user', retryable: false, http: 422 },
  'code.limit': { fault: 'user', retryable: false, http: 422 },
  'secret.missing': { fault: 'user', retryable: false, http: 424 },
  'http.refused': { fault: 'user', retryable: false, http: 403 },
  'http.unavailable': { fault: 'transient', retryable: true, http: 502 },
  'http.failed': { fault: 'user', retryable: false, http: 502 },
  'http.too-large': { fault: 'user', retryable: false, http: 413 },
  'sandbox.unavailable': { fault: 'transient', retryable: true, http: 503 },
  'sandbox.lost': { fault: 'transient', retryable: true, http: 502 },
  'sandbox.timeout': { fault: 'user', retryable: false, http: 504 },
  'sandbox.refused': { fault: 'user', retryable: false, http: 422 },
  'sandbox.failed': { fault: 'transient', retryable: false, http: 502 },
  'setup.failed': { fault: 'user', retryable: false, http: 422 },
  'gate.rejected': { fault: 'user', retryable: false, http: 422 },
  'gate.exhausted': { fault: 'user', retryable: false, http: 422 },
  'value.taken': { fault: 'user', retryable: false, http: 409 },
  'map.items-failed': { fault: 'user', retryable: false, http: 422 },
  'map.too-many-items': { fault: 'user', retryable: false, http: 422 },
  'repeat.limit': { fault: 'user', retryable: false, http: 422 },
  'approval.rejected': { fault: 'user', retryable: false, http: 409 },
  'approval.timeout': { fault: 'user', retryable: false, http: 408 },
  'budget.exhausted': { fault: 'user', retryable: false, http: 409 },
  'run.not-found': { fault: 'user', retryable: false, http: 404 },
  'run.state': { fault: 'user', retryable: false, http: 409 },
  'not-found': { fault: 'user', retryable: false, http: 404 },
  'request.conflict': { fault: 'user', retryable: false, http: 409 },
  'request.too-large': { fault: 'user', retryable: false, http: 413 },
  'server.busy': { fault: 'transient', retryable: true, http: 503 },
  unauthorized: { fault: 'user', retryable: false, http: 401 },
  forbidden: { fault: 'user', retryable: false, http: 403 },
  'temporal.unreachable': { fault: 'transient', retryable: true, http: 503 },
  'server.unreachable': { fault: 'transient', retryable: true, http: 503 },
  'tool.missing': { fault: 'user', retryable: false, http: 424 },
  internal: { fault: 'bug', retryable: true, http: 500 },
} as const satisfies Record<string, CodeFacts>;

/** Every error code of the product; branch on it, since classes do not survive an activity boundary. */
export type ErrorCode = keyof typeof facts;
export const errorCodes = Object.keys(facts) as [ErrorCode, ...ErrorCode[]];
export const ErrorCode = z.enum(errorCodes);

export const faultOf = (code: ErrorCode): Fault => facts[code].fault;
export const isRetryable = (code: ErrorCode): boolean => facts[code].retryable;
export const httpStatusOf = (code: ErrorCode): number => facts[code].http;

/** Where something went wrong, as far as it is known. */
export const ErrorPlace = z.strictObject({
  file: z.string().optional(),
  node: z.string().optional(),
  port: z.string().optional(),
  line: z.number().int().optional(),
});
export type ErrorPlace = z.infer<typeof ErrorPlace>;

/** A failure as it is stored and shown: what was wrong, where, and what to do. */
export const Failure = z.strictObject({
  code: ErrorCode,
  message: z.string(),
  /** What the reader can do about it. */
  fix: z.string().optional(),
  place: ErrorPlace.optional(),
});
export type Failure = z.infer<typeof Failure>;

interface ForgeErrorOptions {
  fix?: string | undefined;
  place?: ErrorPlace | undefined;
  cause?: unknown;
  /** Milliseconds after which a repeat makes sense (a server's Retry-After). */
  retryAfterMs?: number | undefined;
}

/** The one error class of the product. `message` says what was wrong, `fix` what to do. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';
  readonly code: ErrorCode;
  readonly fix: string | undefined;
  readonly place: ErrorPlace | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: ForgeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fix = options.fix;
    this.place = options.place;
    this.retryAfterMs = options.retryAfterMs;
  }

  get fault(): Fault {
    return faultOf(this.code);
  }

  toFailure(): Failure {
    return {
      code: this.code,
      message: this.message,
      ...(this.fix === undefined ? {} : { fix: this.fix }),
      ...(this.place === undefined ? {} : { place: this.place }),
    };
  }
}

/** Turns anything thrown into a ForgeError; what is not one already becomes `internal` (or `node.cancelled` for an abort). */
export function toForgeError(thrown: unknown): ForgeError {
  if (thrown instanceof ForgeError) return thrown;
  if (thrown instanceof Error) {
    if (thrown.name === 'AbortError')
      return new ForgeError('node.cancelled', 'The work was cancelled.', { cause: thrown });
    const code = 'code' in thrown ? thrown.code : undefined;
    if (code === 'ENOSPC' || code === 'SQLITE_FULL') {
      return new ForgeError('store.full', 'The disk that holds the store is full.', {
        fix: 'Free some space; the work is tried again by itself.',
        cause: thrown,
      });
    }
    if (typeof code === 'string' && code.startsWith('SQLITE_BUSY')) {
      return new ForgeError('store.busy', 'The store is locked by another process.', { cause: thrown });
    }
    return new ForgeError('internal', thrown.message, { cause: thrown });
  }
  return new ForgeError('internal', String(thrown));
}
