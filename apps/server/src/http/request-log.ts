import { Redactor } from '@cua-forge/secrets/redactor';
import { traceFields } from '@cua-forge/telemetry/tracing';
import type { RequestHandler } from 'express';
import { type DestinationStream, destination, type Logger, pino } from 'pino';

/** Logs go to standard error; standard output carries only the ready line. Credentials and known secrets are cut out. */
export function createLogger(
  level: string,
  stream: DestinationStream = destination({ dest: 2, sync: false }),
  redactor: Redactor = new Redactor(),
): Logger {
  return pino(
    {
      level,
      base: { app: 'server' },
      mixin: traceFields,
      hooks: { streamWrite: (line) => redactor.text(line) },
      redact: {
        paths: [
          'authorization',
          'cookie',
          'token',
          '*.authorization',
          '*.cookie',
          '*.token',
          '*.headers.authorization',
          '*.headers.cookie',
        ],
        censor: '[cut]',
      },
    },
    stream,
  );
}

/** A path as logs may hold it: the token of a hook is part of its address. */
export const loggedPath = (path: string): string => path.replace(/^(\/api\/hooks\/)[^/]{20,}/, '$1[cut]');

/** One line for each request: method, path without its query, status, milliseconds. */
export function requestLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const { method } = request;
    const path = loggedPath(request.path);
    response.on('finish', () => {
      log.debug({ method, path, status: response.statusCode, ms: Math.round(performance.now() - started) }, 'request');
    });
    next();
  };
}
