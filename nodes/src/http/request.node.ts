import { PortName } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import { HttpMethod, type HttpResponse } from '@cua-forge/spec/http-port';
import { Json, type JsonObject } from '@cua-forge/spec/json';
import { defineKind, type ExecuteContext, optionalInput, output, policies } from '@cua-forge/spec/kind';
import { PortType } from '@cua-forge/spec/port-type';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { renderJson, renderTemplate } from '../llm/template.ts';
import { fillHeaders, holdsSecret, masked, maskedText } from './secret-headers.ts';

const InputTypes = z.record(
  PortName,
  PortType.exclude(['hidden'], { error: 'hidden values may not leave the system' }),
);

/** Headers that the connection itself sets. */
const ofTheConnection = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect']);

const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'a header name')
  .refine((name) => !ofTheConnection.has(name.toLowerCase()), 'a header that the connection does not set itself');

const liquid = (description: string) => ({ description, format: 'liquid' });

const Params = z
  .strictObject({
    method: HttpMethod.default('GET'),
    url: z
      .string()
      .min(1)
      .meta(liquid('Address (Liquid over the inputs; use the filter url_encode for their values).')),
    headers: z
      .record(HeaderName, z.string())
      .default({})
      .describe('Header → value (Liquid). {{secret:NAME}} stands for a secret of the worker and is never stored.'),
    body: Json.optional().describe('What is sent (Liquid in its texts): a text as it is, anything else as JSON.'),
    inputs: InputTypes.default({}).describe('Name of a further input → its type.'),
    answer: z.enum(['json', 'text', 'file']).default('json').describe('How the answer is read: the port it goes to.'),
    fileName: z.string().min(1).max(255).default('answer').describe('Name of the file, where the answer is one.'),
    statuses: z
      .array(z.number().int().min(200).max(599))
      .max(20)
      .default([])
      .describe('Statuses that count as success; none given, 200 to 299.'),
    repeat: z
      .enum(['safe', 'always', 'never'])
      .default('safe')
      .describe('Which methods are tried again after a passing failure; safe: all but POST and PATCH.'),
    repeatStatuses: z
      .array(z.number().int().min(400).max(599))
      .max(20)
      .default([408, 425, 429, 500, 502, 503, 504])
      .describe('Statuses that count as passing failures.'),
    timeoutMs: z.number().int().min(100).max(150_000).default(30_000),
    maxBytes: z.number().int().min(1).max(50_000_000).default(2_000_000).describe('Bytes that the answer may have.'),
    maxRedirects: z.number().int().min(0).max(10).default(5),
  })
  .superRefine((params, check) => {
    const elsewhere = holdsSecret(params.url)
      ? 'url'
      : holdsSecret(JSON.stringify(params.body ?? null))
        ? 'body'
        : null;
    if (elsewhere !== null)
      check.addIssue({ code: 'custom', path: [elsewhere], message: 'secrets may stand in headers alone' });
  });
type Params = z.infer<typeof Params>;

