import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';
import { retryAfterMs } from './retry-after.ts';

const ErrorBody = z.object({
  error: z.union([
    z.string(),
    z.object({
      message: z.string().optional(),
      code: z.union([z.string(), z.number()]).nullish(),
      type: z.string().nullish(),
    }),
  ]),
});

/** What a server said about a failure, as far as it said it in the usual form. */
export interface ServerError {
  message: string;
  code: string;
}

export function serverErrorIn(body: string): ServerError | undefined {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return undefined;
  }
  const parsed = ErrorBody.safeParse(json);
  if (!parsed.success) return undefined;
  const { error } = parsed.data;
  if (typeof error === 'string') return { message: error, code: '' };
  return { message: error.message ?? '', code: String(error.code ?? error.type ?? '') };
}

const tooLong =
  /context.?length|maximum context|context (?:window|size)|too many tokens|prompt is too long|exceed\w* .{0,40}context|exceed_context/i;
const filtered = /content.?(?:filter|policy|management)/i;

/** How a server is named in messages, and the variables that say where it is and with which key it is asked. */
export interface ServerNames {
  host: string;
  keyVariable: string;
  addressVariable: string;
}

/** The ForgeError that an HTTP status and the body beside it stand for. `model` and `server` are named in its message. */
export function errorForStatus(
  status: number,
  body: string,
  options: { model: string; server: ServerNames; retryAfter: string | null; now: number },
): ForgeError {
  const { model } = options;
  const { host: server, keyVariable, addressVariable } = options.server;
  const said = serverErrorIn(body) ?? { message: body.slice(0, 200).replace(/\s+/g, ' '), code: '' };
  const text = `${said.code} ${said.message}`;
  const detail = said.message === '' ? '' : `: ${said.message.slice(0, 300)}`;
  const wait = { retryAfterMs: retryAfterMs(options.retryAfter, options.now) };
  if (status === 401 || status === 403) {
    return new ForgeError('model.auth', `${server} refused the API key (${status})${detail}`, {
      fix: `Set ${keyVariable} to a key that may use this model.`,
    });
  }
  if ((status === 429 || status === 400 || status === 402) && /insufficient_quota|billing|credit balance/i.test(text)) {
    return new ForgeError('model.auth', `The account at ${server} has no quota left${detail}`, {
      fix: 'Add credit to the account, or use another key.',
    });
  }
  if (status === 429) {
    return new ForgeError('model.rate-limited', `${server} limits the rate of ${model}${detail}`, {
      fix: 'Lower FORGE_MODEL_CONCURRENCY or FORGE_MODEL_REQUESTS_PER_MINUTE if this goes on.',
      ...wait,
    });
  }
  if (status === 413 || ((status === 400 || status === 422) && tooLong.test(text))) {
    return new ForgeError('model.prompt-too-large', `The prompt is too large for ${model}${detail}`, {
      fix: 'Shorten the prompt or its inputs, or use a model with a longer context.',
    });
  }
  if (status === 400 && filtered.test(text)) return refusal(model, said.message);
  if (status === 404) {
    return new ForgeError('params.invalid', `${server} has no model ${model} at this address${detail}`, {
      fix: `Check FORGE_MODEL and ${addressVariable} (it usually ends in /v1).`,
    });
  }
  if (status === 408 || status === 504)
    return new ForgeError('model.timeout', `${server} timed out (${status})${detail}`, wait);
  if (status >= 500 || status === 409 || status === 425) {
    return new ForgeError('model.unavailable', `${server} failed with status ${status}${detail}`, wait);
  }
  return new ForgeError('params.invalid', `${server} refused the request for ${model} (${status})${detail}`, {
    fix: 'Correct the node’s parameters as the server says.',
  });
}

/** Whether a server refuses the temperature as such, as models that choose their own do; not a value out of its range. */
export function refusesTemperature(status: number, body: string): boolean {
  return (
    status === 400 &&
    /temperature/i.test(body) &&
    /unsupported|not support|deprecated|only the default|cannot be (?:set|used)/i.test(body)
  );
}

/** What a call that never got an answer stands for. */
export function unreachable({ host, addressVariable }: ServerNames, cause: unknown, signal: AbortSignal): ForgeError {
  if (signal.aborted) return new ForgeError('node.cancelled', 'The call of the model was cancelled.', { cause });
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
  return new ForgeError('model.unavailable', `The connection to ${host} failed: ${inner || 'no reason given'}.`, {
    fix: `Check ${addressVariable} and that the server runs.`,
    cause,
  });
}

/** What an answer stands for that is none: cut, without end or of another form. */
export function brokenAnswer({ host, addressVariable }: ServerNames, what: string, cause?: unknown): ForgeError {
  return new ForgeError('model.unavailable', `${host} ${what}.`, {
    fix: `Nothing, if it happens once. If it goes on, check ${addressVariable} and the server’s own log.`,
    cause,
  });
}

export function refusal(model: string, reason: string): ForgeError {
  return new ForgeError(
    'model.refused',
    `${model} refused to answer${reason === '' ? '' : `: ${reason.slice(0, 300)}`}`,
    {
      fix: 'Change the prompt so that the model’s content rules allow an answer.',
    },
  );
}
