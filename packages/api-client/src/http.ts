import { ForgeError } from '@cua-forge/spec/errors';
import type { z } from 'zod';
import { failureOf } from './api-error.ts';

export interface HttpOptions {
  /** Where the server is; '' for the origin of the page. */
  url: string;
  token?: string | undefined;
  /** Milliseconds that requests which may be repeated go on trying while the server does not answer. */
  patienceMs?: number | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  signal?: AbortSignal | undefined;
  /** Told after each request whether the server answered at all. */
  onReach?: ((reached: boolean) => void) | undefined;
  /** What to do when the server does not answer. */
  advice?: string | undefined;
}

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  bytes?: Uint8Array<ArrayBuffer>;
  /** The server does what this key names once, however often it is sent. */
  idempotencyKey?: string;
  /** Sending it twice does no more than sending it once. GET always is. */
  repeatable?: boolean;
}

const pauses = [200, 500, 1_000, 2_000];

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
  });
}

/** JSON of an answer; null when it is none. */
function parseBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/** Requests to the API: answers are parsed, errors are ForgeErrors, and a server that is just restarting is waited for. */
export class Http {
  readonly #options: HttpOptions;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  address(path: string, query: HttpRequest['query'] = {}): string {
    const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
    const text = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
    return `${this.#options.url.replace(/\/+$/, '')}${path}${text}`;
  }

  get headers(): Record<string, string> {
    const { token } = this.#options;
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  get fetch(): typeof globalThis.fetch {
    const { fetch = globalThis.fetch } = this.#options;
    // A browser's own refuses to be called as a method of something else.
    return (input, init) => fetch(input, init);
  }

  async json<S extends z.ZodType>(schema: S, path: string, request: HttpRequest = {}): Promise<z.output<S>> {
    const { status, bytes } = await this.#send(path, request);
    const body = parseBody(bytes);
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw failureOf(status, body, this.#options.url);
  }

  async bytes(path: string, request: HttpRequest = {}): Promise<Uint8Array> {
    return (await this.#send(path, request)).bytes;
  }

  /** Sends and reads to the end. @throws ForgeError what the server said, or `server.unreachable` */
  async #send(path: string, request: HttpRequest): Promise<{ status: number; bytes: Uint8Array }> {
    const { url, signal, patienceMs = 0, onReach, advice } = this.#options;
    const { method = 'GET', json, bytes, idempotencyKey, repeatable = method === 'GET' } = request;
    const body = bytes ?? (json === undefined ? undefined : JSON.stringify(json));
    const deadline = Date.now() + (repeatable ? patienceMs : 0);
    for (let attempt = 0; ; attempt += 1) {
      try {
        const response = await this.fetch(this.address(path, request.query), {
          method,
          headers: {
            ...this.headers,
            ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
            ...(body === undefined
              ? {}
              : { 'content-type': bytes === undefined ? 'application/json' : 'application/octet-stream' }),
          },
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
        });
        const { status } = response;
        const received = new Uint8Array(await response.arrayBuffer());
        if (response.ok) onReach?.(true);
        if (response.ok) return { status, bytes: received };
        const failure = failureOf(status, parseBody(received), url);
        // A proxy in between answers in its own words when the server behind it is away.
        onReach?.(failure.code !== 'server.unreachable' || status < 500);
        if (status !== 503 || Date.now() >= deadline) throw failure;
      } catch (thrown) {
        if (thrown instanceof ForgeError || signal?.aborted === true) throw thrown;
        onReach?.(false);
        if (Date.now() >= deadline) {
          throw new ForgeError('server.unreachable', `The server${url === '' ? '' : ` at ${url}`} does not answer.`, {
            fix: advice ?? 'Start it with `npm start`, or set FORGE_URL to one that runs.',
            cause: thrown,
          });
        }
      }
      await pause(pauses[attempt] ?? 2_000, signal);
    }
  }
}