export const request = defineKind({
  id: 'http.request',
  version: 1,
  title: 'HTTP request',
  doc: 'Sends an HTTP request to a host that the operator allows, and gives the answer as JSON, text or file.',
  params: Params,
  inputs: { file: optionalInput('file', FileValue, 'Sent as the body, instead of the param body.') },
  outputs: {
    json: output('json', Json, 'The answer, read as JSON; left out when it is empty.'),
    text: output('text', z.string(), 'The answer as text.'),
    file: output('file', FileValue, 'The answer as a file.'),
    status: output('number', z.number().int(), 'Status of the answer.'),
    headers: output('json', z.record(z.string(), z.string()), 'Headers of the answer, without cookies.'),
  },
  inputsFromParam: 'inputs',
  policy: {
    ...policies.pure,
    timeoutMs: 180_000,
    attempts: 4,
    backoffMs: 1_000,
    effects: 'external',
    cacheable: false,
  },
  example: {
    params: {
      url: 'https://api.example.com/rates?base={{ currency | url_encode }}',
      headers: { Authorization: 'Bearer {{secret:RATES_TOKEN}}' },
      inputs: { currency: 'text' },
    },
    inputs: { currency: 'EUR' },
  },
  async execute({ params, inputs, extra, context }) {
    const url = renderTemplate(params.url, extra, 'url');
    const body = await bodyOf(params, inputs.file, extra, context);
    const headers = await fillHeaders(params.headers, extra, context.secrets);
    const safe = params.method !== 'POST' && params.method !== 'PATCH';
    const mayRepeat = params.repeat === 'always' || (params.repeat === 'safe' && safe);
    const response = await send();
    context.log(`${params.method} ${placeOf(url)}: ${response.status}, ${response.body.length} bytes`);
    const bytes = masked(response.body, headers.values);
    const answered = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, maskedText(value, headers.values)]),
    );
    const { status } = response;
    const expected = params.statuses.length === 0 ? status >= 200 && status < 300 : params.statuses.includes(status);
    if (!expected) throw unexpected({ ...response, headers: answered }, textOf(bytes, answered), params, mayRepeat);
    return { status, headers: answered, ...(await answerOf(params, bytes, answered, context)) };

    async function send(): Promise<HttpResponse> {
      try {
        return await context.http.request(
          {
            method: params.method,
            url,
            headers: {
              ...(params.answer === 'json' ? { accept: 'application/json' } : {}),
              ...(safe ? {} : { 'idempotency-key': context.idempotencyKey }),
              ...(body === null ? {} : { 'content-type': body.mediaType }),
              ...headers.plain,
            },
            secretHeaders: headers.secret,
            body: body === null ? null : body.bytes,
            timeoutMs: params.timeoutMs,
            maxBytes: params.maxBytes,
            maxRedirects: params.maxRedirects,
          },
          context.signal,
        );
      } catch (thrown) {
        if (mayRepeat || !(thrown instanceof ForgeError) || thrown.code !== 'http.unavailable') throw thrown;
        throw new ForgeError('http.failed', `${thrown.message} ${params.method} is not tried again by itself.`, {
          fix: 'See whether the request arrived; then retry the node, or set repeat to always.',
        });
      }
    }
  },
});

/** Host and path alone: what follows may hold what a log should not. */
function placeOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed === null ? 'an address' : `${parsed.origin}${parsed.pathname}`;
}

async function bodyOf(
  params: Params,
  file: FileValue | undefined,
  inputs: JsonObject,
  context: ExecuteContext,
): Promise<{ bytes: Uint8Array; mediaType: string } | null> {
  if (file !== undefined) return { bytes: await context.files.read(file), mediaType: file.mediaType };
  if (params.body === undefined) return null;
  const value = renderJson(params.body, inputs, 'body');
  return typeof value === 'string'
    ? { bytes: Buffer.from(value, 'utf8'), mediaType: 'text/plain; charset=utf-8' }
    : { bytes: Buffer.from(JSON.stringify(value), 'utf8'), mediaType: 'application/json' };
}

async function answerOf(
  params: Params,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
  context: ExecuteContext,
): Promise<{ json?: Json; text?: string; file?: FileValue }> {
  if (params.answer === 'file') {
    const mediaType = headers['content-type']?.split(';')[0]?.trim() || 'application/octet-stream';
    return { file: await context.files.write(params.fileName, mediaType, bytes) };
  }
  const text = textOf(bytes, headers);
  if (params.answer === 'text') return { text };
  if (text.trim() === '') return {};
  try {
    return { json: Json.parse(JSON.parse(text)) };
  } catch {
    throw new ForgeError('http.failed', `The answer is not JSON. It begins: ${beginning(text)}`, {
      fix: 'Set the param answer to text or file, or request another address.',
    });
  }
}

function textOf(bytes: Uint8Array, headers: Readonly<Record<string, string>>): string {
  const charset = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

const beginning = (text: string): string => JSON.stringify(text.trim().slice(0, 200));

function unexpected({ status, headers }: HttpResponse, text: string, params: Params, mayRepeat: boolean): ForgeError {
  const message = `The server answered with status ${status}: ${beginning(text)}`;
  if (!mayRepeat || !params.repeatStatuses.includes(status))
    return new ForgeError('http.failed', message, {
      fix: 'Correct the request; a status that is all right goes into the param statuses.',
    });
  return new ForgeError('http.unavailable', message, {
    fix: 'Retry when the server is well again.',
    retryAfterMs: retryAfterMs(headers),
  });
}

/** What Retry-After asks for, at most ten minutes; a date counts from the server's own clock. */
function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const asked = headers['retry-after'];
  if (asked === undefined) return undefined;
  const wait = /^\d+$/.test(asked) ? Number(asked) * 1_000 : Date.parse(asked) - Date.parse(headers.date ?? '');
  return Number.isFinite(wait) && wait >= 0 ? Math.min(wait, 600_000) : undefined;
}
