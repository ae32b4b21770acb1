import { lookup as resolveName } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ForgeError } from '@cua-forge/spec/errors';
import type { HttpPort, HttpRequest, HttpResponse } from '@cua-forge/spec/http-port';
import { type AllowList, isPublicAddress } from './allow-list.ts';

type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

const redirects = new Set([301, 302, 303, 307, 308]);
/** Headers that stay behind when a redirect leads to another origin. */
const personal = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * HTTP to allowed hosts. A name is resolved once for each hop, its addresses are checked, and the connection is made to one of those
 * that were checked, so that a name which changes its answer in between gains nothing.
 */
export class AllowedHttp implements HttpPort {
  constructor(
    private readonly allow: AllowList,
    private readonly resolve: Resolve = (host) => resolveName(host, { all: true, verbatim: true }),
  ) {}

  async request(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const late = AbortSignal.timeout(request.timeoutMs);
    const either = AbortSignal.any([signal, late]);
    try {
      return await this.#follow(request, either);
    } catch (thrown) {
      if (signal.aborted) throw new ForgeError('node.cancelled', 'The request was cancelled.');
      const target = originOf(request.url);
      if (late.aborted)
        throw new ForgeError('http.unavailable', `${target} did not answer within ${request.timeoutMs / 1_000} s.`, {
          fix: 'Raise timeoutMs, or retry when the server is quicker.',
        });
      if (thrown instanceof ForgeError) throw thrown;
      // The cause may quote the request, so only its code goes on.
      const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'the connection broke';
      throw new ForgeError('http.unavailable', `${target} cannot be reached: ${code}.`, {
        fix: 'See that the server runs and that its name and port are right, then retry.',
      });
    }
  }

  async #follow(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const first = this.#checked(request.url);
    let url = first;
    let { method, body } = request;
    let headers: Record<string, string> = { ...request.headers, ...request.secretHeaders };
    const secret = Object.keys(request.secretHeaders);
    for (let hop = 0; ; hop += 1) {
      const answer = await this.#once(url, method, headers, body, request.maxBytes, signal, secret.length > 0);
      const location = answer.headers.location;
      if (!redirects.has(answer.status) || location === undefined || request.maxRedirects === 0) return answer;
      if (hop >= request.maxRedirects)
        throw new ForgeError(
          'http.refused',
          `${originOf(request.url)} redirects more than ${request.maxRedirects} times.`,
          {
            fix: 'Request the address it ends at, or raise maxRedirects.',
          },
        );
      const next = this.#checked(new URL(location, url).href);
      if (next.origin !== url.origin) {
        headers = Object.fromEntries(
          Object.entries(headers).filter(([name]) => !personal.has(name) && !secret.includes(name)),
        );
        secret.length = 0;
      }
      if (answer.status === 303 || (answer.status < 303 && method === 'POST')) {
        if (method !== 'HEAD') method = 'GET';
        body = null;
        headers = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type'));
      }
      url = next;
    }
  }

  #checked(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      throw new ForgeError('http.refused', `'${text.slice(0, 100)}' is no http or https address.`, {
        fix: 'Give a whole address, such as https://api.example.com/items.',
      });
    if (url.username !== '' || url.password !== '')
      throw new ForgeError('http.refused', `The address of ${url.host} holds a user or a password.`, {
        fix: 'Give credentials as a header with {{secret:NAME}}.',
      });
    if (this.allow.allowsHost(hostOf(url), portOf(url))) return url;
    throw new ForgeError('http.refused', `The operator does not allow requests to ${url.host}.`, {
      fix: `Add ${hostOf(url)}:${portOf(url)} to FORGE_HTTP_ALLOW of the worker (now: ${this.allow.text || 'empty'}) and restart it.`,
    });
  }

  /** The addresses of a host that may be used. */
  async #addresses(host: string): Promise<{ address: string; family: number }[]> {
    const found = isIP(host) > 0 ? [{ address: host, family: isIP(host) }] : await this.resolve(host);
    const usable = found.filter(({ address }) => this.allow.allowsAddress(host, address));
    if (usable.length > 0) return usable;
    throw new ForgeError('http.refused', `${host} leads to an address that is not on the public internet.`, {
      fix: 'If that is meant, add the address or its network to FORGE_HTTP_ALLOW of the worker, besides the name.',
    });
  }

  async #once(
    url: URL,
    method: string,
    headers: Record<string, string>,
    body: Uint8Array | null,
    maxBytes: number,
    signal: AbortSignal,
    withSecrets: boolean,
  ): Promise<HttpResponse> {
    const addresses = await this.#addresses(hostOf(url));
    if (withSecrets && url.protocol === 'http:' && addresses.some(({ address }) => isPublicAddress(address)))
      throw new ForgeError('http.refused', `A secret would go to ${url.host} in clear over the internet.`, {
        fix: 'Use https.',
      });
    signal.throwIfAborted();
    const incoming = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const outgoing = (url.protocol === 'https:' ? https : http).request(url, {
        method,
        headers: {
          'accept-encoding': 'gzip, deflate, br',
          'user-agent': 'cua-forge',
          ...headers,
          ...(body === null ? {} : { 'content-length': String(body.byteLength) }),
        },
        agent: false,
        lookup: pinned(addresses),
        signal,
      });
      outgoing.on('response', resolve).on('error', reject);
      outgoing.end(body ?? undefined);
    });
    return {
      status: incoming.statusCode ?? 0,
      headers: plainHeaders(incoming.headers),
      body: await bodyOf(incoming, maxBytes, url),
      url: url.href,
    };
  }
}

/** A lookup that knows only these addresses. */
function pinned(addresses: readonly { address: string; family: number }[]): LookupFunction {
  return (_host, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, [...addresses]);
    else if (first === undefined) done(new Error('no address'), '');
    else done(null, first.address, first.family);
  };
}

async function bodyOf(incoming: http.IncomingMessage, maxBytes: number, url: URL): Promise<Uint8Array> {
  const unpack = unpacker(incoming.headers['content-encoding']);
  // An error of either stream ends the loop below; the callback only keeps it from being unhandled.
  const stream = unpack === null ? incoming : pipeline(incoming, unpack, () => undefined);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > maxBytes) {
      incoming.destroy();
      throw new ForgeError('http.too-large', `The answer of ${url.host} is larger than ${maxBytes} bytes.`, {
        fix: 'Ask for less, or raise maxBytes.',
      });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function unpacker(encoding: string | undefined) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  return encoding === 'br' ? createBrotliDecompress() : null;
}

function plainHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === 'set-cookie' ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return Object.fromEntries(entries);
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
const portOf = (url: URL): number => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port));
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'The server');
