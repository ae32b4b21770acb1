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
  /context.?length|maximum context|context (?:window|size)|too many tokens|prompt is too long|exceed\w* .{0,40}context/i;
const filtered = /content.?(?:filter|policy|management)/i;

/** The ForgeError that an HTTP status and the body beside it stand for. `model` and `server` are named in its message. */
export function errorForStatus(
  status: number,
  body: string,
  options: { model: string; server: string; retryAfter: string | null; now: number },
): ForgeError {
  const { model, server } = options;
  const said = serverErrorIn(body) ?? { message: body.slice(0, 200).replace(/\s+/g, ' '), code: '' };
  const text = `${said.code} ${said.message}`;
  const detail = said.message === '' ? '' : `: ${said.message.slice(0, 300)}`;
  const wait = { retryAfterMs: retryAfterMs(options.retryAfter, options.now) };
  if (status === 401 || status === 403) {
    return new ForgeError('model.auth', `${server} refused the API key (${status})${detail}`, {
      fix: 'Set FORGE_OPENAI_API_KEY to a key that may use this model.',
    });
  }
  if (status === 429 && /insufficient_quota|billing/i.test(text)) {
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
      fix: 'Check FORGE_MODEL and FORGE_OPENAI_BASE_URL (it usually ends in /v1).',
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

export function refusal(model: string, reason: string): ForgeError {
  return new ForgeError(
    'model.refused',
    `${model} refused to answer${reason === '' ? '' : `: ${reason.slice(0, 300)}`}`,
    {
      fix: 'Change the prompt so that the model’s content rules allow an answer.',
    },
  );
}
