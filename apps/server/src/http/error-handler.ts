import type { Redactor } from '@cua-forge/secrets/redactor';
import { ApiError } from '@cua-forge/spec/api/api-error';
import { ForgeError, httpStatusOf, toForgeError } from '@cua-forge/spec/errors';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { FindingsError } from './findings-error.ts';
import { loggedPath } from './request-log.ts';

/** What body-parser and Express throw: a status that is meant for the client. */
const HttpFault = z.object({
  status: z.number().int(),
  type: z.string().optional(),
  limit: z.number().optional(),
  message: z.string(),
});

function fromHttpFault(thrown: unknown): ForgeError | null {
  const parsed = HttpFault.safeParse(thrown);
  if (!parsed.success || thrown instanceof ForgeError) return null;
  const { status, type, limit, message } = parsed.data;
  if (status === 413) {
    const megabytes = limit === undefined ? '' : ` This address takes up to ${Math.round(limit / 1_048_576)} MB.`;
    return new ForgeError('request.too-large', `The request is too large.${megabytes}`, {
      fix: 'Upload large values as files (POST /api/files) and refer to them, or make them smaller.',
    });
  }
  if (type === 'entity.parse.failed') {
    return new ForgeError('input.invalid', `The body of the request is not JSON: ${message}`, {
      fix: 'Send well-formed JSON.',
    });
  }
  if (status === 415)
    return new ForgeError('file.unsupported', message, { fix: 'Send the body as UTF-8, uncompressed or with gzip.' });
  if (status >= 400 && status < 500) return new ForgeError('input.invalid', message);
  return null;
}

export const unknownRoute: RequestHandler = (request) => {
  throw new ForgeError('not-found', `There is nothing at ${request.method} ${request.path}.`, {
    fix: 'docs/operations/api.md lists every address.',
  });
};

/** Answers with an `ApiError`. What the product itself got wrong is logged with its stack and sent without it. */
export function errorHandler(log: Logger, redactor: Redactor): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    const error = fromHttpFault(thrown) ?? toForgeError(thrown);
    if (error.fault === 'bug')
      log.error({ err: thrown, method: request.method, path: loggedPath(request.path) }, 'request failed');
    if (response.headersSent) {
      next(thrown);
      return;
    }
    if (error.retryAfterMs !== undefined)
      response.setHeader('Retry-After', String(Math.ceil(error.retryAfterMs / 1000)));
    const body: ApiError = ApiError.parse({
      error: redactor.data(error.toFailure()),
      ...(error instanceof FindingsError ? { findings: redactor.data([...error.findings]) } : {}),
    });
    response.status(httpStatusOf(error.code)).json(body);
  };
}
